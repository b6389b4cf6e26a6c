/**
 * One upload: decides between one PUT and several parts before anything is sent.
 *
 * @module upload
 */
import { existsError } from "./errors.js";
import { MultipartUpload, withChecksum } from "./multipart.js";
import { MAX_PUT_SIZE, PART_SIZE, partSize, tooLarge } from "./parts.js";
import { SingleUpload } from "./single.js";
import { stat } from "./verify.js";

/** The largest file that is sent without asking first, because asking would take longer than sending it. */
const MAX_UNASKED_SIZE = 256 * 1024;
/** Options that become fields of the request for the URL. */
const FIELDS = [
  "metadata", "cacheControl", "contentDisposition", "contentEncoding", "contentLanguage", "storageClass", "tagging",
  "serverSideEncryption", "kmsKeyId",
];
/** Options that are used again when an upload continues after a reload. */
const KEPT = ["path", "contentType", "overwrite", "checksum", "expiresIn", ...FIELDS];

/**
 * One run of an upload, from its start to a pause or its end.
 *
 * @typedef {Object} Run
 * @property {import("./service.js").Service} service
 * @property {object} options those of `upload`.
 * @property {import("./slots.js").Slots} slots
 * @property {number} concurrency
 * @property {AbortSignal} signal
 * @property {import("./service.js").Wait} wait
 * @property {(stage: string) => void} onStage
 * @property {(loaded: number) => void} onLoaded
 */

const pick = (options, names) =>
  Object.fromEntries(names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));

export class Upload {
  #file;
  #options;
  #work;
  /** Whether several parts were chosen without knowing whether the rule allows them. */
  #isGuess = false;

  constructor(file, options) {
    this.#file = file;
    this.#options = options;
  }

  /** @param {Run} run */
  async run(run) {
    this.#work ??= await this.#plan(run);
    try {
      return await this.#work.run(run);
    } catch (error) {
      // A service without GET /permissions tells only by refusing it that the rule has no multipart.
      const isRefused = error.source === "presign" && error.status === 403 && !this.#work.isCreated;
      if (!this.#isGuess || !isRefused || run.signal.aborted) throw error;
      this.#isGuess = false;
      this.#work.release();
      this.#work = this.#single();
      return this.#work.run(run);
    }
  }

  release() {
    this.#work?.release?.();
  }

  async discard(run) {
    await this.#work?.discard(run);
  }

  async #plan(run) {
    const { size } = this.#file;
    const { multipart: wanted, path, overwrite } = this.#options;
    // The rule for a small file is learned from the request for its URL.
    if (size <= MAX_UNASKED_SIZE && !wanted) return this.#single();
    run.onStage("signing");
    const allowed = await run.service.permissions(path, run.wait);
    const { write, multipart } = allowed ?? {};
    const mustBeNew = overwrite === false || write?.overwrite === false || multipart?.overwrite === false;
    if (mustBeNew && (!allowed || allowed.get)) await this.#checkAbsent(run);
    if (wanted === false) return this.#single();
    const limit = Math.min(multipart?.partSize ?? PART_SIZE, write?.maxSize ?? Infinity);
    const isSingle = allowed ? !multipart || (write && size <= limit) : size <= PART_SIZE;
    if (isSingle && !wanted) return this.#single();
    this.#isGuess = !allowed && !wanted;
    return this.#multipart(multipart ?? {}, allowed !== undefined);
  }

  /** Refuses an upload to a path with an object before its bytes are sent. The storage decides when it ends. */
  async #checkAbsent(run) {
    const object = await stat(run.service, this.#options.path, run.wait);
    if (typeof object !== "string") throw existsError();
  }

  get #fields() {
    const { path, contentType, expiresIn } = this.#options;
    const type = contentType || this.#file.type || "application/octet-stream";
    return { path, contentType: type, expiresIn, ...pick(this.#options, FIELDS) };
  }

  get #condition() {
    return this.#options.overwrite === false ? { ifNoneMatch: "*" } : {};
  }

  #single() {
    if (this.#file.size > MAX_PUT_SIZE) throw tooLarge(this.#file.size, MAX_PUT_SIZE, "without the action `multipart`");
    return new SingleUpload(this.#file, { ...this.#fields, ...this.#condition });
  }

  #multipart(limits, isKnown) {
    const hasChecksum = Boolean(this.#options.checksum ?? limits.checksum);
    const { size } = this.#file;
    const create = { ...this.#fields, method: "POST" };
    return new MultipartUpload(this.#file, {
      create: hasChecksum ? withChecksum(create) : create,
      // The storage compares the size with the sum of the parts.
      complete: { ...this.#condition, ...(isKnown ? { contentLength: size } : {}) },
      options: pick(this.#options, KEPT), partSize: partSize(size, limits, hasChecksum), hasChecksum,
    });
  }
}
