/** Who the user is, and a form for an API key that is open only while it is needed. */
import { announce, element, on, setText } from "./dom.js";
import { idOf, setKey } from "./key.js";
import { state, update } from "./state.js";
import { phrases, words } from "./words.js";

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
}

function showProblem(text) {
  element("key").setAttribute("aria-invalid", String(text !== ""));
  setText(element("key-hint"), text || words.keyHint);
  if (text) announce(text);
}

/** Shows the account. */
export function viewAccount({ key, access, caller, isAccountOpen, offer, actions, refusedID, phase, folders }) {
  // While a key is checked, nothing moves.
  if (access === "unknown") return;
  const canDoNothing = phase === "ready" && Object.keys(actions).length === 0 && folders.length === 0;
  const isShutOut = access === "guest" && canDoNothing;
  const isNeeded = isShutOut || access === "required" || access === "rejected";
  // The question whether to use the key of a link comes first.
  const isOpen = isAccountOpen || (isNeeded && !offer);
  const chip = element("account-chip");
  const isChanged = chip.dataset.access !== access;
  chip.hidden = false;
  chip.dataset.access = access;
  chip.setAttribute("aria-expanded", String(isOpen));
  setText(chip, userOf(access, caller));
  chip.title = chip.textContent;
  element("account").hidden = !isOpen;
  element("sign-in").hidden = key !== "";
  element("signed-in").hidden = key === "";
  setText(element("key-is-kept"), key && phrases.keyIsKept(idOf(key)));
  setText(element("sign-in-reason"), isShutOut ? words.noAccessGuest : reasonOf(access, caller, refusedID));
  if (isChanged && access !== "rejected") showProblem("");
  const isForgotten = access === "rejected" && element("key").value === "";
  if (isChanged && isForgotten) announce(phrases.keyForgotten(refusedID));
}

function userOf(access, caller) {
  if (access === "accepted") return phrases.user(caller);
  return access === "guest" ? words.guest : words.signedOut;
}

/** Returns why a key can be entered. */
function reasonOf(access, caller, refusedID) {
  switch (access) {
    case "accepted": return phrases.withoutKey(caller.identity);
    case "guest": return words.signInOptional;
    // If the key is still in the field, the field says that it is invalid.
    case "rejected": return element("key").value === "" ? phrases.keyForgotten(refusedID) : words.keyRequired;
    default: return words.keyRequired;
  }
}
