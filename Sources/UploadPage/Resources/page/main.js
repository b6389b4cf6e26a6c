/** The page for files: connects controls, state and views. It uses nothing but the public API of presign.js. */
import { startAccount, viewAccount } from "./account.js";
import { fragment, readAddress } from "./address.js";
import { isUnauthorized, service } from "./connection.js";
import { element, fillTexts, on, setNote, setText } from "./dom.js";
import { carriesFiles, chosen, dropped } from "./files.js";
import { listMore, openFolder, recheck } from "./folder.js";
import { limit } from "./format.js";
import { keptKey, setKey } from "./key.js";
import { openLink, startLinks } from "./link.js";
import { viewCrumbs, viewListing } from "./listing.js";
import { startOffer, viewOffer } from "./offer.js";
import { add, continueWith, perform, performAll, retryUnauthorized, showInterrupted } from "./queue.js";
import { state, update, watch } from "./state.js";
import { viewUploads } from "./uploads.js";
import { kindsOf, phrases, reason, technical, words } from "./words.js";

/** The interrupted upload whose file is being chosen. */
let continued;
let hasShownInterrupted = false;

/** The limits of an upload to the folder, or undefined if uploads are not allowed. */
const uploadLimits = () => state.actions?.write ?? state.actions?.multipart;

async function open(folder) {
  await openFolder(folder);
  if (state.access !== "accepted" && state.access !== "guest") return;
  if (state.access === "accepted") retryUnauthorized();
  if (!hasShownInterrupted) await showInterrupted();
  hasShownInterrupted = true;
}

function addFiles(files, hasFolder = false) {
  update({ notice: !uploadLimits() ? words.cannotUpload : hasFolder ? words.noFolders : "", noticeDetails: "" });
  if (continued && files.length > 0) continueWith(continued, files[0]);
  else if (uploadLimits()) add(files);
  continued = undefined;
}

/** Gets a new URL for each download, so that the button works while the page is open. */
async function download({ path, name }) {
  try {
    // Some rules do not let a request choose that the browser saves the file.
    const isSaved = state.actions?.get?.overrides !== "none";
    const link = document.createElement("a");
    link.href = await service.downloadURL(path, isSaved ? { filename: path.split("/").at(-1) } : {});
    link.rel = "noreferrer";
    link.target = isSaved ? "" : "_blank";
    link.click();
  } catch (error) {
    if (isUnauthorized(error)) recheck();
    update({ notice: phrases.news(name, reason(error)), noticeDetails: technical(error) });
  }
}

const fileActions = { link: openLink, download };

function viewControls({ access, folder, notice, noticeDetails }) {
  const limits = uploadLimits();
  element("upload").hidden = !limits;
  element("place").hidden = access === "required" || access === "rejected";
  element("files").accept = limits?.types?.join() ?? "";
  setText(element("allowed"), [
    phrases.allowed(limits?.types && kindsOf(limits.types), limits?.maxSize && limit(limits.maxSize)),
    limits?.overwrite === false && words.neverReplaced,
  ].filter(Boolean).join(". "));
  setText(element("overlay").firstElementChild, limits ? phrases.dropHere(folder || words.root) : words.cannotUpload);
  setNote(element("notice"), notice, noticeDetails);
}

function startFolder() {
  const form = element("folder-form"), button = element("change-folder"), input = element("folder");
  const toggle = (isOpen) => {
    form.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    (isOpen ? input : button).focus();
  };
  button.addEventListener("click", () => {
    input.value = state.folder;
    toggle(form.hidden);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = fragment(input.value.split("/").map((segment) => segment.trim()).filter(Boolean).join("/"));
    toggle(false);
  });
  on("filter", "input", () => update({ filter: element("filter").value }));
  on("reload", "click", () => open(state.folder));
  on("more", "click", listMore);
  addEventListener("hashchange", readAndOpen);
}

/** Opens the folder of the address, with the key of the address. */
function readAndOpen() {
  const { key, folder } = readAddress();
  if (key !== undefined) setKey(key);
  if (key !== undefined || folder !== state.folder || !state.actions) open(folder);
}

function startUploads() {
  on("files", "change", () => addFiles(chosen(element("files"))));
  on("files", "cancel", () => { continued = undefined; });
  for (const [id, action] of Object.entries(performAll)) on(id, "click", () => { action(); update(); });
  for (const type of ["online", "offline"]) addEventListener(type, () => update());
  addEventListener("beforeunload", (event) => {
    if (state.items.some((item) => !item.isEnded && item.state !== "paused")) event.preventDefault();
  });
  addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    element("overlay").hidden = false;
  });
  addEventListener("dragleave", (event) => { element("overlay").hidden ||= event.relatedTarget === null; });
  addEventListener("drop", (event) => {
    element("overlay").hidden = true;
    if (!carriesFiles(event)) return;
    event.preventDefault();
    const { files, hasFolder } = dropped(event.dataTransfer);
    addFiles(files, hasFolder);
  });
}

fillTexts();
const updating = Object.entries(perform).map(([name, action]) => [name, (item) => { action(item); update(); }]);
const choose = (item) => {
  continued = item;
  element("files").click();
};
const rowActions = { ...Object.fromEntries(updating), ...fileActions, choose };
for (const view of [viewAccount, viewOffer, viewCrumbs, viewControls]) watch(view);
watch((state) => viewUploads(state, rowActions));
watch((state) => viewListing(state, fileActions));
startAccount(open);
startOffer(open);
startFolder();
startUploads();
startLinks();
state.key = keptKey();
readAndOpen();
