/**
 * The client: one object for a service and a store.
 *
 * @module client
 */
import { download } from "./download.js";
import { TransferGroup } from "./group.js";
import { pageHeaders } from "./http.js";
import * as objects from "./objects.js";
import { abortStale, unfinished } from "./resumable.js";
import { Service } from "./service.js";
import { Slots } from "./slots.js";
import { Transfer } from "./transfer.js";
import { Upload } from "./upload.js";

/** The default number of simultaneous requests to the storage. */
const CONCURRENCY = 4;

/** A client for a presign service. */
export class Presign {
  #service;
  #hasCleaned = false;

  /**
   * @param {object} options
   * @param {string|URL} options.endpoint the base URL of the service, to which `/presign` is appended.
   * @param {string} [options.apiKey] sent as `Authorization: Bearer`. Anyone who opens the page can read a key in it.
   * @param {() => (HeadersInit|Promise<HeadersInit>)} [options.headers] returns the headers for each request to the
   *   service, for example with a token that expires.
   * @param {string} [options.store] the name of a configured store. Default: the default store.
   */
  constructor(options) {
    this.#service = new Service(options);
  }

  /**
   * Uploads a file: in one request if it is small, otherwise in parts.
   *
   * @param {Blob} file
   * @param {object} options `UploadOptions` in presign.d.ts.
   * @returns {Transfer} to be awaited, paused, resumed or cancelled.
   */
  upload(file, options) {
    const transfer = this.#transfer(file, options, new Slots(options.concurrency ?? CONCURRENCY));
    transfer.start();
    return transfer;
  }

  /**
   * Uploads several files with one queue.
   *
   * @param {Iterable<File>} files
   * @param {object} options those of `upload` for every file.
   * @param {string|((file: File) => string)} [options.path] a folder, or a function that returns the path of a file.
   * @returns {TransferGroup} awaited, it gives what `Promise.allSettled` gives.
   */
  uploadAll(files, { concurrency = CONCURRENCY, ...shared } = {}) {
    const slots = new Slots(concurrency);
    const make = (added, options) => Array.from(added, (file) => {
      const { path, ...rest } = { ...shared, ...options };
      return this.#transfer(file, { ...rest, concurrency, path: pathOf(file, path) }, slots);
    });
    const group = new TransferGroup(make, concurrency);
    group.add(files);
    return group;
  }

  /** Returns the uploads that an earlier visit of this page has left unfinished, and aborts those of last week. */
  async transfers() {
    return unfinished(this.#service, (file, options) => this.upload(file, options));
  }

  /**
   * Downloads an object.
   *
   * @param {string} path
   * @param {{onProgress?: (progress: {loaded: number, total: number|null}) => void, signal?: AbortSignal}} [options]
   * @returns {Promise<Blob>}
   */
  async download(path, options = {}) {
    return download(this.#service, path, options);
  }

  /**
   * Returns a URL that downloads an object.
   *
   * @param {string} path
   * @param {object} [options]
   * @param {number} [options.expiresIn] the lifetime of the URL in seconds. Default: the service's default.
   * @param {string} [options.filename] makes browsers save the object under this name instead of displaying it.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<string>}
   */
  async downloadURL(path, { expiresIn, filename, signal } = {}) {
    const disposition = filename === undefined ? undefined : objects.attachment(filename);
    const fields = { path, method: "GET", expiresIn, responseContentDisposition: disposition };
    return (await this.#service.sign(fields, { signal })).url;
  }

  /** Lists one page of the objects whose paths begin with a prefix, which is empty or ends in "/". */
  async list(prefix = "", options = {}) {
    return objects.list(this.#service, prefix, options);
  }

  /** Returns the size, type, ETag and date of an object, or null if it does not exist. */
  async head(path, options = {}) {
    return objects.head(this.#service, path, options);
  }

  /** Deletes an object. */
  async remove(path, options = {}) {
    await objects.remove(this.#service, path, options);
  }

  /** Returns who the service takes the caller for, or undefined if the service is too old to tell. */
  async caller(options = {}) {
    return this.#service.caller(options);
  }

  /** Returns what the caller may do at a path, or undefined if the service is too old to tell. */
  async permissions(path, options = {}) {
    return this.#service.permissions(path, options);
  }

  /**
   * Returns the response of `POST /presign` to any fields. Its `headers` are those that the page must set.
   *
   * @param {object} fields
   * @param {{signal?: AbortSignal}} [options]
   */
  async sign(fields, options = {}) {
    const { deadline, ...grant } = await this.#service.sign(fields, options);
    return { ...grant, headers: pageHeaders(grant) };
  }

  #transfer(file, options, slots) {
    if (!(file instanceof Blob)) throw new TypeError("file: must be a File or a Blob");
    if (!this.#hasCleaned) {
      this.#hasCleaned = true;
      abortStale(this.#service).catch(() => {});
    }
    const all = { concurrency: CONCURRENCY, ...options };
    return new Transfer(new Upload(file, all), { service: this.#service, file, options: all, slots });
  }
}

/** Returns the path of a file in a folder. The files of a chosen folder have relative paths. */
function pathOf(file, path) {
  if (typeof path === "function") return path(file);
  return [path, file.webkitRelativePath || file.name].filter(Boolean).join("/");
}
