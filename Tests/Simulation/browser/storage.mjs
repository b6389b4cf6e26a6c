/**
 * A model of S3: objects, and uploads in parts.
 *
 * @module storage
 */
import { createHash } from "node:crypto";
import { Pieces } from "./files.mjs";

export class Storage {
  /** The objects by path. */
  objects = new Map();
  /** The uploads that are neither completed nor aborted, by id. */
  uploads = new Map();
  /** Every version that an object has had: `{path, pieces, at, page, uploadId}`; the page that has sent it, if any. */
  versions = [];
  #world;
  #service;
  #listed;
  #checksConditionFirst;
  #count = 0;

  /**
   * @param {object} options
   * @param {number} options.listed the number of parts in one response to ListParts.
   * @param {boolean} options.checksConditionFirst whether a completion whose condition does not hold fails because of
   *   that even if the upload does not exist. S3 does not document the order.
   */
  constructor(world, service, { listed, checksConditionFirst }) {
    this.#world = world;
    this.#service = service;
    this.#listed = listed;
    this.#checksConditionFirst = checksConditionFirst;
  }

  /** @returns {{status: number, headers?: object, text?: string, pieces?: Pieces}} */
  handle({ url, headers, body }, page) {
    const grant = this.#service.grantOf(url);
    if (this.#world.now >= grant.expiresAt) return failure(403, "AccessDenied", "Request has expired");
    if (!this.#service.isCurrent(grant)) return failure(403, "InvalidAccessKeyId", "The key does not exist");
    this.#verify(grant, headers, body);
    const { method, path, uploadId, partNumber } = grant.fields;
    const isCondition = this.#checksConditionFirst && method === "POST" && uploadId && headers["if-none-match"];
    if (isCondition && this.objects.has(path)) return exists();
    if (uploadId && !this.uploads.has(uploadId)) return failure(404, "NoSuchUpload", "The upload does not exist");
    const upload = this.uploads.get(uploadId);
    if (partNumber) return this.#putPart(upload, partNumber, headers, body);
    if (method === "POST") return upload ? this.#complete(upload, headers, body, page) : this.#create(path);
    if (method === "DELETE" && upload) return this.#abort(uploadId);
    if (upload) return this.#list(upload);
    return method === "PUT" ? this.#put(path, headers, body, page) : this.#get(path, headers);
  }

  /** Writes an object on behalf of another client. */
  replace(path, pieces) {
    this.#store(path, pieces, pieces.etag);
  }

  /** The signed headers must be sent as they are; browsers add Content-Length. */
  #verify(grant, headers, body) {
    for (const [name, value] of Object.entries(grant.headers)) {
      const sent = name === "content-length" ? `${body?.size ?? 0}` : headers[name];
      this.#world.check(sent === value, () => `the signature does not match: ${name} is ${sent}, signed is ${value}`);
    }
    const sum = headers["x-amz-checksum-sha256"];
    this.#world.check(!sum || sum === createHash("sha256").update(body.pieces.bytes()).digest("base64"),
      "the checksum of a body is wrong");
  }

  #create(path) {
    this.#count += 1;
    const id = `upload-${this.#count}`;
    this.uploads.set(id, { id, path, parts: new Map() });
    return { status: 200, text: `<R><UploadId>${id}</UploadId></R>`, created: id };
  }

  #putPart(upload, number, headers, { pieces }) {
    const part = { pieces, etag: `"${pieces.etag}"`, checksum: headers["x-amz-checksum-sha256"] };
    upload.parts.set(number, part);
    return { status: 200, headers: { etag: part.etag } };
  }

  #list({ parts }) {
    const all = [...parts].sort(([a], [b]) => a - b);
    const items = all.slice(0, this.#listed).map(([number, { pieces, etag, checksum }]) =>
      `<Part><PartNumber>${number}</PartNumber><Size>${pieces.size}</Size>` +
      `<ETag>${etag.replaceAll('"', "&quot;")}</ETag>` +
      `${checksum ? `<ChecksumSHA256>${checksum}</ChecksumSHA256>` : ""}</Part>`);
    return { status: 200, text: `<R>${items.join("")}<IsTruncated>${all.length > this.#listed}</IsTruncated></R>` };
  }

  #complete(upload, headers, text, page) {
    if (headers["if-none-match"] && this.objects.has(upload.path)) return exists();
    const parts = [];
    for (const [, number, etag] of text.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)) {
      const part = upload.parts.get(Number(number));
      if (!part || part.etag !== etag) return failure(400, "InvalidPart", "A part could not be found");
      parts.push(part.pieces);
    }
    const pieces = Pieces.joined(parts), size = headers["x-amz-mp-object-size"];
    if (size && pieces.size !== Number(size)) return failure(400, "InvalidRequest", "The size does not match");
    this.uploads.delete(upload.id);
    const etag = `${pieces.etag}-${parts.length}`;
    this.#store(upload.path, pieces, etag, { page, uploadId: upload.id });
    return { status: 200, text: `<R><ETag>&quot;${etag}&quot;</ETag></R>` };
  }

  #abort(id) {
    this.uploads.delete(id);
    return { status: 204 };
  }

  #put(path, headers, { pieces }, page) {
    if (headers["if-none-match"] && this.objects.has(path)) return exists();
    this.#store(path, pieces, pieces.etag, { page });
    return { status: 200, headers: { etag: `"${pieces.etag}"` } };
  }

  #get(path, { range }) {
    const object = this.objects.get(path);
    if (!object) return failure(404, "NoSuchKey", "The object does not exist");
    const start = range ? Number(/^bytes=(\d+)-$/.exec(range)[1]) : 0;
    if (range && start >= object.pieces.size) return failure(416, "InvalidRange", "The range is not satisfiable");
    const headers = { etag: `"${object.etag}"`, "content-length": `${object.pieces.size - start}` };
    return { status: range ? 206 : 200, headers, bytes: () => object.pieces.bytes(start) };
  }

  #store(path, pieces, etag, sender) {
    this.objects.set(path, { pieces, etag });
    this.versions.push({ path, pieces, at: this.#world.now, ...sender });
  }
}

export function failure(status, code, message) {
  return { status, text: `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>` };
}

const exists = () => failure(412, "PreconditionFailed", "At least one precondition did not hold");
