/** The API key: kept in the tab, entered in a form that is open only while it is needed. */
import { announce, element, on, setText } from "./dom.js";
import { showFolder } from "./address.js";
import { state, update } from "./state.js";
import { words } from "./words.js";

const STORAGE_NAME = "presign.key";

/** Returns the key that this tab keeps, or "". */
export function keptKey() {
  try {
    return sessionStorage.getItem(STORAGE_NAME) ?? "";
  } catch {
    return "";
  }
}

/** Uses a key from now on; "" signs out. */
export function setKey(key) {
  update({ key, access: "unknown", offer: undefined });
  try {
    if (key) sessionStorage.setItem(STORAGE_NAME, key);
    else sessionStorage.removeItem(STORAGE_NAME);
  } catch {
    // Without session storage, the key is known until the page is closed.
  }
}

/** Connects the controls. `reopen` loads a folder again with the new key. */
export function startAccount(reopen) {
  on("sign-in", "submit", async (event) => {
    event.preventDefault();
    const key = element("key").value.trim();
    if (key === "") return showProblem(words.keyMissing);
    setKey(key);
    await reopen(state.folder);
    if (state.access === "accepted") signedIn();
  });
  on("key", "input", () => showProblem(""));
  on("sign-out", "click", () => {
    setKey("");
    update({ isAccountOpen: false });
    reopen(state.folder);
    element("account-chip").focus();
  });
  on("account-chip", "click", () => {
    update({ isAccountOpen: !state.isAccountOpen });
    if (state.isAccountOpen && state.access !== "accepted") setTimeout(() => element("key").focus(), 50);
  });
  on("use-key", "click", () => {
    const { key, folder } = state.offer;
    setKey(key);
    showFolder(folder);
    reopen(folder);
    element("account-chip").focus();
  });
  on("keep-key", "click", () => {
    update({ offer: undefined });
    element("account-chip").focus();
  });
}

function signedIn() {
  element("key").value = "";
  update({ isAccountOpen: false });
  announce(words.signedIn);
  element("account-chip").focus();
}

function showProblem(text) {
  const key = element("key");
  if (text) key.setAttribute("aria-invalid", "true");
  else key.removeAttribute("aria-invalid");
  setText(element("key-hint"), text || words.keyHint);
  if (text) key.focus();
}

let shown = "unknown";

/** Shows the account. */
export function viewAccount({ access, isAccountOpen, offer, actions }) {
  const isAccepted = access === "accepted";
  const isShutOut = access === "guest" && actions && Object.keys(actions).length === 0;
  const isNeeded = access === "required" || access === "rejected" || isShutOut;
  const chip = element("account-chip");
  chip.hidden = access === "unknown" && shown === "unknown";
  chip.dataset.access = access;
  setText(chip, isAccepted ? words.signedIn : access === "guest" ? words.guest : words.signedOut);
  chip.setAttribute("aria-expanded", String(isNeeded || isAccountOpen));
  if (access !== "unknown") element("account").hidden = !isNeeded && !isAccountOpen;
  element("sign-in").hidden = isAccepted;
  element("signed-in").hidden = !isAccepted;
  setText(element("sign-in-reason"), isShutOut ? words.noAccessGuest
    : access === "guest" ? words.signInOptional : words.keyRequired);
  if (access !== shown && access !== "unknown") {
    showProblem(access === "rejected" ? words.keyInvalid : "");
    if (access === "rejected") announce(words.keyInvalid);
    shown = access;
  }
  if (offer && element("other-key").hidden) announce(words.otherKey);
  element("other-key").hidden = !offer;
}
