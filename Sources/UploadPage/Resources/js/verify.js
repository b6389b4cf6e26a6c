/**
 * Comparison of a stored object with a file, after a response was lost or before a file is sent.
 *
 * @module verify
 */
import { get, pieces } from "./download.js";
import { PresignError } from "./errors.js";
import { pageHeaders } from "./http.js";
import { perform } from "./storage.js";

/**
 * Returns the headers of an object.
 *
 * @returns {Promise<{size?: number, etag: string|null, grant: object}|"absent"|"unknown">} "unknown" if the caller may
 *   not read it.
 */
export async function stat(service, path, wait) {
  try {
    const sign = () => service.sign({ path, method: "HEAD" }, wait);
    const { grant, response } = await perform(service, { sign }, wait);
    const size = response.header("content-length");
    return { size: size === null ? undefined : Number(size), etag: response.header("etag"), grant };
  } catch (error) {
    if (!(error instanceof PresignError) || error.source === "network") throw error;
    if (error.source === "storage" && error.status === 404) return "absent";
    return "unknown";
  }
}

/**
 * Returns whether the object at a path has a file's content. Reads the object, because not every storage keeps a
 * checksum that a browser can compute.
 *
 * @returns {Promise<{outcome: "same", etag: string|null, grant: object}|{outcome: "different"|"absent"|"unknown"}>}
 */
export async function compare(service, path, file, wait) {
  const object = await stat(service, path, wait);
  if (isWord(object)) return { outcome: object };
  if (object.size !== undefined && object.size !== file.size) return { outcome: "different" };
  try {
    const grant = await service.sign({ path, method: "GET" }, wait);
    const response = await get(grant, pageHeaders(grant), wait);
    if (!await hasContent(pieces(response, grant, wait), file)) return { outcome: "different" };
    return { outcome: "same", etag: object.etag ?? response.headers.get("etag"), grant: object.grant };
  } catch {
    wait.signal?.throwIfAborted();
    return { outcome: "unknown" };
  }
}

const isWord = (value) => typeof value === "string";

/** Compares content with a file piece by piece, without holding either in memory. */
async function hasContent(content, file) {
  let offset = 0;
  for await (const piece of content) {
    const expected = new Uint8Array(await file.slice(offset, offset + piece.length).arrayBuffer());
    if (expected.length !== piece.length || !expected.every((byte, index) => byte === piece[index])) return false;
    offset += piece.length;
  }
  return offset === file.size;
}
