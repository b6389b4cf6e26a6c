/**
 * A model of the presign service: what it signs, refuses and tells about permissions.
 *
 * @module service
 */

export const ENDPOINT = "https://presign.test/";

/**
 * What a rule allows at every path.
 *
 * @typedef {object} Rule
 * @property {boolean} single whether `PUT` of whole objects is allowed.
 * @property {boolean} multipart
 * @property {boolean} get
 * @property {number} [partSize]
 * @property {number} [maxSize]
 * @property {boolean} checksum whether every object and part needs a SHA-256.
 * @property {boolean} overwrite
 * @property {number} expiresIn seconds.
 */

export class Service {
  /** @type {Rule} */
  rule;
  /** Milliseconds before which the service has no credentials. */
  hasCredentialsAt = 0;
  #world;
  #grants = [];
  #credentials = 1;

  constructor(world, rule) {
    this.#world = world;
    this.rule = rule;
  }

  /** Ends the credentials at once. The service has others after a delay. */
  rotate(delay) {
    this.#credentials += 1;
    this.hasCredentialsAt = this.#world.now + delay;
  }

  /** Returns what was signed. The storage verifies it instead of a signature. */
  grantOf(url) {
    return this.#grants[Number(url.searchParams.get("grant"))];
  }

  isCurrent(grant) { return grant.credentials === this.#credentials; }

  /** @returns {{status: number, headers?: object, json?: object}} */
  handle({ method, url, body }) {
    if (url.pathname === "/permissions") return this.#permissions();
    const fields = JSON.parse(body);
    if (method === "POST" && url.pathname === "/presign") return this.#signed(fields);
    const results = fields.requests.map((item) => {
      const { status, json } = this.#signed(item);
      return status === 200 ? json : { error: { ...json, status } };
    });
    return { status: 200, json: { results } };
  }

  #permissions() {
    const { single, multipart, get, partSize, maxSize, checksum, overwrite } = this.rule;
    const limits = { maxSize, overwrite: overwrite ? undefined : false, checksum: checksum ? "SHA256" : undefined };
    const actions = {
      ...(get ? { get: {} } : {}), ...(single ? { write: limits } : {}),
      ...(multipart ? { multipart: { ...limits, partSize } } : {}),
    };
    return { status: 200, json: { actions, caller: { scheme: "guest" } } };
  }

  #signed(fields) {
    if (this.#world.now < this.hasCredentialsAt) return problem(503, "credentials", "there are no credentials");
    const action = actionOf(fields);
    if (!this.rule[action]) return problem(403, "forbidden", `no rule allows ${action} at ${fields.path}`);
    const errors = this.#errors(fields);
    if (errors.length > 0) return problem(422, "constraint", errors[0].detail, errors);
    const expiresIn = Math.min(fields.expiresIn ?? this.rule.expiresIn, this.rule.expiresIn);
    const headers = this.#headers(fields);
    const grant = {
      fields, headers, method: fields.method, credentials: this.#credentials,
      expiresAt: this.#world.now + 1000 * expiresIn,
    };
    const id = this.#grants.push(grant) - 1;
    const url = `https://storage.test/bucket/${encodeURI(fields.path)}?grant=${id}`;
    return {
      status: 200,
      json: { url, method: fields.method, headers, key: fields.path, bucket: "bucket", region: "test", expiresIn },
    };
  }

  #errors({ method, uploadId, partNumber, contentLength = 0, checksumSHA256 }) {
    const { partSize, maxSize = Infinity, checksum } = this.rule;
    const errors = [];
    const add = (name, detail) => errors.push({ pointer: `#/${name}`, detail });
    const end = partNumber && partSize ? (partNumber - 1) * partSize + contentLength : contentLength;
    if (end > maxSize) add("contentLength", `at most ${maxSize} bytes are allowed`);
    if (partNumber && contentLength > (partSize ?? Infinity)) add("contentLength", `parts have ${partSize} bytes`);
    if (checksum && method === "PUT" && !checksumSHA256) add("checksumSHA256", "is required by this rule");
    return errors;
  }

  #headers({ method, uploadId, contentType, contentLength, checksumSHA256, ifNoneMatch }) {
    const headers = {}, isLast = method === "PUT" ? !uploadId : method === "POST" && uploadId;
    if (contentType && !uploadId) headers["content-type"] = contentType;
    const size = method === "PUT" ? "content-length" : "x-amz-mp-object-size";
    if (contentLength !== undefined) headers[size] = `${contentLength}`;
    if (checksumSHA256) headers["x-amz-checksum-sha256"] = checksumSHA256;
    if (isLast && (ifNoneMatch || !this.rule.overwrite)) headers["if-none-match"] = "*";
    return headers;
  }
}

function actionOf({ method, uploadId }) {
  if (uploadId || method === "POST") return "multipart";
  return method === "PUT" ? "single" : "get";
}

function problem(status, code, detail, errors = []) {
  return { status, json: { code, detail, errors, status } };
}
