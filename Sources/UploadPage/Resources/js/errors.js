/**
 * The errors of presign.js, created from the responses of the service and the storage.
 *
 * @module errors
 */

/**
 * S3 error codes which mean that the request was not performed, so it can be repeated safely. With a wrong digest,
 * bytes have changed on the way.
 */
const NOT_PERFORMED = new Set([
  "SlowDown", "ServiceUnavailable", "RequestTimeout", "OperationAborted", "ConditionalRequestConflict", "BadDigest",
  "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch",
]);

/**
 * The error of a failed transfer or request.
 *
 * @property {"service"|"storage"|"network"|"file"|"provider"} source what failed: the service, the storage, the
 *   connection to one of them, reading the file, or signing in with the identity provider.
 * @property {string} code a stable code: from the service (such as "forbidden"), from the storage (such as
 *   "EntityTooLarge"), or one of "PreconditionFailed", "NetworkError", "Timeout", "OutcomeUnknown", "TransferActive",
 *   "FileUnreadable", "FileChanged", "ChecksumUnavailable", "DuplicatePath", "ObjectChanged", "UnexpectedResponse",
 *   "SignInExpired"; or, of a sign-in, one of the provider (such as "access_denied") or "SignInUnknown",
 *   "SignInInvalid", "SignInInsecure", "SignInBlocked", "ClockSkew".
 * @property {number} status the HTTP status, or 0 if there was no response.
 * @property {string} detail a description of the error, the same as `message`.
 * @property {string} [recoverySuggestion] the suggested fix, if there is one.
 * @property {{name: string, detail: string}[]} fields the invalid fields of the request.
 * @property {string} [requestId] the id of the request in the logs of the service or the storage.
 * @property {boolean} retryable true if the same call may succeed later and is safe to repeat.
 * @property {boolean} ambiguous true if the storage may have performed the request.
 * @property {number} [retryAfter] seconds to wait before retrying, if the response has a Retry-After header.
 */
export class PresignError extends Error {
  /** @param {string} detail
   *  @param {object} members the properties above, and `cause` */
  constructor(detail, { cause, ...members }) {
    super(detail, { cause });
    this.name = "PresignError";
    Object.assign(this, { code: "", status: 0, fields: [], retryable: false, ambiguous: false, detail }, members);
  }
}

export const isText = (value) => typeof value === "string";

/** Converts the service's problem details (RFC 9457) to an error. */
export function serviceError(status, retryAfter, problem) {
  const text = (name) => (isText(problem?.[name]) ? problem[name] : undefined);
  const errors = Array.isArray(problem?.errors) ? problem.errors : [];
  return new PresignError(text("detail") ?? `the presign service responded with status ${status}`, {
    source: "service", code: text("code") ?? "UnexpectedResponse", status,
    recoverySuggestion: text("recoverySuggestion"), requestId: text("requestId"),
    fields: errors.filter((error) => isText(error?.pointer) && isText(error.detail))
      .map(({ pointer, detail }) => ({ name: fieldName(pointer), detail })),
    retryable: [429, 502, 503, 504].includes(status), retryAfter: seconds(retryAfter),
  });
}

/** Returns the name of the field that a JSON pointer (RFC 6901) points to. */
const fieldName = (pointer) => pointer.replace(/^#\/?/, "").replaceAll("~1", "/").replaceAll("~0", "~");

/** Converts S3's XML error to an error. S3 can also send one with status 200 when it completes a multipart upload. */
export function storageError({ status, text, header }) {
  const code = isErrorDocument(text) ? element(text, "Code") ?? `HTTP${status}` : `HTTP${status}`;
  // After a proxy's error, the storage may or may not have performed the request. S3's error code is definite.
  const ambiguous = !NOT_PERFORMED.has(code) &&
    ([429, 500, 502, 503, 504].includes(status) || code === "InternalError");
  const members = {
    source: "storage", code, status, ambiguous, retryable: ambiguous || NOT_PERFORMED.has(code),
    requestId: (isErrorDocument(text) && element(text, "RequestId")) || (header("x-amz-request-id") ?? undefined),
    retryAfter: seconds(header("retry-after")),
  };
  if (status === 412) return existsError(members);
  const message = isErrorDocument(text) ? element(text, "Message") : undefined;
  return new PresignError(message || `the storage responded with status ${status}`, members);
}

/** Creates the error for an object that must not be replaced. */
export function existsError(members = {}) {
  return new PresignError("an object already exists at this path", {
    source: "storage", status: 412, ...members, code: "PreconditionFailed",
  });
}

/** Creates the error for a request without response. Browsers hide the reason from pages for security. */
export function networkError(server, url, cause) {
  const { origin } = new URL(url);
  return new PresignError(`no response from the ${server} at ${origin}`, {
    source: "network", code: "NetworkError", retryable: true, ambiguous: true, cause,
    recoverySuggestion: `Check the connection, that ${origin} is running, and that its CORS rules allow pages of ` +
      `${globalThis.location?.origin}.`,
  });
}

/** Creates the error for a request that made no progress for a number of seconds. */
export function timeoutError(server, url, timeout) {
  return new PresignError(`no progress for ${timeout} s with the ${server} at ${new URL(url).origin}`, {
    source: "network", code: "Timeout", retryable: true, ambiguous: true, recoverySuggestion: "Check the connection.",
  });
}

/** Whether the service refuses a request, or the client does because the service would. */
export const isRefusal = ({ source, status }) => source === "service" && (status === 403 || status === 422);

/** Whether work may continue after an error: the connection, the service or the storage may recover. */
export function mayPass({ source, status, code, retryable }) {
  if (code === "OutcomeUnknown" || code === "TransferActive") return code === "TransferActive";
  const isFull = status === 507;
  const isSignedOut = status === 401 && source !== "storage";
  return source === "network" || retryable || isSignedOut || (status >= 500 && !isFull);
}

export function fileError(cause) {
  return new PresignError("the file cannot be read", {
    source: "file", code: "FileUnreadable", cause,
    recoverySuggestion: "It was changed, moved or removed after you chose it, or is too large. Choose it again.",
  });
}

/** Creates the error for an upload that may have succeeded, when the client cannot find out. */
export function outcomeError(cause) {
  return new PresignError("the upload may have succeeded, but the storage's response was lost", {
    source: cause.source, code: "OutcomeUnknown", status: cause.status, requestId: cause.requestId, ambiguous: true,
    cause, recoverySuggestion: "Check whether the object exists before you upload the file again.",
  });
}

/** Returns whether a text is an S3 error in XML. */
export const isErrorDocument = (text) => /^\s*(<\?xml[^>]*\?>\s*)?<Error[\s>]/.test(text);

/**
 * Returns the text of the first element with this name, or undefined. Uses no XML parser, because Trusted Types forbid
 * the browser's.
 */
export function element(xml, name) {
  return plain(new RegExp(`<${name}(?:\\s[^>]*)?>([^<]{0,8192})</${name}>`).exec(xml)?.[1]);
}

/** Returns the content of every element with this name. Elements must not be nested in one of the same name. */
export function elements(xml, name) {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, "gs"))].map((match) => match[1]);
}

/** Replaces the predefined XML entities and numeric character references. */
function plain(text) {
  const entities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return text?.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g, (whole, name, decimal, hex) => {
    if (name) return entities[name];
    const code = decimal ? Number(decimal) : parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Returns `Retry-After` in seconds. Its value is a number or a date (RFC 9110 section 10.2.3). */
function seconds(value) {
  if (!value && value !== 0) return undefined;
  const delay = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}
