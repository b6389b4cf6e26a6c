/**
 * The page for files: connects controls, state and views. What shows a folder is loaded first; what moves files, with
 * all of presign.js, follows.
 */
import { startAccount, viewAccount } from "./account.js";
import { fragment, readAddress, showFolder } from "./address.js";
import { element, fillTexts, on, setNote, setText } from "./dom.js";
import { carriesFiles, chosen, dropped } from "./files.js";
import { listMore, openFolder, prefixOf, search } from "./folder.js";
import { limit } from "./format.js";
import { keptKey, setKey } from "./key.js";
import { shownFiles, startListing, viewCrumbs, viewListing } from "./listing.js";
import { startOffer, viewOffer } from "./offer.js";
import { completeSignIn } from "./provider.js";
import { selectedFiles, startSelection, viewSelection } from "./selection.js";
import { state, update, uploadLimits, watch } from "./state.js";
import { kindsOf, phrases, words } from "./words.js";

const transfers = import("./transfers.js");
transfers.catch(() => update({ notice: words.notLoaded }));

/** The actions of files, which wait for their module. */
const actions = Object.fromEntries(["link", "download", "delete", "saveAll"].map((name) =>
  [name, async (files) => (await transfers).fileActions[name](files)]));
const selectionActions = {
  saveSelected: () => actions.saveAll(selectedFiles()),
  deleteSelected() {
    if (state.actions?.delete) actions.delete(selectedFiles());
  },
};

const addFiles = async (files, unreadable) => (await transfers).addFiles(files, unreadable);

async function open(folder) {
  await openFolder(folder);
  if (state.access === "accepted" || state.access === "guest") await (await transfers).continueUploads();
}

function viewPlace(state) {
  const { access, actions, notice, noticeDetails } = state;
  element("place").hidden = access === "required" || access === "rejected";
  // Where the folders are listed, only a new one needs a path.
  const isNew = actions?.list && uploadLimits(state);
  element("refresh").hidden = !actions?.list;
  setText(element("change-folder"), isNew ? words.newFolder : words.changeFolder);
  setNote(element("notice"), notice, noticeDetails);
}

function viewUploadArea(state) {
  const limits = uploadLimits(state);
  element("upload").hidden = !limits;
  element("choose-folder").hidden = !("webkitdirectory" in element("folder-files"));
  element("files").accept = limits?.types?.join() ?? "";
  setText(element("allowed"), [
    phrases.allowed(limits?.types && kindsOf(limits.types), limits?.maxSize && limit(limits.maxSize)),
    limits?.overwrite === false && words.neverReplaced,
  ].filter(Boolean).join(". "));
  const drop = limits ? phrases.dropHere(state.folder || words.root) : words.cannotUpload;
  setText(element("overlay").firstElementChild, drop);
}

function startChoosing() {
  for (const id of ["files", "folder-files"]) on(id, "change", () => addFiles(chosen(element(id))));
  addEventListener("paste", ({ clipboardData }) => {
    const files = Array.from(clipboardData?.files ?? [], (file) => ({ file, name: file.name }));
    if (files.length > 0) addFiles(files);
  });
  addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    element("overlay").hidden = false;
  });
  addEventListener("dragleave", (event) => { element("overlay").hidden ||= event.relatedTarget === null; });
  addEventListener("drop", async (event) => {
    element("overlay").hidden = true;
    if (!carriesFiles(event)) return;
    event.preventDefault();
    const { files, unreadable } = await dropped(event.dataTransfer);
    addFiles(files, unreadable);
  });
}

function startFolder() {
  const form = element("folder-form"), button = element("change-folder"), input = element("folder");
  const toggle = (isOpen) => {
    form.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    (isOpen ? input : button).focus();
  };
  button.addEventListener("click", () => {
    input.value = prefixOf(state.folder);
    toggle(form.hidden);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = fragment(input.value.split("/").map((segment) => segment.trim()).filter(Boolean).join("/"));
    toggle(false);
  });
  on("filter", "input", () => search(element("filter").value));
  for (const id of ["refresh", "reload"]) on(id, "click", () => open(state.folder));
  on("more", "click", listMore);
  addEventListener("hashchange", readAndOpen);
  addEventListener("offline", () => update());
  addEventListener("online", () => {
    update();
    if (state.phase === "failed" && state.error.source === "network") open(state.folder);
  });
}

/** Opens the folder of the address, with the key of the address. */
function readAndOpen() {
  const { key, folder } = readAddress();
  if (key !== undefined) setKey(key);
  if (key !== undefined || folder !== state.folder || !state.actions) open(folder);
}

fillTexts();
for (const view of [
  viewAccount, viewOffer, viewCrumbs, viewPlace, viewUploadArea, viewListing, viewSelection,
]) watch(view);
startAccount(open);
startOffer(open);
startFolder();
startChoosing();
startListing({ ...actions, ...selectionActions });
startSelection(shownFiles, selectionActions);
state.key = keptKey();
const cameFrom = await completeSignIn();
if (cameFrom !== undefined) showFolder(cameFrom);
readAndOpen();
