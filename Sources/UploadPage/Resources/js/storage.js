/**
 * Requests to the storage with signed URLs, repeated where that is safe.
 *
 * @module storage
 */
import { PresignError } from "./errors.js";
import { send } from "./http.js";
import { Retry, untilOnline } from "./retry.js";
import { TIMEOUT, isPastExpiry } from "./service.js";

/** The maximum number of new URLs for a request whose URL has expired. */
const MAX_RENEWALS = 3;
/** S3 error codes which mean that the credentials of a URL have ended. The service may have others by now. */
const CREDENTIALS_ENDED = new Set(["ExpiredToken", "InvalidAccessKeyId", "InvalidToken", "TokenRefreshRequired"]);

/**
 * Sends a request to the storage. Gets a new URL when the URL has expired, and repeats the request after failures.
 *
 * @param {import("./service.js").Service} service
 * @param {object} request
 * @param {() => Promise<object>} request.sign returns a grant; called again when its URL has expired.
 * @param {Blob|string} [request.body]
 * @param {(loaded: number) => void} [request.onProgress] receives the bytes sent in the current attempt.
 * @param {(stage: string) => void} [request.onStage] receives "signing", "uploading" or why the request waits.
 * @param {(response: object) => object} [request.check] returns the response or throws the error that is in it.
 * @param {(error: Error, grant: object) => Promise<object|undefined>} [request.settle] returns the result if a failed
 *   request turns out to have succeeded, returns undefined if it may be repeated, or throws.
 * @param {import("./service.js").Wait} [wait]
 * @returns {Promise<{grant: object, response: object}>}
 */
export async function perform(service, request, wait = {}) {
  const { sign, body, onProgress, onStage, check = (response) => response, settle } = request;
  const { signal, timeout = TIMEOUT } = wait;
  let grant, origin, renewals = 0;
  const retry = new Retry({ ...wait, isReached: () => service.reachedStorages.has(origin) });
  for (;;) {
    await untilOnline(signal, wait.onWait);
    if (!grant || isPastExpiry(grant)) {
      onStage?.("signing");
      grant = await sign();
      origin = new URL(grant.url).origin;
    }
    onStage?.("uploading");
    try {
      const response = check(await send({ grant, body, timeout, onProgress, signal }));
      service.reachedStorages.add(origin);
      return { grant, response };
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof PresignError)) throw error;
      onProgress?.(0);
      if (renewals < MAX_RENEWALS && hasExpired(error, grant)) {
        renewals += 1;
        grant = undefined;
        continue;
      }
      const settled = await settle?.(error, grant);
      if (settled !== undefined) return settled;
      await retry.after(error);
    }
  }
}

/** Returns whether a new URL may help: the URL or its credentials have ended. */
function hasExpired(error, grant) {
  if (error.source !== "storage") return false;
  if (CREDENTIALS_ENDED.has(error.code) || (error.status === 403 && /\bexpired\b/i.test(error.detail))) return true;
  return error.status === 403 && isPastExpiry(grant);
}
