/** The fragment of the page's address: `#folder=photos`, and a key in links. */
import { state, update } from "./state.js";

/** Returns the fragment of a folder. */
export const fragment = (folder) => (folder === "" ? "#" : `#${new URLSearchParams({ folder })}`);

/** Whether this computer serves the page: `serve --local` prints a link with its key. */
const isLoopback = /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(location.hostname);

/**
 * Reads key and folder, and removes the key from the address bar and the history. A new key is offered instead of
 * returned, because the sender of the link can read files uploaded with it.
 */
export function readAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const folder = (parameters.get("folder") ?? "").split("/").filter(Boolean).join("/");
  if (!parameters.has("key")) return { folder };
  const key = parameters.get("key").trim();
  const isNew = key !== "" && key !== state.key;
  const isOffered = isNew && (state.key !== "" || !isLoopback);
  const next = isOffered ? state.folder : folder;
  showFolder(next);
  if (isOffered) update({ offer: { key, folder } });
  return isNew && !isOffered ? { key, folder } : { folder: next };
}

/** Replaces the address by that of a folder. */
export function showFolder(folder) {
  const address = location.pathname + location.search;
  history.replaceState(null, "", folder === "" ? address : address + fragment(folder));
}
