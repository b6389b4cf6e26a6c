/**
 * One upload: decides between one PUT and several parts before anything is sent.
 *
 * @module upload
 */
import { existsError, isRefusal } from "./errors.js";
import { MultipartUpload, withChecksum } from "./multipart.js";
import { WAIT } from "./options.js";
import { MAX_PUT_SIZE, MAX_SINGLE_SIZE, partSize, tooLarge } from "./parts.js";
import { SingleUpload } from "./single.js";
import { stat } from "./verify.js";

/** The largest file that is sent without asking first, because asking would take longer than sending it. */
const MAX_UNASKED_SIZE = 256 * 1024;
/** Options that become fields of the request for the URL. */
const FIELDS = [
  "metadata", "cacheControl", "contentDisposition", "contentEncoding", "contentLanguage", "storageClass", "tagging",
  "serverSideEncryption", "kmsKeyId", "acl",
];
/** Options that are used again when an upload continues after a reload. */
const KEPT = ["path", "contentType", "overwrite", "checksum", "expiresIn", ...FIELDS];
/** The options of `upload`. */
export const UPLOAD_OPTIONS = [...KEPT, "multipart", "concurrency", "onProgress", "onStage", ...WAIT];

/**
 * One run of an upload, from its start to a pause or its end.
 *
 * @typedef {Object} Run
 * @property {import("./service.js").Service} service
 * @property {object} options those of `upload`.
 * @property {import("./slots.js").Slots} slots
 * @property {import("./urls.js").SignedURLs} [urls] the URLs of the small files of a group.
 * @property {() => number} connections returns the number of parts to send at the same time.
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
  /** Whether the plan depends on permissions that may not be those of this file. */
  #isTentative = false;

  constructor(file, options) {
    this.#file = file;
    this.#options = options;
  }

  /** Lets the URL of a small file be requested together with those of others. */
  expectURL(urls) {
    if (!this.#isSmall || this.#options.checksum) return;
    this.#work = this.#single();
    urls.expect([this.#work]);
  }

  /** @param {Run} run */
  async run(run) {
    for (;;) {
      try {
        this.#work ??= await this.#plan(run);
        const result = await this.#work.run(run);
        run.service.listing.include(result.path);
        return result;
      } catch (error) {
        if (!this.#isTentative || !isRefusal(error) || this.#work?.isCreated || run.signal.aborted) throw error;
        this.release();
        this.#work = await this.#plan(run, true);
      }
    }
  }

  release() {
    this.#work?.release?.();
  }

  async discard(run) {
    await this.#work?.discard(run);
  }

  /** Whether the file goes in parts; undefined until that is decided. */
  get isMultipart() { return this.#work && this.#work instanceof MultipartUpload; }

  /** The bytes that a pause keeps. */
  get kept() { return this.#work?.kept ?? 0; }

  /** Starts no further part. Returns a promise of the end of those that end soon, or undefined if none does. */
  finishParts() { return this.#work?.finishParts?.(); }

  /** The rule for a small file is learned from the request for its URL. */
  get #isSmall() { return this.#file.size <= MAX_UNASKED_SIZE && !this.#options.multipart; }

  /** @param {boolean} [isRefused] whether a plan was refused that did not depend on the permissions of this file. */
  async #plan(run, isRefused = false) {
    const { size } = this.#file;
    const { multipart: wanted, path, overwrite } = this.#options;
    if (this.#isSmall) return this.#single();
    run.onStage("signing");
    const { actions, isExact } = isRefused
      ? { actions: await run.service.permissions(path, run.wait), isExact: true }
      : await run.service.likelyPermissions(path, run.wait);
    this.#isTentative = !isExact;
    const { get, write, multipart } = actions;
    const mustBeNew = overwrite === false || write?.overwrite === false || multipart?.overwrite === false;
    if (mustBeNew && get) await this.#checkAbsent(run);
    const limit = Math.min(multipart?.partSize ?? MAX_SINGLE_SIZE, write?.maxSize ?? Infinity);
    const isSingle = wanted === false || (!wanted && (!multipart || (write && size <= limit)));
    return isSingle ? this.#single() : this.#multipart(multipart ?? {});
  }

  /** Refuses an upload to a path with an object before its bytes are sent. The storage decides when it ends. */
  async #checkAbsent(run) {
    if (run.service.listing.lacks(this.#options.path)) return;
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

  #multipart(limits) {
    const hasChecksum = Boolean(this.#options.checksum ?? limits.checksum);
    const { size } = this.#file;
    const create = { ...this.#fields, method: "POST" };
    return new MultipartUpload(this.#file, {
      create: hasChecksum ? withChecksum(create) : create,
      // The storage compares the size with the sum of the parts.
      complete: { ...this.#condition, contentLength: size },
      options: pick(this.#options, KEPT), hasChecksum,
      // Throws if the file is too large, before anything is sent.
      partSize: partSize(size, limits, hasChecksum), requiredPartSize: limits.partSize,
    });
  }
}
