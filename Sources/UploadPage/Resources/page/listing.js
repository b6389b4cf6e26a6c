/** The list of a folder, and the breadcrumbs to it. */
import { fragment } from "./address.js";
import { isCreated } from "./key.js";
import { actionButton, checkbox, createRow, element, focusOn, on, setNote, setText } from "./dom.js";
import { kindOf } from "./files.js";
import { isLoadingRest, loadRest, prefixOf } from "./folder.js";
import { day, moment, size } from "./format.js";
import { byName, comparable } from "./language.js";
import { Rows } from "./rows.js";
import { canSaveAll, canSelect, select } from "./selection.js";
import { state, update, uploadLimits } from "./state.js";
import { phrases, reason, technical, words } from "./words.js";

/** The number of entries from which the list can be filtered. */
const FILTERABLE = 8;
/** What the order begins with when a column is chosen: the newest and the largest files come first. */
const DESCENDING = { name: false, size: true, lastModified: true };

let rows, perform;
/** What is shown now, and the entries in their order. The progress of uploads changes nothing of it. */
let shown = [], matches = [];

/** Shows the breadcrumbs of the current folder. */
export function viewCrumbs({ folder }) {
  if (element("crumbs").dataset.folder === folder) return;
  element("crumbs").dataset.folder = folder;
  const segments = folder.split("/").filter(Boolean);
  const folders = ["", ...segments.map((_, index) => segments.slice(0, index + 1).join("/"))];
  element("crumbs").replaceChildren(...folders.map((path) => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.dir = "auto";
    link.textContent = path.split("/").at(-1) || words.root;
    link.href = fragment(path);
    if (path === folder) link.setAttribute("aria-current", "page");
    item.append(link);
    return item;
  }));
}

/** Returns what matches the filter, in the order of the rows. */
function matching({ folders, objects, filter, sort }) {
  const text = comparable(filter.trim());
  const isMatch = (entry) => text === "" || (entry.comparable ??= comparable(entry.name)).includes(text);
  return [...sorted(folders.filter(isMatch), sort), ...sorted(objects.filter(isMatch), sort)];
}

const isFile = ({ isFolder }) => !isFolder;

/** Returns the files that match the filter, in the order of the rows. */
export const shownFiles = () => matching(state).filter(isFile);

/** Moves the focus to an entry, also if it was added just now. */
export function focusEntry(path) {
  viewListing(state);
  rows.focus(matches.findIndex((entry) => entry.path === path));
}

/** Connects the list and its columns. `actions` are those of the rows: `open`, `link`, `download`, `delete`. */
export function startListing(actions) {
  perform = actions;
  rows = new Rows(element("entries"), { create: row, show: showRow });
  for (const button of element("columns").querySelectorAll("[data-sort]")) {
    button.addEventListener("click", () => {
      const by = button.dataset.sort, { sort } = state;
      update({ sort: { by, isDescending: sort.by === by ? !sort.isDescending : DESCENDING[by] }, isStopped: false });
      loadRest();
    });
  }
  on("stop", "click", () => update({ isStopped: true }));
  on("entries", "keydown", (event) => {
    if (event.key === "Delete" && state.selected.size > 0) perform.deleteSelected();
    if (event.key === "Escape") select([]);
  });
}

/** Shows the files of the folder. */
export function viewListing(state) {
  const { folders, objects, phase, filter, actions, access, error, continuationToken, sort, selected, notice } = state;
  const input = [
    folders, objects, phase, filter, actions, access, error, continuationToken, sort, selected, notice !== "",
    state.isWaiting, state.isStopped, state.isSelectingAll, navigator.onLine,
  ];
  if (input.every((value, index) => value === shown[index])) return;
  shown = input;
  const count = folders.length + objects.length, isLoading = isLoadingRest(state);
  const hadFocus = document.activeElement === element("stop");
  matches = matching(state);
  const isShutOut = access !== "accepted" && phase === "ready" && Object.keys(actions).length === 0 && count === 0;
  const isSilent = access === "unknown" && phase !== "failed" && !state.isWaiting;
  element("listing").hidden = isShutOut || isSilent;
  element("listing").setAttribute("aria-busy", String(phase === "loading"));
  element("table").hidden = matches.length === 0;
  element("columns").hidden = objects.length === 0;
  element("filter").hidden = count < FILTERABLE;
  if (filter === "") element("filter").value = "";
  element("more").hidden = continuationToken === undefined || isLoading;
  element("stop").hidden = !isLoading;
  setText(element("listing-title"), titleOf(state, count));
  element("listing-title").classList.toggle("unseen", count === 0);
  const note = noteOf(state, count);
  setNote(element("listing-note").firstElementChild, note, phase === "failed" ? technical(error) : "");
  element("listing-note").hidden = note === "";
  element("reload").hidden = phase !== "failed" || !(error.retryable || error.status >= 500);
  viewColumns(sort);
  if (!rows.show(matches)) focusOn("files", "account-chip");
  if (hadFocus && !isLoading) focusOn("filter", "select-all");
}

function titleOf(state, count) {
  const { folders, objects, filter, continuationToken, startsAreTruncated, actions } = state;
  const isComplete = continuationToken === undefined, isLoading = isLoadingRest(state);
  if (count === 0) return words.listing;
  if (filter.trim() !== "") return phrases.found(matches.length, count, isLoading, isComplete);
  if (isLoading) return phrases.loadingRest(count);
  if (!actions?.list) return startsAreTruncated ? words.someStartFolders : words.startFolders;
  return phrases.entries(folders.length, objects.length, isComplete);
}

/** Returns the text that stands for the list. */
function noteOf(state, count) {
  const { phase, error, actions, filter } = state;
  if (phase === "failed") return reason(error);
  if (phase === "loading" && state.isWaiting) return navigator.onLine ? words.waiting : words.waitingOffline;
  if (phase === "loading") return count === 0 ? words.loading : "";
  if (Object.keys(actions).length === 0 && count === 0) return words.noAccess;
  if (!actions.list && count === 0) return uploadLimits(state) ? words.uploadOnly : words.notListed;
  if (count === 0) return isCreated(prefixOf(state.folder)) ? words.emptyCreated : words.empty;
  if (matches.length > 0) return "";
  return isLoadingRest(state) ? phrases.searching(count) : phrases.noMatch(count, filter.trim());
}

/** Sorts entries, which are sorted by name. Folders have no size and no date. */
function sorted(entries, { by, isDescending }) {
  if (by === "name") return isDescending ? [...entries].reverse() : entries;
  if (entries[0]?.isFolder) return entries;
  const sign = isDescending ? -1 : 1;
  return [...entries].sort((a, b) => sign * (Number(a[by]) - Number(b[by])) || byName(a, b));
}

function viewColumns({ by, isDescending }) {
  for (const button of element("columns").querySelectorAll("[data-sort]")) {
    const isChosen = button.dataset.sort === by;
    button.setAttribute("aria-pressed", String(isChosen));
    button.dataset.order = isChosen ? (isDescending ? "descending" : "ascending") : "";
    button.title = isChosen ? (isDescending ? words.descending : words.ascending) : "";
  }
}

function row(entry) {
  const { isFolder, path, name, size: bytes, lastModified } = entry;
  const node = createRow(
    "entry", isFolder ? "folder" : kindOf(name), name, name, entry.isCreated ? words.createdNote : "");
  if (isFolder || state.actions?.get) {
    const opener = document.createElement(isFolder ? "a" : "button");
    opener.className = "open";
    if (isFolder) opener.href = fragment(path.slice(0, -1));
    else opener.addEventListener("click", () => perform.open(entry));
    opener.append(...node.querySelector(".name").childNodes);
    node.querySelector(".name").append(opener);
  }
  if (isFolder) {
    node.classList.add("folder");
    return node;
  }
  setText(node.querySelector(".size"), size(bytes));
  setText(node.querySelector(".state"), day(lastModified));
  node.querySelector(".state").title = moment(lastModified);
  const box = checkbox(phrases.actionOn(words.select, name), (event) => select(
    [entry], event.target.checked, event.shiftKey ? matches.filter(isFile) : undefined));
  node.prepend(box);
  return node;
}

/** Returns the actions of a row. Those of a folder are possible where all that is below it is listed. */
function actionsOf({ isFolder }, actions) {
  if (isFolder && !actions?.list) return [];
  const canSave = actions?.get && (!isFolder || canSaveAll);
  return [(isFolder || actions?.get) && "link", canSave && "download", actions?.delete && "delete"].filter(Boolean);
}

/** Shows what the folder allows, and whether the row is selected. */
function showRow(entry, node) {
  const { actions, selected } = state, isSelected = selected.has(entry.path), names = actionsOf(entry, actions);
  if (!entry.isFolder) {
    node.classList.toggle("selected", isSelected);
    node.querySelector("input").checked = isSelected;
    node.querySelector("input").hidden = !canSelect(actions);
  }
  if (node.dataset.actions === names.join()) return;
  node.dataset.actions = names.join();
  node.querySelector(".actions").replaceChildren(...names.map((action) =>
    actionButton(action, entry.name, () => perform[action](entry))));
}
