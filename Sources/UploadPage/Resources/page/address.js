/** The fragment of the page's address: `#folder=photos`, and a key in links that others share. */
import { state, update } from "./state.js";

/** Returns the fragment of a folder. */
export const fragment = (folder) => (folder === "" ? "#" : `#${new URLSearchParams({ folder })}`);

/**
 * Reads key and folder, and removes the key from the address bar and the history. Another key than the current one is
 * offered instead of returned, because the link's author may be able to read files uploaded with it.
 */
export function readAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const folder = (parameters.get("folder") ?? "").split("/").filter(Boolean).join("/");
  if (!parameters.has("key")) return { folder };
  const key = parameters.get("key").trim();
  const isOther = state.key !== "" && key !== "" && key !== state.key;
  const next = isOther ? state.folder : folder;
  showFolder(next);
  if (isOther) update({ offer: { key, folder } });
  return key === "" || isOther ? { folder: next } : { key, folder };
}

/** Replaces the address by that of a folder. */
export function showFolder(folder) {
  const address = location.pathname + location.search;
  history.replaceState(null, "", folder === "" ? address : address + fragment(folder));
}
