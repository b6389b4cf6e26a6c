/** The API key: kept in the tab, entered in a form that is open only while it is needed. */
import { showFolder } from "./address.js";
import { announce, element, on, setText } from "./dom.js";
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
  update({ key, access: "unknown", offer: undefined, isAccountOpen: false });
  try {
    sessionStorage.setItem(STORAGE_NAME, key);
  } catch {
    // Without session storage, the key is known until the page is closed.
  }
}

/** Connects the controls. `open` opens a folder with the new key. */
export function startAccount(open) {
  const chip = element("account-chip");
  on("sign-in", "submit", async (event) => {
    event.preventDefault();
    const key = element("key").value.trim();
    element("key").focus();
    if (key === "") return showProblem(words.keyMissing);
    setKey(key);
    await open(state.folder);
    if (state.access === "rejected") showProblem(words.keyInvalid);
    if (state.access !== "accepted") return;
    element("key").value = "";
    announce(words.signedIn);
    chip.focus();
  });
  on("key", "input", () => showProblem(""));
  on("sign-out", "click", () => {
    setKey("");
    open(state.folder);
    chip.focus();
  });
  on("account-chip", "click", () => update({ isAccountOpen: !state.isAccountOpen }));
  on("use-key", "click", () => {
    const { key, folder } = state.offer;
    setKey(key);
    showFolder(folder);
    open(folder);
    chip.focus();
  });
  on("keep-key", "click", () => {
    update({ offer: undefined });
    chip.focus();
  });
}

function showProblem(text) {
  element("key").setAttribute("aria-invalid", String(text !== ""));
  setText(element("key-hint"), text || words.keyHint);
}

/** Shows the account. */
export function viewAccount({ access, isAccountOpen, offer, actions }) {
  if (offer && element("other-key").hidden) announce(words.otherKey);
  element("other-key").hidden = !offer;
  // While a key is checked, nothing moves.
  if (access === "unknown") return;
  const isShutOut = access === "guest" && actions && Object.keys(actions).length === 0;
  const isOpen = isAccountOpen || isShutOut || access === "required" || access === "rejected";
  const chip = element("account-chip");
  const isChanged = chip.dataset.access !== access;
  chip.hidden = false;
  chip.dataset.access = access;
  chip.setAttribute("aria-expanded", String(isOpen));
  setText(chip, { accepted: words.signedIn, guest: words.guest }[access] ?? words.signedOut);
  element("account").hidden = !isOpen;
  element("sign-in").hidden = access === "accepted";
  element("signed-in").hidden = access !== "accepted";
  setText(element("sign-in-reason"), isShutOut ? words.noAccessGuest
    : access === "guest" ? words.signInOptional : words.keyRequired);
  if (isChanged) showProblem(access === "rejected" ? words.keyInvalid : "");
}
