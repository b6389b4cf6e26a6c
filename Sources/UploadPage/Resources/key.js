/** The API key of the page, from its field, from the tab's session storage, or from a link. */

/** The name of the API key in the session storage. */
const STORAGE_NAME = "presign.key";

const element = (id) => document.getElementById(id);
const key = element("key"), folder = element("folder");

/** The key and the folder of the last link. */
let offer;

/**
 * Fills the field of the API key and stores its changes.
 *
 * @param {(news: string) => void} announce announces text to screen readers.
 */
export function keepKey(announce) {
  key.value = load();
  readAddress(announce);
  addEventListener("hashchange", () => readAddress(announce));
  key.addEventListener("input", store);
  element("use-key").addEventListener("click", () => {
    accept();
    key.focus();
  });
}

/**
 * Reads key and folder from `#key=psk_...&folder=...`, and removes them from the address bar and the history.
 *
 * Another key replaces the current one only if the user agrees, because the link's author may be able to read files
 * uploaded with it.
 */
function readAddress(announce) {
  const parameters = new URLSearchParams(location.hash.slice(1));
  if (!parameters.has("key")) return;
  history.replaceState(null, "", location.pathname + location.search);
  const current = key.value.trim(), offered = parameters.get("key").trim();
  offer = { key: offered, folder: parameters.get("folder") ?? folder.value };
  if (current === "" || offered === current) {
    accept();
  } else if (offered !== "") {
    showOffer(true);
    announce(element("other-key").textContent);
  }
}

function accept() {
  key.value = offer.key;
  folder.value = offer.folder;
  showOffer(false);
  store();
}

function showOffer(isOffered) {
  element("other-key").hidden = element("use-key").hidden = !isOffered;
}

function store() {
  key.removeAttribute("aria-invalid");
  try {
    sessionStorage.setItem(STORAGE_NAME, key.value);
  } catch {
    // Without session storage, the key is only in its field.
  }
}

function load() {
  try {
    return sessionStorage.getItem(STORAGE_NAME) ?? "";
  } catch {
    return "";
  }
}
