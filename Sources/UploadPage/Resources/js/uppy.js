/**
 * The options that connect Uppy's plugin @uppy/aws-s3 to a presign service.
 *
 * @module uppy
 */

/**
 * Returns options for `uppy.use(AwsS3, {...})`. Adds the type and the size of each file to the requests for its URLs,
 * which rules with `types` or `maxSize` need and Uppy leaves out.
 *
 * @param {import("./client.js").Presign} presign
 * @param {object} [options]
 * @param {(file: {name: string, type: string, size: number}) => string} [options.path] returns the path of a file.
 *   Default: a random id and the name.
 * @returns {{generateObjectKey: Function, signRequest: Function}}
 */
export function uppyOptions(presign, { path = ({ name }) => `${crypto.randomUUID()}-${name}` } = {}) {
  /** The type and the size of each file, by key. */
  const files = new Map();
  return {
    generateObjectKey(file) {
      const key = path(file);
      files.set(key, { type: file.type, size: file.size });
      return key;
    },
    async signRequest(request) {
      const { type, size } = files.get(request.key) ?? {};
      const fields = { ...request };
      const isWhole = !request.uploadId && request.method === "PUT";
      const isCreation = !request.uploadId && request.method === "POST";
      // The type is signed when an object or a multipart upload is created, the size only for a whole object.
      if (isWhole || isCreation) fields.contentType = type || "application/octet-stream";
      if (isWhole) fields.contentLength = size ?? undefined;
      return presign.sign(fields);
    },
  };
}
