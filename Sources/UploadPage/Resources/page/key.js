/** The API key, or the user's token: kept in this tab, until the user signs out or the service refuses it. */
import { hasToken, provider } from "./provider.js";
import { state, update } from "./state.js";

const KEY = "presign.key";

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
}

/** Returns the id in a key, which is public, or "" if the text is not a key. */
export const idOf = (key) => /^psk_([\w.-]{1,64})_[\w-]{43}$/.exec(key)?.[1] ?? "";
