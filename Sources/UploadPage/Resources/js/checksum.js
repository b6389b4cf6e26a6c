/**
 * Checksums of files.
 *
 * @module checksum
 */
import { PresignError, fileError } from "./errors.js";
import { unlessAborted } from "./retry.js";

/** Returns the SHA-256 of a file or a part of it in base64. Reads all of it into memory. */
export async function sha256(blob, signal) {
  if (!globalThis.crypto?.subtle) {
    throw new PresignError("this page cannot compute the required checksum", {
      source: "file", code: "ChecksumUnavailable", recoverySuggestion: "Open the page over https or on localhost.",
    });
  }
  return unlessAborted(digest(blob), signal);
}

async function digest(blob) {
  const content = await blob.arrayBuffer().catch((cause) => { throw fileError(cause); });
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", content))));
}
