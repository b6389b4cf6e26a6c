/** The API key: kept in this tab, until the user signs out or the service refuses it. */
import { announce } from "./dom.js";
import { state, update } from "./state.js";
import { phrases } from "./words.js";

const STORAGE_NAME = "presign.key";

/** Returns the key that this tab keeps, or "". */
export function keptKey() {
  try {
    return sessionStorage.getItem(STORAGE_NAME) ?? "";
  } catch {
    return "";
  }
}

function keep(key) {
  try {
    if (key === "") sessionStorage.removeItem(STORAGE_NAME);
    else sessionStorage.setItem(STORAGE_NAME, key);
  } catch {
    // Without session storage, the key is known until the page is closed.
  }
}

/** Uses a key from now on; "" signs out. */
export function setKey(key) {
  update({ key, access: "unknown", caller: undefined, offer: undefined, isAccountOpen: false });
  keep(key);
}

/** Forgets the key, because the service refused it. */
export function refuse() {
  if (state.key === "") {
    // Of several refused requests, the first one has removed the key.
    update({ access: state.access === "rejected" ? "rejected" : "required", caller: undefined });
    return;
  }
  const refusedID = idOf(state.key);
  update({ key: "", access: "rejected", caller: undefined, refusedID });
  keep("");
  announce(phrases.keyForgotten(refusedID));
}

/** Returns the id in a key, which is public, or "" if the text is not a key. */
export const idOf = (key) => /^psk_([\w.-]{1,64})_[\w-]{43}$/.exec(key)?.[1] ?? "";
