/**
 * The page for files: connects controls, state and views. What shows a folder is loaded first; what moves files, with
 * all of presign.js, follows.
 */
import { startAccount, viewAccount } from "./account.js";
import { fragment, readAddress, showFolder } from "./address.js";
import { announce, element, fillTexts, on, setNote, setProblem, setText } from "./dom.js";
import { actions, carriesFiles, chosen, dropped } from "./files.js";
import { createFolder, listMore, openFolder, prefixOf, search } from "./folder.js";
import { limit } from "./format.js";
import { keptKey, setKey } from "./key.js";
import { focusEntry, shownFiles, startListing, viewCrumbs, viewListing } from "./listing.js";
import { completeSignIn } from "./provider.js";
import { selectedFiles, startSelection, viewSelection } from "./selection.js";
import { state, update, uploadLimits, watch } from "./state.js";
import { kindsOf, phrases, reason, words } from "./words.js";

let startLoading;
/** What moves files. Loading it takes time that the first requests for the folder would wait for. */
const transfers = new Promise((resolve) => { startLoading = resolve; }).then(() => import("./transfers.js"));
transfers.catch(() => update({ notice: words.notLoaded }));

const selectionActions = {
  saveSelected: () => actions.saveAll(selectedFiles()),
  deleteSelected() {
    if (state.actions?.delete) actions.delete(selectedFiles());
  },
};

const addFiles = async (choice) => (await transfers).addFiles(choice);

async function open(folder) {
  await openFolder(folder);
  if (state.access === "accepted" || state.access === "guest") await (await transfers).continueUploads();
}

/** Whether a folder can be created: where the folders are listed, only a new one needs a name. */
const canCreate = ({ actions }) => Boolean(actions?.list && uploadLimits({ actions }));

/** Shows what can be done with the folder. */
function viewPlace(state) {
  const { access, actions, notice, noticeDetails } = state;
  const isNew = canCreate(state);
  element("place").hidden = access === "required" || access === "rejected";
  element("refresh").hidden = !actions?.list;
  setText(element("change-folder"), isNew ? words.newFolder : words.changeFolder);
  setText(element("folder-label"), isNew ? words.newFolderName : words.folder);
  setText(element("open-folder"), isNew ? words.create : words.open);
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
    if (files.length > 0) addFiles({ files });
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
    addFiles(await dropped(event.dataTransfer));
  });
}

/** Connects the form for a new folder or, where no folders are listed, for any. */
function startPlace() {
  const form = element("folder-form"), button = element("change-folder"), input = element("folder");
  const showProblem = (text) => setProblem("folder", text, canCreate(state) ? words.newFolderHint : words.folderHint);
  const toggle = (isOpen) => {
    form.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) showProblem("");
    (isOpen ? input : button).focus();
  };
  button.addEventListener("click", () => {
    input.value = canCreate(state) ? "" : prefixOf(state.folder);
    toggle(form.hidden);
  });
  on("folder", "input", () => showProblem(""));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = input.value.split("/").map((segment) => segment.trim()).filter(Boolean).join("/");
    if (!canCreate(state)) {
      location.hash = fragment(name);
      return toggle(false);
    }
    if (name === "") return showProblem(words.nameMissing);
    try {
      const path = await createFolder(name);
      if (path === undefined) return showProblem(words.cannotUpload);
      toggle(false);
      announce(phrases.created(name));
      focusEntry(path);
    } catch (error) {
      showProblem(reason(error));
    }
  });
}

function startFolder() {
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

let offer;

/** Opens the folder of the address, with the key of the address. */
function readAndOpen() {
  const { key, folder } = readAddress();
  // Few links have a key that is offered.
  if (state.offer) offer ??= import("./offer.js").then(({ startOffer }) => startOffer(open));
  if (key !== undefined) setKey(key);
  if (key !== undefined || folder !== state.folder || !state.actions) open(folder);
}

fillTexts();
for (const view of [
  viewAccount, viewCrumbs, viewPlace, viewUploadArea, viewListing, viewSelection,
]) watch(view);
startAccount(open);
startFolder();
startPlace();
startChoosing();
startListing({ ...actions, ...selectionActions });
startSelection(shownFiles, selectionActions);
state.key = keptKey();
const cameFrom = await completeSignIn();
if (cameFrom !== undefined) showFolder(cameFrom);
readAndOpen();
setTimeout(() => {
  document.head.append(element("later").content);
  startLoading();
});
