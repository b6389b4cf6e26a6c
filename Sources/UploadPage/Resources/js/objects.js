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
  let pieces = [], loaded = 0, total, etag, type = "";
  const sign = () => service.sign({ path, method: "GET" }, wait);
  let retry = new Retry(wait);
  for (;;) {
    await untilOnline(wait.signal, wait.onWait);
    const grant = await sign();
    try {
      const headers = { ...pageHeaders(grant), ...(loaded > 0 ? { range: `bytes=${loaded}-` } : {}) };
      const response = await request(grant, headers, wait.signal);
      const isRest = response.status === 206 && etag && response.headers.get("etag") === etag;
      // Without an ETag that the page can read, or with another one, the download starts anew.
      if (loaded > 0 && !isRest) {
        pieces = [];
        loaded = 0;
        if (response.status === 206) {
          await response.body.cancel();
          continue;
        }
      }
      if (loaded === 0) {
        etag = response.headers.get("etag");
        type = response.headers.get("content-type") ?? "";
        total = Number(response.headers.get("content-length") ?? NaN);
      }
      for await (const piece of stream(response, grant, wait)) {
        // Every progress grants new attempts.
        retry = new Retry({ ...wait, isReached: () => true });
        pieces.push(piece);
        loaded += piece.length;
        onProgress?.({ loaded, total: Number.isNaN(total) ? null : total });
      }
      return new Blob(pieces, { type });
    } catch (error) {
      wait.signal?.throwIfAborted();
      if (!(error instanceof PresignError)) throw error;
      await retry.after(error);
    }
  }
}

async function request(grant, headers, signal) {
  const response = await fetch(grant.url, { headers, signal }).catch((cause) => {
    signal?.throwIfAborted();
    throw networkError("storage", grant.url, cause);
  });
  if (response.ok) return response;
  const text = await response.text().catch(() => "");
  throw storageError({ status: response.status, text, header: (name) => response.headers.get(name) });
}

async function* stream(response, grant, { signal, timeout = TIMEOUT }) {
  const reader = response.body.getReader();
  for (;;) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(timeoutError("storage", grant.url, timeout)), timeout * 1000);
    });
    try {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return;
      yield value;
    } catch (cause) {
      reader.cancel().catch(() => {});
      signal?.throwIfAborted();
      throw cause instanceof PresignError ? cause : networkError("storage", grant.url, cause);
    } finally {
      clearTimeout(timer);
    }
  }
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
  const decode = (value = "") => decodeURIComponent(value.replaceAll("+", " "));
  // A store can have a prefix of its own, which is not a part of the paths at the service.
  const head = text.replace(/<(Contents|CommonPrefixes)[\s>].*/s, "");
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
