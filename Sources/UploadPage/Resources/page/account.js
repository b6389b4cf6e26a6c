/** Who the user is, and the ways to sign in, which are open only while they are needed. */
import { announce, element, on, setNote, setProblem, setText } from "./dom.js";
import { idOf, setKey } from "./key.js";
import { hasToken, provider, signIn, userName } from "./provider.js";
import { state, update } from "./state.js";
import { phrases, signInFailure, technical, words } from "./words.js";

/** Milliseconds for which signing out waits until uploads are cancelled. */
const MAX_CANCELLATION = 3000;
let announcedError;

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
  on("provider-sign-in", "click", signIn);
  on("want-key", "click", () => {
    update({ isKeyWanted: true, isAccountOpen: true });
    element("sign-in").hidden = false;
    element("key").focus();
  });
  const signOut = () => {
    setKey("");
    open(state.folder);
    chip.focus();
  };
  on("sign-out", "click", () => {
    const count = unfinished().length;
    if (count === 0) return signOut();
    setText(element("leave-title"), phrases.leave(count));
    element("leave").showModal();
  });
  on("leave-now", "click", async () => {
    element("leave").close();
    // What is at the storage can be removed only as this user, if it responds.
    const cancelled = Promise.all(unfinished().map(({ transfer }) => transfer.cancel()));
    await Promise.race([cancelled, new Promise((resolve) => { setTimeout(resolve, MAX_CANCELLATION); })]);
    signOut();
  });
  on("account-chip", "click", () => update({ isAccountOpen: !state.isAccountOpen }));
}

/** The uploads that would go on after signing out. */
const unfinished = () => state.items.filter(({ isEnded }) => !isEnded);

const showProblem = (text) => setProblem("key", text, words.keyHint);

/** Shows the account. */
export function viewAccount(state) {
  const { key, access, caller, isAccountOpen, offer, actions, refusedID, phase, folders, signInError } = state;
  // While a key is checked, nothing moves.
  if (access === "unknown") return;
  const canDoNothing = phase === "ready" && Object.keys(actions).length === 0 && folders.length === 0;
  const isShutOut = access === "guest" && canDoNothing;
  const isNeeded = isShutOut || access === "required" || access === "rejected" || signInError !== undefined;
  // The question whether to use the key of a link comes first.
  const isOpen = isAccountOpen || (isNeeded && !offer);
  const chip = element("account-chip");
  const isChanged = chip.dataset.access !== access;
  // Who may do everything as a guest needs no account.
  chip.hidden = access === "guest" && !isOpen && (actions ? isUnlimited(actions) : phase === "loading");
  chip.dataset.access = access;
  chip.setAttribute("aria-expanded", String(isOpen));
  setText(chip, userOf(access, caller));
  chip.title = chip.textContent;
  element("account").hidden = !isOpen;
  viewSignIn(state, isShutOut ? words.noAccessGuest : reasonOf(access, caller, refusedID, signInError));
  if (isChanged && access !== "rejected") showProblem("");
  const isForgotten = access === "rejected" && element("key").value === "" && !signInError;
  if (isChanged && isForgotten) announce(phrases.keyForgotten(refusedID));
}

/** Shows the ways to sign in, or to sign out. */
function viewSignIn({ key, caller, isKeyWanted, signInError }, text) {
  const isSignedIn = key !== "" || hasToken(), asksProvider = provider !== undefined && !isSignedIn;
  element("provider").hidden = !asksProvider;
  element("want-key").hidden = isKeyWanted;
  element("sign-in").hidden = isSignedIn || (asksProvider && !isKeyWanted);
  element("sign-in-reason").hidden = asksProvider;
  element("signed-in").hidden = !isSignedIn;
  for (const id of ["sign-in-reason", "provider-reason"]) setText(element(id), text);
  const kept = key ? phrases.keyIsKept(idOf(key)) : phrases.tokenIsKept(userName() ?? caller?.identity);
  setText(element("key-is-kept"), isSignedIn ? kept : "");
  const failure = signInError && signInFailure(signInError);
  setNote(element("provider-note"), failure, signInError && technical(signInError));
  if (signInError !== announcedError && failure) announce(failure);
  announcedError = signInError;
}

/** Whether a sign-in cannot allow more in the folder. */
const isUnlimited = ({ get, list, write, multipart, delete: remove }) => [get, list, write, multipart, remove]
  .every((permission) => permission && !permission.types && !permission.maxSize && permission.overwrite !== false);

function userOf(access, caller) {
  if (access === "accepted") return (hasToken() && userName()) || phrases.user(caller);
  return access === "guest" ? words.guest : words.signedOut;
}

/** Returns why the user can sign in. */
function reasonOf(access, caller, refusedID, signInError) {
  switch (access) {
    case "accepted": return phrases.withoutKey(caller.identity);
    case "guest": return words.signInOptional;
    // If the key is still in the field, the field says that it is invalid.
    case "rejected": return element("key").value === "" && !signInError ? phrases.keyForgotten(refusedID)
      : words.keyRequired;
    default: return words.keyRequired;
  }
}
