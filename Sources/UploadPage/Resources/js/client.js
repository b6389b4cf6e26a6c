/**
 * The client: one object for a service and a store.
 *
 * @module client
 */
import { download } from "./download.js";
import { isText } from "./errors.js";
import { TransferGroup } from "./group.js";
import { pageHeaders } from "./http.js";
import * as objects from "./objects.js";
import { WAIT, checkOptions } from "./options.js";
import { abortStale, unfinished } from "./resumable.js";
import { Service } from "./service.js";
import { Slots } from "./slots.js";
import { Transfer } from "./transfer.js";
import { UPLOAD_OPTIONS, Upload } from "./upload.js";
import { SignedURLs } from "./urls.js";

/** The number of small files whose URLs are requested together. */
const BATCH = 50;
/** The maximum number of URLs in one request. */
const MAX_BATCH = 1000;

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
    // The upload page has a service that has already listed a folder.
    const isService = options instanceof Service;
    if (!isService) checkOptions("Presign", options, ["endpoint", "apiKey", "headers", "store"]);
    this.#service = isService ? options : new Service(options);
  }

  /**
   * Uploads a file: in one request if it is small, otherwise in parts.
   *
   * @param {Blob} file
   * @param {object} options `UploadOptions` in presign.d.ts.
   * @returns {Transfer} to be awaited, paused, resumed or cancelled.
   */
  upload(file, options) {
    const slots = new Slots(this.#connections(options ?? {}));
    const transfer = this.#transfer(file, options, { slots });
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
   * @throws {PresignError} with the code "DuplicatePath" if several files have the same path.
   */
  uploadAll(files, shared = {}) {
    checkOptions("uploadAll", shared, UPLOAD_OPTIONS);
    const connections = this.#connections(shared);
    const { concurrency } = shared;
    const slots = new Slots(connections);
    const urls = new SignedURLs(this.#service, { fields: (upload) => upload.fields, count: BATCH });
    const group = new TransferGroup({
      describe: (added, replacing) => Array.from(added, (file) => {
        const { path, ...options } = { ...shared, ...replacing, concurrency };
        return { file, options: { ...options, path: checkPath(pathOf(file, path)) } };
      }),
      make: ({ file, options }) => this.#transfer(file, options, { slots, urls }),
      limit: connections,
    });
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
   * @param {object} [options] `DownloadOptions` in presign.d.ts.
   * @param {WritableStream|FileSystemFileHandle} [options.to] receives the content, which is then not kept in memory.
   * @returns {Promise<Blob|undefined>} undefined with `to`.
   */
  async download(path, options = {}) {
    checkOptions("download", options, ["to", "onProgress", ...WAIT]);
    return download(this.#service, path, options);
  }

  /**
   * Returns a URL that downloads an object, or those of a list of paths, which are signed in one request.
   *
   * @param {string|string[]} path
   * @param {object} [options] `DownloadURLOptions` in presign.d.ts.
   * @param {number} [options.expiresIn] the lifetime of the URL in seconds. Default: the service's default.
   * @param {string} [options.filename] makes browsers save the object under this name instead of displaying it.
   * @returns {Promise<string|string[]>}
   */
  async downloadURL(path, options = {}) {
    checkOptions("downloadURL", options, ["expiresIn", "filename", ...WAIT]);
    const { expiresIn, filename, ...wait } = options;
    const disposition = filename === undefined ? undefined : objects.attachment(filename);
    const fieldsOf = (one) => ({ path: one, method: "GET", expiresIn, responseContentDisposition: disposition });
    if (!Array.isArray(path)) return (await this.#service.sign(fieldsOf(path), wait)).url;
    if (path.length > MAX_BATCH) throw new TypeError(`path: must be at most ${MAX_BATCH} paths`);
    const urls = new SignedURLs(this.#service, { fields: (index) => fieldsOf(path[index]), count: path.length });
    return Promise.all(path.map(async (_, index) => (await urls.get(index, wait)).url));
  }

  /**
   * Makes a short link that anyone can open until it ends or is revoked, where the rules allow it.
   *
   * @param {string} path
   * @param {object} [options] `ShareOptions` in presign.d.ts.
   * @returns {Promise<object>} `ShareLink` in presign.d.ts.
   */
  async share(path, options = {}) {
    const known = ["method", "expiresIn", "contentType", "contentLength", "ifNoneMatch", ...WAIT];
    checkOptions("share", options, known);
    const { signal, retries, timeout, ...fields } = options;
    return this.#service.share({ ...fields, path }, { signal, retries, timeout });
  }

  /** Lists one page of the objects whose paths begin with a prefix, which is empty or ends in "/". */
  async list(prefix = "", options = {}) {
    checkOptions("list", options, ["delimiter", "maxKeys", "startAfter", "continuationToken", ...WAIT]);
    return objects.list(this.#service, prefix, options);
  }

  /** Returns the size, type, ETag and date of an object, or null if it does not exist. */
  async head(path, options = {}) {
    checkOptions("head", options, ["versionId", ...WAIT]);
    return objects.head(this.#service, path, options);
  }

  /** Deletes an object. */
  async remove(path, options = {}) {
    checkOptions("remove", options, WAIT);
    await objects.remove(this.#service, path, options);
  }

  /** Returns who the service takes the caller for. */
  async caller(options = {}) {
    checkOptions("caller", options, WAIT);
    return this.#service.caller(options);
  }

  /** Returns what the caller may do at a path. */
  async permissions(path, options = {}) {
    checkOptions("permissions", options, WAIT);
    return this.#service.permissions(path, options);
  }

  /**
   * Returns the response of `POST /presign` to any fields. Its `headers` are those that the page must set.
   *
   * @param {object} fields
   * @param {{signal?: AbortSignal}} [options]
   */
  async sign(fields, options = {}) {
    checkOptions("sign", options, WAIT);
    const { deadline, ...grant } = await this.#service.sign(fields, options);
    return { ...grant, headers: pageHeaders(grant) };
  }

  /**
   * Registers the application's service worker that runs presign-worker.js, so that `<img>` and other tags with the
   * address PRESIGN/o/PATH show what the caller may read. Waits until it controls this page.
   *
   * @param {string|URL} script the worker, in the page's origin.
   * @param {object} [options]
   * @param {string|URL} [options.scope] the folder of the pages. Default: that of the script.
   */
  async registerWorker(script, options = {}) {
    checkOptions("registerWorker", options, ["scope"]);
    const { registerWorker } = await import("./worker.js");
    await registerWorker(this.#service, script, options);
  }

  #connections({ concurrency }) {
    return () => concurrency ?? this.#service.connections;
  }

  #transfer(file, options, { slots, urls }) {
    if (!(file instanceof Blob)) throw new TypeError("file: must be a File or a Blob");
    checkPath(options?.path);
    checkOptions("upload", options, UPLOAD_OPTIONS);
    if (!this.#hasCleaned) {
      this.#hasCleaned = true;
      abortStale(this.#service).catch(() => {});
    }
    const upload = new Upload(file, options);
    if (urls) upload.expectURL(urls);
    return new Transfer(upload, { service: this.#service, file, options, slots, urls });
  }
}

function checkPath(path) {
  if (!isText(path) || path === "") throw new TypeError("path: must be a text, not empty");
  return path;
}

/** Returns the path of a file in a folder. The files of a chosen folder have relative paths. */
function pathOf(file, path) {
  if (typeof path === "function") return path(file);
  if (!file.name) throw new TypeError("file: a Blob has no name; use a File, or a function as path");
  return [path, file.webkitRelativePath || file.name].filter(Boolean).join("/");
}
