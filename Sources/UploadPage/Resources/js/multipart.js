/**
 * The upload of a file in parts, which can be continued after a pause, a failure or a reload.
 *
 * @module multipart
 */
import { sha256 } from "./checksum.js";
import { PresignError, element, existsError, isErrorDocument, outcomeError, storageError } from "./errors.js";
import { partCount, range, readParts, writeParts } from "./parts.js";
import * as records from "./records.js";
import { MAX_BYTES } from "./slots.js";
import { perform } from "./storage.js";
import { PartURLs } from "./urls.js";
import { stat } from "./verify.js";
import { abandonOthers, abort } from "./resumable.js";

/** How often an upload starts again because the storage has lost it or parts of it. */
const MAX_RESTARTS = 2;

export class MultipartUpload {
  #file;
  #plan;
  /** The upload at the storage; undefined until it is created. */
  #record;
  /** The parts that the storage has, by number. */
  #parts = new Map();
  /** The bytes sent of the parts in flight, by number. */
  #inFlight = new Map();
  /** Whether a request to complete the upload may have been performed without a response. */
  #isUncertain = false;
  #unlock;

  /**
   * @param {Blob} file
   * @param {object} plan
   * @param {object} plan.create the fields of `POST /presign` that create the upload.
   * @param {object} plan.complete additional fields that complete it.
   * @param {object} plan.options the caller's options, to be used again after a reload.
   * @param {number} plan.partSize
   * @param {boolean} plan.hasChecksum whether every part has a checksum.
   */
  constructor(file, plan) {
    this.#file = file;
    this.#plan = plan;
  }

  /**
   * Uploads the file. Can be called again after a pause or a failure.
   *
   * @param {import("./upload.js").Run} run
   */
  async run(run) {
    for (let restarts = 0; ; restarts += 1) {
      try {
        await this.#open(run);
        await this.#sendParts(run);
        const result = await this.#complete(run);
        await this.#forget();
        return result;
      } catch (error) {
        run.signal.throwIfAborted();
        const isLost = error.code === "NoSuchUpload" || error.code === "InvalidPart";
        if (!isLost || this.#isUncertain || restarts >= MAX_RESTARTS) throw error;
        if (error.code === "InvalidPart") await this.#list(run, false);
        else await this.#forget();
      }
    }
  }

  /** Lets another tab, or a later visit, continue the upload. */
  release() {
    this.#unlock?.();
    this.#unlock = undefined;
  }

  /** Aborts the upload at the storage, which then removes its parts. */
  async discard(run) {
    if (this.#record) await abort(run.service, this.#record);
    this.#record = undefined;
    this.release();
  }

  get #id() {
    const { name, lastModified } = this.#file;
    return name === undefined ? undefined : (service) =>
      records.recordId(service.id, this.#plan.create.path, { name, size: this.#file.size, lastModified });
  }

  /** Continues a recorded upload of this file, or creates one. */
  async #open(run) {
    const id = this.#id?.(run.service);
    if (id && !this.#unlock) {
      this.#unlock = await records.lock(id);
      if (this.#unlock === null) throw activeError();
    }
    if (this.#record) return;
    const { create, partSize, options } = this.#plan;
    const isKept = this.#unlock !== undefined;
    const fields = JSON.stringify([{ ...create, expiresIn: undefined }, partSize]);
    if (isKept) {
      await abandonOthers(run.service, id, create.path, this.#file.name);
      const record = await records.readRecord(id);
      if (record?.fields === fields && !record.isAbandoned) {
        this.#record = record;
        return await this.#list(run, true);
      }
      if (record) await abort(run.service, record);
    }
    const { name, size, lastModified } = this.#file;
    const uploadId = await this.#create(run);
    this.#record = {
      id: isKept ? id : undefined, service: run.service.id, path: create.path, file: { name, size, lastModified },
      fields, options, uploadId, partSize, createdAt: Date.now(),
    };
    if (isKept) await records.writeRecord(this.#record);
  }

  async #create(run) {
    const sign = () => run.service.sign(this.#plan.create, run.wait);
    const { response } = await perform(run.service, { sign }, run.wait);
    const uploadId = element(response.text, "UploadId");
    if (uploadId) return uploadId;
    throw new PresignError("the storage's response has no upload id", {
      source: "storage", code: "UnexpectedAnswer", status: response.status,
    });
  }

  /**
   * Asks the storage which parts it has. It lists the first 1,000 parts only; for later ones, the record is used, and
   * the storage checks them when the upload is completed.
   */
  async #list(run, mayUseRecord) {
    const { path, uploadId, id, partSize } = this.#record;
    const sign = () => run.service.sign({ path, method: "GET", uploadId }, run.wait);
    const { response } = await perform(run.service, { sign }, run.wait);
    const { parts, isTruncated } = readParts(response.text);
    const last = parts.at(-1)?.number ?? 0;
    if (isTruncated && mayUseRecord) parts.push(...(await records.readParts(id)).filter(({ number }) => number > last));
    this.#parts.clear();
    for (const { number, size, etag, checksum } of parts) {
      const [start, end] = range(number, partSize, this.#file.size);
      const isUsable = size === end - start && (checksum || !this.#plan.hasChecksum);
      if (isUsable) this.#parts.set(number, { size, etag, checksum });
    }
    this.#report(run);
  }

  async #sendParts(run) {
    const { partSize } = this.#record;
    const count = partCount(this.#file.size, partSize);
    const missing = Array.from({ length: count }, (_, index) => index + 1).filter((n) => !this.#parts.has(n));
    const workers = Math.min(run.concurrency, missing.length, Math.max(1, Math.floor(MAX_BYTES / partSize)));
    const urls = new PartURLs(run.service, {
      fields: (number) => this.#partFields(number), next: (_, length) => missing.slice(0, length),
      count: 2 * workers,
    });
    // The first failure stops the other parts.
    const controller = new AbortController();
    const stop = () => controller.abort(run.signal.reason);
    run.signal.addEventListener("abort", stop);
    const wait = { ...run.wait, signal: controller.signal };
    const work = async () => {
      while (missing.length > 0) await this.#sendPart({ ...run, wait, signal: wait.signal }, missing.shift(), urls);
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

  #partFields(number) {
    const { path, uploadId, partSize } = this.#record;
    const [start, end] = range(number, partSize, this.#file.size);
    const { expiresIn } = this.#plan.create;
    return { path, method: "PUT", uploadId, partNumber: number, contentLength: end - start, expiresIn };
  }

  async #sendPart(run, number, urls) {
    const [start, end] = range(number, this.#record.partSize, this.#file.size);
    const size = end - start;
    const release = await run.slots.acquire(size, run.signal);
    try {
      const body = this.#file.slice(start, end);
      const checksum = this.#plan.hasChecksum ? await sha256(body, run.signal) : undefined;
      const sign = () => checksum
        ? run.service.sign({ ...this.#partFields(number), checksumSHA256: checksum }, run.wait)
        : urls.get(number, run.wait);
      // Parts are signed while others are sent.
      const onStage = (stage) => { if (stage === "uploading") run.onStage(stage); };
      const onProgress = (loaded) => {
        this.#inFlight.set(number, loaded);
        this.#report(run);
      };
      const { response } = await perform(run.service, { sign, body, onProgress, onStage }, run.wait);
      const part = { size, etag: response.header("etag"), checksum };
      this.#parts.set(number, part);
      if (this.#record.id) await records.writePart(this.#record.id, { ...part, number });
    } finally {
      this.#inFlight.delete(number);
      release();
      this.#report(run);
    }
  }

  #report(run) {
    let loaded = 0;
    for (const { size } of this.#parts.values()) loaded += size;
    for (const sent of this.#inFlight.values()) loaded += sent;
    run.onLoaded(loaded);
  }

  async #complete(run) {
    const { path, uploadId } = this.#record;
    // Without an ExposeHeaders rule for ETag, the page reads the ETags from the list.
    if ([...this.#parts.values()].some(({ etag }) => !etag)) await this.#list(run, false);
    const fields = { path, method: "POST", uploadId, ...this.#plan.complete };
    try {
      const { grant, response, etag } = await perform(run.service, {
        sign: () => run.service.sign(fields, run.wait), body: writeParts(this.#parts),
        check: checkCompleted, settle: (error) => this.#settle(run, error),
      }, run.wait);
      const stored = response ? element(response.text, "ETag") ?? null : etag;
      return { path, key: grant.key, bucket: grant.bucket, etag: stored };
    } catch (error) {
      if (run.signal.aborted) this.#isUncertain = true;
      throw error;
    }
  }

  /** Finds out whether an upload that the storage does not know any more was completed by a lost request. */
  async #settle(run, error) {
    if (error.ambiguous) this.#isUncertain = true;
    if (!this.#isUncertain || !(error.code === "NoSuchUpload" || error.status === 412)) return undefined;
    const object = await stat(run.service, this.#record.path, run.wait);
    if (object.size === this.#file.size && isOfParts(object.etag, this.#parts.size)) return object;
    if (error.status === 412) throw existsError();
    throw object === "absent" ? error : outcomeError(error);
  }

  /** Removes what is known about the upload. */
  async #forget() {
    if (this.#record?.id) await records.removeRecord(this.#record.id);
    this.#record = undefined;
    this.#parts.clear();
    this.release();
  }
}

/** S3 can respond with status 200 before it has combined the parts, and then fail. */
function checkCompleted(response) {
  if (isErrorDocument(response.text)) throw storageError({ ...response, status: 500 });
  return response;
}

/** Whether the ETag is one of an object of this many parts. It ends in their number, where it can be read. */
const isOfParts = (etag, count) => etag === null || etag.replaceAll('"', "").endsWith(`-${count}`);

function activeError() {
  return new PresignError("this file is already being uploaded to this path in this browser", {
    source: "file", code: "TransferActive", recoverySuggestion: "Wait for the other upload, or cancel it.",
  });
}
