/**
 * Comparison of a stored object with a file, after a response was lost or before a file is sent.
 *
 * @module verify
 */
import { PresignError } from "./errors.js";
import { pageHeaders } from "./http.js";
import { perform } from "./storage.js";

/**
 * Returns the headers of an object.
 *
 * @returns {Promise<{size?: number, etag: string|null, grant: object}|"absent"|"unknown">} "unknown" if the caller may not read it.
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
    const response = await fetch(grant.url, { headers: pageHeaders(grant), signal: wait.signal });
    if (!response.ok) return { outcome: "unknown" };
    const isSame = await hasContent(response, file);
    if (!isSame) return { outcome: "different" };
    return { outcome: "same", etag: object.etag ?? response.headers.get("etag"), grant: object.grant };
  } catch (error) {
    wait.signal?.throwIfAborted();
    return { outcome: "unknown", error };
  }
}

const isWord = (value) => typeof value === "string";

/** Compares a response with a file piece by piece, without holding either in memory. */
async function hasContent(response, file) {
  let offset = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return offset === file.size;
    const expected = new Uint8Array(await file.slice(offset, offset + value.length).arrayBuffer());
    if (expected.length !== value.length || !expected.every((byte, index) => byte === value[index])) {
      await reader.cancel();
      return false;
    }
    offset += value.length;
  }
}
