/**
 * Sends the missing parts of an upload, several at a time.
 *
 * @module sending
 */
import { sha256 } from "./checksum.js";
import { checkETag, partCount, range } from "./parts.js";
import { writePart } from "./records.js";
import { MAX_BYTES } from "./slots.js";
import { perform } from "./storage.js";
import { SignedURLs } from "./urls.js";

/**
 * Sends all parts that are missing. The first failure stops the others.
 *
 * @param {import("./upload.js").Run} run
 * @param {object} upload
 * @param {Blob} upload.file
 * @param {import("./records.js").Record} upload.record
 * @param {Map<number, object>} upload.parts the parts that the storage has, by number; complete afterwards.
 * @param {boolean} upload.hasChecksum
 * @param {number} [upload.expiresIn]
 * @param {(bytes: number) => void} upload.onSent receives the bytes sent of the parts in flight.
 */
export async function sendParts(run, upload) {
  const { file, record, parts, hasChecksum } = upload;
  const count = partCount(file.size, record.partSize);
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((number) => !parts.has(number));
  const workers = Math.min(run.connections(), missing.length, Math.max(1, Math.floor(MAX_BYTES / record.partSize)));
  const urls = new SignedURLs(run.service, { fields: (number) => partFields(upload, number), count: 2 * workers });
  // The URL of a part with a checksum is requested alone, when its checksum is known.
  if (!hasChecksum) urls.expect(missing);
  const controller = new AbortController();
  const stop = () => controller.abort(run.signal.reason);
  run.signal.addEventListener("abort", stop);
  const { signal } = controller;
  const partRun = { ...run, signal, wait: { ...run.wait, signal }, urls, inFlight: new Map(), started: [] };
  try {
    run.signal.throwIfAborted();
    await Promise.all(Array.from({ length: workers }, () => work(partRun, upload, missing)));
  } catch (error) {
    controller.abort(error);
    await Promise.allSettled(partRun.started);
    throw error;
  } finally {
    run.signal.removeEventListener("abort", stop);
  }
}

/**
 * Sends one part after the other. The next one starts when the bytes of the last are sent, so that no connection is
 * idle while the storage writes them; but at most one part waits for its response.
 */
async function work(run, upload, missing) {
  let last;
  while (missing.length > 0) {
    const { isSent, isStored } = sendPart(run, upload, missing.shift());
    // The last part can fail while this one is sent.
    await Promise.all([isSent, last]);
    last = isStored;
  }
  await last;
}

/** The fields of `POST /presign` for a part. */
function partFields({ file, record, expiresIn }, number) {
  const { path, uploadId, partSize } = record;
  const [start, end] = range(number, partSize, file.size);
  return { path, method: "PUT", uploadId, partNumber: number, contentLength: end - start, expiresIn };
}

/** Returns a promise of the moment when all bytes are sent, and one of the storage's response. */
function sendPart(run, upload, number) {
  let onSent;
  const sent = new Promise((resolve) => { onSent = resolve; });
  const isStored = storePart(run, upload, number, onSent);
  run.started.push(isStored);
  return { isSent: Promise.race([sent, isStored]), isStored };
}

async function storePart(run, upload, number, onSent) {
  const { file, record, parts, hasChecksum } = upload;
  const { inFlight, slots } = run;
  const [start, end] = range(number, record.partSize, file.size);
  const size = end - start, body = file.slice(start, end);
  const report = () => upload.onSent([...inFlight.values()].reduce((sum, sent) => sum + sent, 0));
  let checksum;
  const sign = async () => {
    if (!hasChecksum) return run.urls.get(number, run.wait);
    checksum ??= await sha256(body, run.signal);
    return run.service.sign({ ...partFields(upload, number), checksumSHA256: checksum }, run.wait);
  };
  const onProgress = (loaded) => {
    inFlight.set(number, loaded);
    report();
  };
  // Parts are signed while others are sent.
  const onStage = (stage) => { if (stage === "uploading") run.onStage(stage); };
  try {
    const { response } = await perform(
      run.service, { sign, body, slots, onProgress, onSent, onStage }, run.wait);
    const etag = response.header("etag");
    checkETag(etag, partCount(file.size, record.partSize));
    inFlight.delete(number);
    parts.set(number, { size, etag, checksum });
    if (record.id) await writePart(record.id, { size, etag, checksum, number });
  } finally {
    inFlight.delete(number);
    report();
  }
}
