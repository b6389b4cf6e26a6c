/**
 * The upload of a file in parts, which can be continued after a pause, a failure or a reload.
 *
 * @module multipart
 */
import { PresignError, element, existsError, isErrorDocument, outcomeError, storageError } from "./errors.js";
import { partCount, range, readParts, writeParts } from "./parts.js";
import * as records from "./records.js";
import { abandonOthers, abort } from "./resumable.js";
import { PartSender } from "./sending.js";
import { perform } from "./storage.js";
import { stat } from "./verify.js";

/** How often an upload starts again because the storage has lost it or parts of it. */
const MAX_RESTARTS = 2;
/** Seconds in which the storage must have combined the parts. Some copy every byte before they respond. */
const COMPLETION_TIMEOUT = 600;

export class MultipartUpload {
  #file;
  #plan;
  /** The upload at the storage; undefined until it is created. */
  #record;
  /** The parts that the storage has, by number. */
  #parts = new Map();
  /** Whether a request to complete the upload may have been performed without a response. */
  #isUncertain = false;
  /** Whether the storage lacks a part that this page or its record has. */
  #isRecordWrong = false;
  #unlock;
  /** Sends the parts, while that is what the upload does. */
  #sender;

  /**
   * @param {Blob} file
   * @param {object} plan
   * @param {object} plan.create the fields of `POST /presign` that create the upload.
   * @param {object} plan.complete additional fields that complete it.
   * @param {object} plan.options the caller's options, to be used again after a reload.
   * @param {number} plan.partSize the size of the parts of a new upload.
   * @param {number} [plan.requiredPartSize] the size that the rule requires.
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
        if (this.#needsChecksum(error)) {
          await this.#startWithChecksum(run);
          continue;
        }
        const isLost = error.code === "NoSuchUpload" || error.code === "InvalidPart";
        if (!isLost || this.#isUncertain || restarts >= MAX_RESTARTS) throw error;
        if (error.code === "NoSuchUpload") await this.#forget();
        else this.#isRecordWrong = true;
      }
    }
  }

  /** Whether the storage has the upload. */
  get isCreated() { return this.#record !== undefined; }

  /** Lets another tab, or a later visit, continue the upload. */
  release() {
    this.#unlock?.();
    this.#unlock = undefined;
  }

  /** Aborts the upload at the storage, which then removes its parts. */
  async discard(run) {
    if (this.#record) await abort(run.service, this.#record);
    this.#record = undefined;
    this.#parts.clear();
    this.release();
  }

  /** Whether the service has refused a part because a rule requires a checksum that `GET /permissions` did not name. */
  #needsChecksum({ status, fields }) {
    return !this.#plan.hasChecksum && status === 422 && fields.some(({ name }) => name === "checksumSHA256");
  }

  async #startWithChecksum(run) {
    if (this.#record) await abort(run.service, this.#record);
    await this.#forget();
    this.#plan = { ...this.#plan, hasChecksum: true, create: withChecksum(this.#plan.create) };
  }

  /** Returns the id of the record, or undefined for a Blob without a name. */
  #recordId(service) {
    const { name } = this.#file;
    return name === undefined ? undefined : records.recordId(service.id, this.#plan.create.path, this.#file);
  }

  /** Continues a recorded upload of this file, or creates one. */
  async #open(run) {
    const id = this.#recordId(run.service);
    if (id && !this.#unlock) {
      this.#unlock = await records.lock(id);
      if (this.#unlock === null) throw activeError();
    }
    if (this.#record) return await this.#continue(run);
    const { create, partSize, requiredPartSize, options } = this.#plan;
    const isKept = this.#unlock !== undefined;
    // Without a required size, the parts keep the size with which the upload began.
    const fields = JSON.stringify([{ ...create, expiresIn: undefined }, requiredPartSize ?? null]);
    if (isKept) {
      await abandonOthers(run.service, id, create.path, this.#file.name);
      const record = await records.readRecord(id);
      if (record?.fields === fields) {
        this.#record = record;
        return await this.#list(run);
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

  /** Asks the storage for the parts: it may have received one whose response was lost, or have lost one. */
  async #continue(run) {
    // If the upload was completed meanwhile, the storage has no list of its parts.
    if (!this.#isUncertain) await this.#list(run);
  }

  async #create(run) {
    const sign = () => run.service.sign(this.#plan.create, run.wait);
    const { response } = await perform(run.service, { sign }, run.wait);
    const uploadId = element(response.text, "UploadId");
    if (uploadId) return uploadId;
    throw new PresignError("the storage's response has no upload id", {
      source: "storage", code: "UnexpectedResponse", status: response.status,
    });
  }

  /**
   * Asks the storage which parts it has. It lists the first 1,000 parts only; for later ones, the record is used, and
   * the storage checks them when the upload is completed.
   */
  async #list(run) {
    const { path, uploadId, id, partSize } = this.#record;
    const sign = () => run.service.sign({ path, method: "GET", uploadId }, run.wait);
    const { response } = await perform(run.service, { sign }, run.wait);
    const { parts, isTruncated } = readParts(response.text);
    const last = parts.at(-1)?.number ?? 0;
    if (isTruncated && !this.#isRecordWrong) {
      // After a pause this page knows the parts, also without a record, as of a Blob without a name.
      const known = this.#parts.size > 0 || !id ? [...this.#parts].map(([number, part]) => ({ number, ...part }))
        : await records.readParts(id);
      parts.push(...known.filter(({ number }) => number > last));
    }
    this.#parts.clear();
    for (const { number, size, etag, checksum } of parts) {
      const [start, end] = range(number, partSize, this.#file.size);
      const isUsable = size === end - start && (checksum || !this.#plan.hasChecksum);
      if (isUsable) this.#parts.set(number, { size, etag, checksum });
    }
    this.#report(run);
  }

  async #sendParts(run) {
    this.#sender = new PartSender(run, {
      file: this.#file, record: this.#record, hasChecksum: this.#plan.hasChecksum,
      expiresIn: this.#plan.create.expiresIn, parts: this.#parts, onSent: (bytes) => this.#report(run, bytes),
    });
    try {
      await this.#sender.send();
    } finally {
      this.#sender = undefined;
    }
  }

  /** Starts no further part. Returns a promise of the end of those that end soon, or undefined if none does. */
  finishParts() { return this.#sender?.finish(); }

  /** The bytes of the parts that the storage has. */
  get kept() {
    let bytes = 0;
    for (const { size } of this.#parts.values()) bytes += size;
    return bytes;
  }

  /** @param {number} sent the bytes of the parts in flight. */
  #report(run, sent = 0) {
    run.onLoaded(this.kept + sent);
  }

  async #complete(run) {
    const { path, uploadId } = this.#record;
    // Without an ExposeHeaders rule for ETag, the page reads the ETags from the list.
    if ([...this.#parts.values()].some(({ etag }) => !etag)) await this.#list(run);
    // The storage would combine fewer parts without an error.
    if (this.#parts.size < partCount(this.#file.size, this.#record.partSize)) throw missingPartError();
    const fields = { path, method: "POST", uploadId, ...this.#plan.complete };
    try {
      const { grant, response, etag } = await perform(run.service, {
        sign: () => run.service.sign(fields, run.wait), body: writeParts(this.#parts),
        check: checkCompleted, settle: (error) => this.#settle(run, error),
      }, { ...run.wait, timeout: Math.max(run.wait.timeout ?? 0, COMPLETION_TIMEOUT) });
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
    // The object may be the one of a lost request if the page may not read it.
    if (error.status === 412 && object !== "unknown") throw existsError();
    throw object === "absent" ? error : outcomeError(error);
  }

  /** Removes what is known about the upload. */
  async #forget() {
    if (this.#record?.id) await records.removeRecord(this.#record.id);
    this.#record = undefined;
    this.#isRecordWrong = false;
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

/** The fields that create an upload whose parts all have a SHA-256. */
export const withChecksum = (create) => ({ ...create, checksumAlgorithm: "SHA256" });

/** The error with which the storage responds to a request with a part that it does not have. */
function missingPartError() {
  return new PresignError("the storage does not have all parts of the upload", {
    source: "storage", code: "InvalidPart",
  });
}

function activeError() {
  return new PresignError("this file is already being uploaded to this path in this browser", {
    source: "file", code: "TransferActive", recoverySuggestion: "Wait for the other upload, or cancel it.",
  });
}
