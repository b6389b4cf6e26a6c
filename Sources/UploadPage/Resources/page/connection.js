/**
 * The requests that show a folder, with the current API key or token. They use the few modules of presign.js that they
 * need, so that the folder is there before the modules for transfers are.
 */
import { PresignError } from "../js/errors.js";
import { list } from "../js/objects.js";
import { Service } from "../js/service.js";
import { provider } from "./provider.js";
import { state, update } from "./state.js";

const REFUSED = { source: "service", code: "credentials-invalid", status: 401 };

async function headers() {
  // Uploads that wait must not go on as a guest's.
  if (state.access === "rejected") throw new PresignError("the API key or token was refused", REFUSED);
  if (state.key) return { authorization: `Bearer ${state.key}` };
  return await provider?.headers() ?? {};
}

/** The service that serves this page. */
export const service = new Service({ endpoint: new URL(".", document.baseURI), headers });

/** Shows that a request waits for the network or the server. */
const wait = { onWait: (reason) => update({ isWaiting: reason !== "online" }) };

/** Returns who the service takes the user for. */
export const caller = () => service.caller(wait);

/** Returns what the user may do at a path. */
export const permissions = (path) => service.permissions(path, wait);

/** Returns one page of a folder. */
export const listPage = (prefix, settings) => list(service, prefix, { ...settings, ...wait, delimiter: "/" });

/** Returns whether the caller was refused: an invalid key, a key beside a certificate, or an expired sign-in. */
export const isUnauthorized = ({ source, status, code }) =>
  (source === "service" && (status === 401 || code === "credentials-ambiguous")) || code === "SignInExpired";

/**
 * Returns whether the storage responds, but its CORS rules do not name this page. Browsers hide the reason of a failed
 * request, so a request whose response the page may not read tells them apart.
 */
export async function isBlocked({ source }, prefix) {
  if (source !== "network" || !navigator.onLine) return false;
  try {
    const { url } = await service.sign({ method: "GET", prefix, maxKeys: 1 }, { retries: 0 });
    await fetch(url, { mode: "no-cors" });
    return true;
  } catch {
    return false;
  }
}

/** No folders. */
export const NO_ROOTS = { folders: [], areTruncated: false };

/** Returns the folders at which the user can start, or none after a failure: other requests of a folder report it. */
export const roots = () => service.roots(wait).catch(() => NO_ROOTS);
