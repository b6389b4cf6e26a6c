/**
 * The options that connect Uppy's plugin @uppy/aws-s3 to a presign service.
 *
 * @module uppy
 */
import { checkOptions } from "./options.js";
import { MAX_PARTS, PART_SIZE, range } from "./parts.js";

/** The default size of a part. Uppy requests the URL of each part alone. */
const UPPY_PART_SIZE = 16 * 1024 ** 2;

/**
 * Returns options for `uppy.use(AwsS3, {...})`. Adds the type and the size of each file, and the size of each part, to
 * the requests for its URLs. Rules with `types`, `maxSize` or `partSize` need them, and Uppy leaves them out.
 *
 * @param {import("./client.js").Presign} presign
 * @param {object} [options]
 * @param {(file: {name: string, type: string, size: number}) => string} [options.path] returns the path of a file.
 *   Default: a random id and the name.
 * @param {number} [options.partSize] the bytes of each part but the last, at most the rule's `partSize`. Default:
 *   16 MiB.
 * @param {boolean} [options.form] uploads whole files with HTML forms, whose size the rule bounds. Needs @uppy/aws-s3
 *   6.3. Default: false.
 * @returns {{generateObjectKey: Function, getChunkSize: Function, signRequest: Function}}
 */
export function uppyOptions(presign, options = {}) {
  checkOptions("uppyOptions", options, ["path", "partSize", "form"]);
  const {
    path = ({ name }) => `${crypto.randomUUID()}-${name}`, partSize = UPPY_PART_SIZE, form = false,
  } = options;
  /** The type and the size of each file, by key. */
  const files = new Map();
  // Uppy raises other sizes to these limits of S3, and the signed sizes would be wrong.
  const getChunkSize = ({ size }) => Math.max(partSize, PART_SIZE, Math.ceil(size / MAX_PARTS));
  return {
    getChunkSize,
    generateObjectKey(file) {
      // After a reload, Golden Retriever continues the upload to the key that it was created with.
      const key = file.s3Multipart?.key ?? path(file);
      files.set(key, { type: file.type, size: file.data?.size ?? file.size });
      return key;
    },
    async signRequest(request) {
      const { type, size } = files.get(request.key) ?? {};
      return presign.sign({ ...request, ...constraints(request, type, size, getChunkSize, form) });
    },
  };
}

/** Returns the fields that the kind of request takes: the type when something is created, the size of what is sent. */
function constraints({ method, uploadId, partNumber }, type, size, getChunkSize, form) {
  const contentType = type || "application/octet-stream";
  if (method === "POST" && !uploadId) return { contentType };
  if (method !== "PUT") return {};
  if (!uploadId && form) return { method: "POST", form, contentType };
  if (!uploadId) return { contentType, contentLength: size ?? undefined };
  if (!Number.isFinite(size)) return {};
  const [start, end] = range(partNumber, getChunkSize({ size }), size);
  return { contentLength: end - start };
}
