/** The list of a folder, and the breadcrumbs to it. */
import { fragment } from "./address.js";
import { actionButton, createRow, element, setNote, setText } from "./dom.js";
import { kindOf } from "./files.js";
import { day, moment, size } from "./format.js";
import { phrases, reason, technical, words } from "./words.js";

/** The number of entries from which the list can be filtered. */
const FILTERABLE = 8;

/** Shows the breadcrumbs of the current folder. */
export function viewCrumbs({ folder }) {
  if (element("crumbs").dataset.folder === folder) return;
  element("crumbs").dataset.folder = folder;
  const segments = folder.split("/").filter(Boolean);
  const folders = ["", ...segments.map((_, index) => segments.slice(0, index + 1).join("/"))];
  element("crumbs").replaceChildren(...folders.map((path) => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.textContent = last(path) || words.root;
    link.href = fragment(path);
    if (path === folder) link.setAttribute("aria-current", "page");
    item.append(link);
    return item;
  }));
}

/** The rows by entry, so that a change of the list keeps the focus. */
let rows = new Map();
/** What is shown now. The progress of uploads changes nothing of it. */
let shown = [];

/** Shows the files of the folder. `perform` has the actions `link` and `download`. */
export function viewListing(state, perform) {
  const { folders, objects, phase, filter, actions, access, error, continuationToken } = state;
  const input = [folders, objects, phase, filter, actions, access, error, continuationToken];
  if (input.every((value, index) => value === shown[index])) return;
  shown = input;
  const entries = [...folders.map((path) => ({ isFolder: true, path })), ...objects];
  const search = filter.trim().toLowerCase();
  const matches = entries.filter(({ path }) => last(path).toLowerCase().includes(search));
  const isComplete = continuationToken === undefined;
  const isShutOut = access !== "accepted" && phase === "ready" && Object.keys(actions).length === 0;
  element("listing").hidden = isShutOut || (access === "unknown" && phase !== "failed");
  element("listing").setAttribute("aria-busy", String(phase === "loading"));
  element("entries").hidden = matches.length === 0;
  element("filter").hidden = entries.length < FILTERABLE;
  if (filter === "") element("filter").value = "";
  element("more").hidden = isComplete;
  setText(element("listing-title"),
    entries.length === 0 ? words.listing : phrases.entries(folders.length, objects.length, isComplete));
  element("listing-title").classList.toggle("unseen", entries.length === 0);
  const note = noteOf(state, entries.length, matches.length);
  setNote(element("listing-note").firstElementChild, note, phase === "failed" ? technical(error) : "");
  element("listing-note").hidden = note === "";
  element("reload").hidden = phase !== "failed" || !(error.retryable || error.status >= 500);
  viewRows(matches, Boolean(actions?.get), perform);
}

const last = (path) => path.split("/").filter(Boolean).at(-1) ?? "";

/** Returns the text that stands for the list. */
function noteOf({ phase, error, actions }, count, matchCount) {
  if (phase === "failed") return reason(error);
  if (phase === "loading") return count === 0 ? words.loading : "";
  if (Object.keys(actions).length === 0) return words.noAccess;
  if (!actions.list) return words.notListed;
  if (count === 0) return words.empty;
  return matchCount === 0 ? words.noMatch : "";
}

function viewRows(matches, canRead, perform) {
  const keyOf = ({ path, size: bytes, lastModified }) => [canRead, bytes, Number(lastModified), path].join();
  rows = new Map(matches.map((entry) => [keyOf(entry), rows.get(keyOf(entry)) ?? row(entry, canRead, perform)]));
  const list = element("entries"), wanted = new Set(rows.values());
  for (const node of [...list.children]) if (!wanted.has(node)) node.remove();
  // Rows that are in their place are not touched, which keeps the focus and is fast.
  let next = list.firstElementChild;
  for (const node of wanted) {
    if (node === next) next = next.nextElementSibling;
    else list.insertBefore(node, next);
  }
}

function row({ isFolder, path, size: bytes, lastModified }, canRead, perform) {
  const name = last(path);
  const node = createRow("entry", isFolder ? "folder" : kindOf(name), name, name);
  if (isFolder) {
    node.classList.add("folder");
    const link = document.createElement("a");
    link.href = fragment(path.slice(0, -1));
    link.append(...node.querySelector(".name").childNodes);
    node.querySelector(".name").append(link);
    return node;
  }
  setText(node.querySelector(".size"), size(bytes));
  setText(node.querySelector(".state"), day(lastModified));
  node.querySelector(".state").title = moment(lastModified);
  if (!canRead) return node;
  node.querySelector(".actions").append(...["link", "download"].map((action) =>
    actionButton(action, name, () => perform[action]({ path, name }))));
  return node;
}
