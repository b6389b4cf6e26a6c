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
import { PartURLs } from "./urls.js";

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
  const { file, record, parts } = upload;
  const count = partCount(file.size, record.partSize);
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((number) => !parts.has(number));
  const workers = Math.min(run.concurrency, missing.length, Math.max(1, Math.floor(MAX_BYTES / record.partSize)));
  const urls = new PartURLs(run.service, {
    fields: (number) => partFields(upload, number), next: (length) => missing.slice(0, Math.max(0, length)),
    count: 2 * workers,
  });
  const controller = new AbortController();
  const stop = () => controller.abort(run.signal.reason);
  run.signal.addEventListener("abort", stop);
  const { signal } = controller;
  const partRun = { ...run, signal, wait: { ...run.wait, signal }, urls, inFlight: new Map() };
  const work = async () => {
    while (missing.length > 0) await sendPart(partRun, upload, missing.shift());
  };
  try {
    run.signal.throwIfAborted();
    const all = Array.from({ length: workers }, work);
    await Promise.all(all).catch(async (error) => {
      controller.abort(error);
      await Promise.allSettled(all);
      throw error;
    });
  } finally {
    run.signal.removeEventListener("abort", stop);
  }
}

/** The fields of `POST /presign` for a part. */
function partFields({ file, record, expiresIn }, number) {
  const { path, uploadId, partSize } = record;
  const [start, end] = range(number, partSize, file.size);
  return { path, method: "PUT", uploadId, partNumber: number, contentLength: end - start, expiresIn };
}

async function sendPart(run, upload, number) {
  const { file, record, parts, hasChecksum, onSent } = upload;
  const [start, end] = range(number, record.partSize, file.size);
  const size = end - start;
  const report = () => onSent([...run.inFlight.values()].reduce((sum, sent) => sum + sent, 0));
  const release = await run.slots.acquire(size, run.signal);
  try {
    const body = file.slice(start, end);
    const checksum = hasChecksum ? await sha256(body, run.signal) : undefined;
    const sign = () => checksum
      ? run.service.sign({ ...partFields(upload, number), checksumSHA256: checksum }, run.wait)
      : run.urls.get(number, run.wait);
    const onProgress = (loaded) => {
      run.inFlight.set(number, loaded);
      report();
    };
    // Parts are signed while others are sent.
    const onStage = (stage) => { if (stage === "uploading") run.onStage(stage); };
    const { response } = await perform(run.service, { sign, body, onProgress, onStage }, run.wait);
    checkETag(response.header("etag"), partCount(file.size, record.partSize));
    const part = { size, etag: response.header("etag"), checksum };
    run.inFlight.delete(number);
    parts.set(number, part);
    if (record.id) await writePart(record.id, { ...part, number });
  } finally {
    run.inFlight.delete(number);
    release();
    report();
  }
}
