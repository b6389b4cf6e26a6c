/** Where the page has its API key from: its field, the tab's memory, and links that bring one. */

/** Where the tab keeps the key. */
const KEPT = "presign.key";

const element = (id) => document.getElementById(id);
const key = element("key"), folder = element("folder");

/** What the last link has brought; not yet taken while another key is in use. */
let offer;

/**
 * Fills the key's field, and follows what becomes of it.
 *
 * @param {(news: string) => void} tell says it to screen readers.
 */
export function keepKey(tell) {
  key.value = remembered();
  takeFromAddress(tell);
  addEventListener("hashchange", () => takeFromAddress(tell));
  key.addEventListener("input", remember);
  element("use-key").addEventListener("click", () => {
    take();
    key.focus();
  });
}

/**
 * `#key=psk_...&folder=...` gives the key and a folder, and leaves neither the address bar nor the history with it.
 * A key in use is replaced only when its user says so: who made the link may read what is uploaded with theirs.
 */
function takeFromAddress(tell) {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.has("key")) return;
  history.replaceState(null, "", location.pathname + location.search);
  const current = key.value.trim(), offered = given.get("key").trim();
  offer = { key: offered, folder: given.get("folder") ?? folder.value };
  if (current === "" || offered === current) {
    take();
  } else if (offered !== "") {
    show(true);
    tell(element("other-key").textContent);
  }
}

function take() {
  key.value = offer.key;
  folder.value = offer.folder;
  show(false);
  remember();
}

function show(isOffered) {
  element("other-key").hidden = element("use-key").hidden = !isOffered;
}

function remember() {
  key.removeAttribute("aria-invalid");
  try {
    sessionStorage.setItem(KEPT, key.value);
  } catch {
    // The browser keeps nothing for this site: the key lives in its field only.
  }
}

function remembered() {
  try {
    return sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}
