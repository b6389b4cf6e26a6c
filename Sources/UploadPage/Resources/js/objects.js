/**
 * Operations on stored objects: list, head, remove.
 *
 * @module objects
 */
import { element, elements } from "./errors.js";
import { perform } from "./storage.js";

/** What encodeURIComponent refuses. `String.prototype.toWellFormed` is missing in browsers of 2022. */
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

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
  const folders = elements(text, "CommonPrefixes")
    .map((item) => decode(element(item, "Prefix")).slice(Math.max(0, own)));
  const page = { objects, folders, continuationToken: element(text, "NextContinuationToken") };
  service.listing.add(prefix, { delimiter, startAfter, continuationToken }, page);
  return page;
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
  const octets = encodeURIComponent(name.replace(LONE_SURROGATE, "\ufffd"))
    .replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${octets}`;
}
