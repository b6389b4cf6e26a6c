/**
 * Operations on stored objects: download, list, head, remove.
 *
 * @module objects
 */
import { PresignError, element, elements, networkError, storageError, timeoutError } from "./errors.js";
import { pageHeaders } from "./http.js";
import { Retry, untilOnline } from "./retry.js";
import { TIMEOUT } from "./service.js";
import { perform } from "./storage.js";

/**
 * Downloads an object. An interrupted download continues where it stopped, unless the object has changed.
 *
 * @returns {Promise<Blob>}
 */
export async function download(service, path, { onProgress, ...wait }) {
  let content = [], loaded = 0, most = 0, total, etag, type = "";
  const sign = () => service.sign({ path, method: "GET" }, wait);
  let retry = new Retry(wait);
  for (;;) {
    await untilOnline(wait.signal, wait.onWait);
    const grant = await sign();
    try {
      const range = loaded > 0 && etag ? { range: `bytes=${loaded}-` } : {};
      const response = await get(grant, { ...pageHeaders(grant), ...range }, wait);
      const isRest = response.status === 206 && etag && response.headers.get("etag") === etag;
      // Without an ETag that the page can read, or with another one, the download starts anew.
      if (loaded > 0 && !isRest) {
        content = [];
        loaded = 0;
        if (response.status === 206) {
          await response.body.cancel();
          continue;
        }
      }
      if (loaded === 0) {
        // The browser decodes encoded content, so its bytes are not those that the storage counts.
        const isEncoded = response.headers.has("content-encoding");
        etag = isEncoded ? null : response.headers.get("etag");
        type = response.headers.get("content-type") ?? "";
        total = isEncoded ? NaN : Number(response.headers.get("content-length") ?? NaN);
      }
      for await (const piece of pieces(response, grant, wait)) {
        content.push(piece);
        loaded += piece.length;
        // New bytes grant new attempts. Those of a download that starts anew do not, or it might never end.
        if (loaded > most) {
          most = loaded;
          retry = new Retry({ ...wait, isReached: () => true });
        }
        onProgress?.({ loaded, total: Number.isNaN(total) ? null : total });
      }
      return new Blob(content, { type });
    } catch (error) {
      wait.signal?.throwIfAborted();
      if (!(error instanceof PresignError)) throw error;
      // Nothing follows the bytes that are here: the object is shorter now, or only its end was lost.
      if (error.status === 416 && loaded > 0) {
        content = [];
        loaded = 0;
        continue;
      }
      await retry.after(error);
    }
  }
}

/**
 * Requests an object with fetch, whose response can be read while it arrives.
 *
 * @param {object} grant
 * @param {object} headers
 * @param {import("./service.js").Wait} wait
 * @returns {Promise<Response>} for any 2xx status.
 */
export async function get(grant, headers, { signal, timeout = TIMEOUT }) {
  const started = fetch(grant.url, { headers, signal });
  const response = await inTime(started, grant, timeout).catch((cause) => {
    // A response that arrives too late must not keep its connection.
    started.then(({ body }) => body?.cancel()).catch(() => {});
    throw failure(cause, grant, signal);
  });
  if (response.ok) return response;
  const text = await inTime(response.text(), grant, timeout).catch(() => "");
  throw storageError({ status: response.status, text, header: (name) => response.headers.get(name) });
}

/** Reads the content of a response piece by piece. */
export async function* pieces(response, grant, { signal, timeout = TIMEOUT }) {
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), grant, timeout);
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw failure(cause, grant, signal);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Settles like the promise, but fails after a number of seconds. */
async function inTime(promise, grant, timeout) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(timeoutError("storage", grant.url, timeout)), timeout * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function failure(cause, grant, signal) {
  signal?.throwIfAborted();
  return cause instanceof PresignError ? cause : networkError("storage", grant.url, cause);
}

/**
 * Lists one page of objects.
 *
 * @returns {Promise<{objects: object[], folders: string[], continuationToken?: string}>}
 */
export async function list(service, prefix, { delimiter, maxKeys, startAfter, continuationToken, ...wait }) {
  const fields = { method: "GET", prefix, delimiter, maxKeys, startAfter, continuationToken };
  const { response } = await perform(service, { sign: () => service.sign(fields, wait) }, wait);
  const { text } = response;
  const head = text.replace(/<(Contents|CommonPrefixes)[\s>].*/s, "");
  // Some storages ignore the request to encode the keys.
  const isEncoded = element(text, "EncodingType") === "url";
  const decode = (value = "") => (isEncoded ? decodeURIComponent(value.replaceAll("+", " ")) : value);
  // A store can have a prefix of its own, which is not a part of the paths at the service.
  const own = decode(element(head, "Prefix")).length - prefix.length;
  const objects = elements(text, "Contents").map((item) => {
    const key = decode(element(item, "Key"));
    return {
      path: key.slice(Math.max(0, own)), key, size: Number(element(item, "Size")), etag: element(item, "ETag") ?? null,
      lastModified: new Date(element(item, "LastModified") ?? NaN),
    };
  });
  const folders = elements(text, "CommonPrefixes").map((item) => decode(element(item, "Prefix")).slice(Math.max(0, own)));
  return { objects, folders, continuationToken: element(text, "NextContinuationToken") };
}

/** Returns the size, type, ETag and date of an object, or null if it does not exist. */
export async function head(service, path, { versionId, ...wait }) {
  const sign = () => service.sign({ path, method: "HEAD", versionId }, wait);
  try {
    const { response } = await perform(service, { sign }, wait);
    const value = (name) => response.header(name);
    const size = value("content-length");
    return {
      path, size: size === null ? null : Number(size), contentType: value("content-type"), etag: value("etag"),
      lastModified: value("last-modified") === null ? null : new Date(value("last-modified")),
    };
  } catch (error) {
    if (error.source === "storage" && error.status === 404) return null;
    throw error;
  }
}

/** Deletes an object. S3 responds with success even if it does not exist. */
export async function remove(service, path, wait) {
  await perform(service, { sign: () => service.sign({ path, method: "DELETE" }, wait) }, wait);
}

/** Returns `Content-Disposition` for a download (RFC 6266), with an ASCII name for old clients and one in UTF-8. */
export function attachment(name) {
  const ascii = name.replace(/[^ -~]|["\\%]/g, "_");
  const octets = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${octets}`;
}
