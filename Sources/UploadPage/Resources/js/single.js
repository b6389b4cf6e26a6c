/**
 * The upload of a file in one PUT.
 *
 * @module single
 */
import { sha256 } from "./checksum.js";
import { existsError, outcomeError } from "./errors.js";
import { perform } from "./storage.js";
import { compare } from "./verify.js";

const isChecksum = ({ name }) => name === "checksumSHA256";

export class SingleUpload {
  #file;
  #fields;
  /** Whether the storage must not replace an object: asked for by the caller or added by a rule. */
  #isConditional = false;
  /** Whether a request may have been performed without a response. A later one may be the first with the condition. */
  #isUncertain = false;

  /**
   * @param {Blob} file
   * @param {object} fields the fields of the upload for `POST /presign`, without the method.
   */
  constructor(file, fields) {
    this.#file = file;
    this.#fields = { ...fields, method: "PUT", contentLength: file.size };
  }

  /** The fields of `POST /presign`. */
  get fields() { return this.#fields; }

  /**
   * Uploads the file. Can be called again after a pause.
   *
   * @param {import("./upload.js").Run} run
   */
  async run(run) {
    const { path } = this.#fields;
    if (this.#isUncertain && this.#isConditional) {
      const stored = await this.#stored(run);
      if (stored) return result(path, stored);
    }
    let isSent = false;
    const sign = () => this.#sign(run);
    const settle = (error) => this.#settle(run, error);
    const onStage = (stage) => {
      isSent ||= stage === "uploading";
      run.onStage(stage);
    };
    try {
      const { grant, response, etag } = await perform(run.service, {
        sign, body: this.#file, slots: run.slots, onProgress: run.onLoaded, onStage, settle,
      }, run.wait);
      return result(path, { grant, etag: response ? response.header("etag") : etag });
    } catch (error) {
      // A pause aborts the request, which the storage may have performed.
      if (run.signal.aborted && isSent) this.#isUncertain = true;
      throw error;
    }
  }

  /** Forgets the URL, if it was requested early. The upload leaves nothing else. */
  async discard(run) {
    run.urls?.forget(this);
  }

  /** Adds a checksum only if it is wanted or a rule requires it, because it reads the whole file into memory. */
  async #sign(run) {
    if (run.options.checksum) this.#fields.checksumSHA256 ??= await sha256(this.#file, run.signal);
    const isEarly = run.urls && !this.#fields.checksumSHA256;
    let grant;
    try {
      grant = await (isEarly ? run.urls.get(this, run.wait) : run.service.sign(this.#fields, run.wait));
    } catch (error) {
      if (error.status !== 422 || !error.fields.some(isChecksum)) throw error;
      // Users cannot enter a checksum, so report only the other fields.
      error.fields = error.fields.filter((field) => !isChecksum(field));
      if (this.#fields.checksumSHA256 || error.fields.length > 0) throw error;
      this.#fields.checksumSHA256 = await sha256(this.#file, run.signal);
      grant = await run.service.sign(this.#fields, run.wait);
    }
    this.#isConditional = Object.keys(grant.headers).some((name) => name.toLowerCase() === "if-none-match");
    return grant;
  }

  /** Finds out whether a failed request that must not replace an object has created it. */
  async #settle(run, error) {
    if (error.ambiguous) this.#isUncertain = true;
    const mayBeOwn = error.ambiguous || (error.status === 412 && this.#isUncertain);
    if (!this.#isConditional || !mayBeOwn) return undefined;
    return this.#stored(run, error);
  }

  /** Returns the object if it has the file's content, or undefined if it does not exist. */
  async #stored(run, error = { source: "network", status: 0 }) {
    const { outcome, ...object } = await compare(run.service, this.#fields.path, this.#file, run.wait);
    if (outcome === "same") return object;
    if (outcome === "absent") return undefined;
    // The browser decodes encoded content, which then differs from the file that was sent.
    const isDecided = outcome === "different" && !this.#fields.contentEncoding;
    throw isDecided ? existsError() : outcomeError(error);
  }
}

const result = (path, { grant, etag }) => ({ path, key: grant.key, bucket: grant.bucket, etag });
