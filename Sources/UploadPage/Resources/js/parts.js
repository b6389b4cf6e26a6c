/**
 * The parts of a multipart upload: their sizes, and the documents in which S3 lists them.
 *
 * @module parts
 */
import { PresignError, element, elements } from "./errors.js";

const MIB = 1024 ** 2;
/** The largest file that is sent in one PUT although its rule allows parts. */
export const MAX_SINGLE_SIZE = 16 * MIB;
// S3's limits: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
/** The smallest part that S3 accepts, except for the last one. A pause or a reload loses only parts in flight. */
export const PART_SIZE = 5 * MIB;
/** The largest file that S3 accepts in one PUT, and the largest part. */
export const MAX_PUT_SIZE = 5 * 1024 ** 3;
export const MAX_PARTS = 10_000;
/** The largest part whose checksum is computed, because that reads the part into memory. */
const MAX_CHECKED_PART_SIZE = 64 * MIB;
/** The number of parts that the storage lists in one response. */
const MAX_LISTED_PARTS = 1000;

/**
 * Returns the size of all parts but the last: the rule's, or the smallest one with which the file has at most 10,000.
 *
 * @param {number} size the size of the file.
 * @param {{partSize?: number, maxSize?: number}} limits what the rule allows; parts must have exactly its size.
 * @param {boolean} hasChecksum whether every part has a checksum.
 * @throws {PresignError} if the file is too large.
 */
export function partSize(size, { partSize, maxSize = Infinity }, hasChecksum) {
  const largest = partSize ?? (hasChecksum ? MAX_CHECKED_PART_SIZE : MAX_PUT_SIZE);
  const limit = Math.min(maxSize, largest * MAX_PARTS);
  if (size > limit) throw tooLarge(size, limit);
  return partSize ?? Math.max(PART_SIZE, Math.ceil(size / MAX_PARTS));
}

/** Creates the error that the service would respond with. */
export function tooLarge(size, limit, condition) {
  const detail = `is ${size} bytes; at most ${limit} are allowed${condition ? ` ${condition}` : ""}`;
  return new PresignError(`contentLength: ${detail}`, {
    source: "service", code: "constraint", status: 422, fields: [{ name: "contentLength", detail }],
  });
}

/** Returns the first byte of part `number` and the byte after its last one. */
export function range(number, partSize, size) {
  return [(number - 1) * partSize, Math.min(number * partSize, size)];
}

/** Returns the number of parts. An empty file has one empty part. */
export const partCount = (size, partSize) => Math.max(1, Math.ceil(size / partSize));

/** Throws if the page cannot read the ETag of a part and cannot find it in the list of the parts either. */
export function checkETag(etag, count) {
  if (etag || count <= MAX_LISTED_PARTS) return;
  throw new PresignError("the page cannot read the ETag in the storage's responses", {
    source: "storage", code: "UnexpectedResponse",
    recoverySuggestion: "Add ETag to ExposeHeaders in the storage's CORS rules, or send at most " +
      `${MAX_LISTED_PARTS} parts.`,
  });
}

/**
 * Reads the response to ListParts.
 *
 * @returns {{parts: {number: number, size: number, etag: string, checksum?: string}[], isTruncated: boolean}}
 */
export function readParts(xml) {
  const parts = elements(xml, "Part").map((part) => ({
    number: Number(element(part, "PartNumber")), size: Number(element(part, "Size")), etag: element(part, "ETag") ?? "",
    checksum: element(part, "ChecksumSHA256"),
  }));
  return { parts, isTruncated: element(xml, "IsTruncated") === "true" };
}

/** Writes the document that completes an upload. */
export function writeParts(parts) {
  const items = [...parts].sort(([a], [b]) => a - b).map(([number, { etag, checksum }]) =>
    `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag)}</ETag>` +
    `${checksum ? `<ChecksumSHA256>${escaped(checksum)}</ChecksumSHA256>` : ""}</Part>`);
  return '<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
    `${items.join("")}</CompleteMultipartUpload>`;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
