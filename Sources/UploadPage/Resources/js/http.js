/**
 * One HTTP request to the storage, with upload progress and a timeout for requests that make no progress.
 *
 * @module http
 */
import { PresignError, fileError, networkError, storageError, timeoutError } from "./errors.js";

/** Headers that browsers set themselves and do not let pages set. */
const SET_BY_BROWSERS = ["host", "content-length"];

/**
 * Returns the headers of a grant that the page must set.
 *
 * @param {{headers: object, automaticHeaders?: string[]}} grant a response of the service.
 */
export function pageHeaders({ headers, automaticHeaders = [] }) {
  const automatic = new Set([...SET_BY_BROWSERS, ...automaticHeaders]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !automatic.has(name.toLowerCase())));
}

/**
 * Sends a request with XMLHttpRequest, because fetch does not report upload progress.
 *
 * @param {object} request
 * @param {object} request.grant the URL, method and headers.
 * @param {Blob|string} [request.body]
 * @param {number} request.timeout seconds without progress after which the request fails.
 * @param {(loaded: number) => void} [request.onProgress] receives the bytes sent.
 * @param {() => void} [request.onSent] called when all bytes are sent, before the response.
 * @param {AbortSignal} [request.signal]
 * @returns {Promise<{status: number, text: string, header: (name: string) => string|null}>} for any 2xx status.
 * @throws {PresignError|DOMException}
 */
export async function send({ grant, body, timeout, onProgress, onSent, signal }) {
  const request = new XMLHttpRequest();
  request.open(grant.method, grant.url);
  for (const [name, value] of Object.entries(pageHeaders(grant))) request.setRequestHeader(name, value);
  let timer, isLate = false;
  const abort = () => request.abort();
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => { isLate = true; abort(); }, timeout * 1000);
  };
  try {
    await new Promise((resolve, reject) => {
      request.upload.onprogress = ({ loaded }) => {
        restart();
        onProgress?.(loaded);
      };
      request.upload.onload = () => {
        restart();
        onSent?.();
      };
      request.onprogress = restart;
      request.onload = resolve;
      request.onerror = () => reject(networkError("storage", grant.url));
      request.onabort = () => reject(isLate ? timeoutError("storage", grant.url, timeout)
        : signal?.reason ?? new DOMException("the request was aborted", "AbortError"));
      signal?.addEventListener("abort", abort);
      // Aborting a request before send() fires no event.
      signal?.throwIfAborted();
      restart();
      request.send(body);
    });
  } catch (error) {
    signal?.throwIfAborted();
    // If the file was changed or removed after the user chose it, the request fails like a network error.
    if (error instanceof PresignError && body instanceof Blob) await checkReadable(body);
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
  const response = { status: request.status, text: request.responseText, header: (name) => header(request, name) };
  if (request.status < 200 || request.status > 299) throw storageError(response);
  return response;
}

/** Reads one byte of a file. */
async function checkReadable(file) {
  await file.slice(0, 1).arrayBuffer().catch((cause) => { throw fileError(cause); });
}

/** Returns a response header or null. getResponseHeader would log an error for headers that CORS does not expose. */
function header(request, name) {
  const lines = request.getAllResponseHeaders().split("\r\n");
  const line = lines.find((line) => line.toLowerCase().startsWith(`${name}:`));
  return line === undefined ? null : line.slice(name.length + 1).trim();
}
