/** What this tab keeps of the user until it is closed: the API key or token, and created folders. */
import { hasToken, provider } from "./provider.js";
import { state, update } from "./state.js";

const KEY = "presign.key";
/** The name under which the tab keeps the folders that the user has created. */
export const CREATED = "presign.folders";

/** Returns what this tab keeps under a name until it is closed, or "". */
export function kept(name) {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** Keeps a text under a name; "" removes it. */
export function keep(name, text) {
  try {
    if (text === "") sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
  } catch {
    // Without session storage, it is known until the page is closed.
  }
}

/** Returns the key that this tab keeps, or "". */
export const keptKey = () => kept(KEY);

/** Uses a key from now on; "" signs out. */
export function setKey(key) {
  provider?.signOut();
  update({
    key, access: "unknown", caller: undefined, offer: undefined, isAccountOpen: false, signInError: undefined,
  });
  keep(KEY, key);
  keep(CREATED, "");
}

/** Forgets the key or the token, because the service refused it. */
export function refuse(error) {
  if (state.key === "" && error?.source !== "provider" && !hasToken()) {
    // Of several refused requests, the first one has removed the key.
    update({ access: state.access === "rejected" ? "rejected" : "required", caller: undefined });
    return;
  }
  const refusedID = idOf(state.key), signInError = state.key === "" ? error : undefined;
  provider?.signOut();
  update({ key: "", access: "rejected", caller: undefined, refusedID, signInError });
  keep(KEY, "");
  keep(CREATED, "");
}

/** Returns the id in a key, which is public, or "" if the text is not a key. */
export const idOf = (key) => /^psk_([\w.-]{1,64})_[\w-]{43}$/.exec(key)?.[1] ?? "";

// The folders that the user has created in this tab. A storage has no folders without files, so others see such a
// folder with its first file.
const created = () => JSON.parse(kept(CREATED) || "[]");
const keepAll = (paths) => keep(CREATED, paths.length > 0 ? JSON.stringify(paths) : "");

export const isCreated = (path) => created().includes(path);

/** Returns the created folders directly below a prefix. */
export const createdBelow = (prefix) => created().filter((path) =>
  path.startsWith(prefix) && path.indexOf("/", prefix.length) === path.length - 1);

/** Keeps folders, as paths with a slash at their end. */
export const addCreated = (paths) => keepAll([...new Set([...created(), ...paths])]);

/** Forgets the created folders that have this file, because the storage has them now. */
export const settle = (file) => keepAll(created().filter((path) => !file.startsWith(path)));

/** Forgets a created folder and those below it. */
export const removeCreated = (folder) => keepAll(created().filter((path) => !path.startsWith(folder)));
