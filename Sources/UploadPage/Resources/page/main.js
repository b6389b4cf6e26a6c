/**
 * The page for files: connects the controls, the state and the views. It uses nothing but the public API of presign.js.
 */
import { keptKey, setKey, startAccount, viewAccount } from "./account.js";
import { fragment, normalize, readAddress } from "./address.js";
import { announce, element, fillTexts, on, setText } from "./dom.js";
import { carriesFiles, chosen, dropped } from "./files.js";
import { listMore, openFolder } from "./folder.js";
import { limit } from "./format.js";
import { openLink, startLinks } from "./link.js";
import { viewCrumbs, viewListing } from "./listing.js";
import { add, continueWith, pathOf, perform, performAll, retryUnauthorized, showInterrupted } from "./queue.js";
import { isUnauthorized, service } from "./connection.js";
import { state, update, watch } from "./state.js";
import { viewUploads } from "./uploads.js";
import { kindsOf, phrases, reason, words } from "./words.js";

/** The interrupted upload whose file is being chosen. */
let continued;
let hasShownInterrupted = false;

const mayUpload = () => Boolean(state.actions?.write ?? state.actions?.multipart);

async function reopen(folder) {
  await openFolder(folder);
  if (state.access !== "accepted" && state.access !== "guest") return;
  retryUnauthorized();
  if (hasShownInterrupted) return;
  hasShownInterrupted = true;
  await showInterrupted();
}

function addFiles(found) {
  if (found.length === 0) return;
  const item = continued;
  continued = undefined;
  if (item && found.length === 1 && !continueWith(item, found[0].file)) {
    item.isOther = true;
    return update();
  }
  if (!mayUpload() && !item) return announce(words.cannotUpload);
  if (!item) add(found.map(({ file, relative }) => ({ file, path: pathOf(relative) })));
}

/** Gets a new URL for each download, so that the button works while the page is open. */
async function download({ path, name }) {
  try {
    // Some rules do not let a request choose that the browser saves the file.
    const saves = state.actions?.get?.overrides !== "none";
    const link = document.createElement("a");
    link.href = await service.downloadURL(path, saves ? { filename: name } : {});
    link.rel = "noreferrer";
    if (!saves) link.target = "_blank";
    link.click();
  } catch (error) {
    if (isUnauthorized(error)) update({ access: state.key ? "rejected" : "required" });
    update({ notice: phrases.news(name, reason(error)) });
    announce(phrases.news(name, reason(error)));
  }
}

const fileActions = { link: openLink, download };

const rowActions = {
  ...Object.fromEntries(Object.entries(perform).map(([name, action]) => [name, (item) => { action(item); update(); }])),
  ...fileActions,
  choose(item) {
    continued = item;
    element("files").click();
  },
};

function viewUploadControls({ actions, isFolderFormOpen, folder }) {
  element("upload").hidden = !mayUpload();
  const limits = actions?.write ?? actions?.multipart ?? {};
  const texts = [
    phrases.allowed(limits.types && kindsOf(limits.types), limits.maxSize && limit(limits.maxSize)),
    limits.overwrite === false && words.neverReplaced,
  ];
  setText(element("allowed"), texts.filter(Boolean).join(". "));
  element("files").accept = limits.types?.join(",") ?? "";
  element("folder-form").hidden = !isFolderFormOpen;
  element("change-folder").setAttribute("aria-expanded", String(isFolderFormOpen));
  setText(element("overlay").firstElementChild,
    mayUpload() ? phrases.dropHere(folder || words.root) : words.cannotUpload);
}

function startFolder() {
  on("change-folder", "click", () => {
    update({ isFolderFormOpen: !state.isFolderFormOpen });
    element("folder").value = state.folder;
    setTimeout(() => element(state.isFolderFormOpen ? "folder" : "change-folder").focus(), 50);
  });
  on("folder-form", "submit", (event) => {
    event.preventDefault();
    update({ isFolderFormOpen: false });
    location.hash = fragment(normalize(element("folder").value));
    element("change-folder").focus();
  });
  on("filter", "input", () => update({ filter: element("filter").value }));
  on("reload", "click", () => reopen(state.folder));
  on("more", "click", listMore);
  addEventListener("hashchange", () => {
    const { key, folder } = readAddress();
    if (key !== undefined) setKey(key);
    if (key !== undefined || folder !== state.folder) reopen(folder);
  });
}

function startDropping() {
  addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = mayUpload() ? "copy" : "none";
    element("overlay").hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) element("overlay").hidden = true;
  });
  addEventListener("drop", async (event) => {
    element("overlay").hidden = true;
    if (!carriesFiles(event)) return;
    event.preventDefault();
    addFiles(await dropped(event.dataTransfer));
  });
}

function startUploads() {
  for (const id of ["files", "folder-files"]) on(id, "change", (event) => addFiles(chosen(event.target)));
  on("files", "cancel", () => { continued = undefined; });
  for (const [id, action] of Object.entries(performAll)) on(id, "click", () => { action(); update(); });
  for (const type of ["online", "offline"]) addEventListener(type, () => update());
  addEventListener("beforeunload", (event) => {
    if (state.items.some(({ state }) => ["waiting", "uploading", "offline", "checking"].includes(state))) event.preventDefault();
  });
}

fillTexts();
for (const view of [viewAccount, viewCrumbs, viewUploadControls]) watch(view);
watch((state) => viewUploads(state, rowActions));
watch((state) => viewListing(state, fileActions));
startAccount(reopen);
startFolder();
startDropping();
startUploads();
startLinks();
state.key = keptKey();
const { key, folder } = readAddress();
if (key !== undefined) setKey(key);
reopen(folder);
