/** The list of a folder, and the breadcrumbs to it. */
import { fragment } from "./address.js";
import { actionButton, copy, element, setIcon, setName, setText } from "./dom.js";
import { kindOf } from "./files.js";
import { prefixOf } from "./folder.js";
import { day, moment, size } from "./format.js";
import { phrases, reason, words } from "./words.js";

/** The number of entries from which the list can be filtered. */
const FILTERABLE = 8;

/** Shows the breadcrumbs of the current folder. */
export function viewCrumbs({ folder }) {
  const list = element("crumbs");
  if (list.dataset.folder === folder) return;
  list.dataset.folder = folder;
  const segments = folder === "" ? [] : folder.split("/");
  list.replaceChildren(crumb(words.root, "", segments.length === 0), ...segments.map((name, index) =>
    crumb(name, segments.slice(0, index + 1).join("/"), index === segments.length - 1)));
}

function crumb(name, folder, isLast) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.textContent = name;
  link.href = fragment(folder);
  if (isLast) link.setAttribute("aria-current", "page");
  item.append(link);
  return item;
}

/** The rows by path, so that a change of the list keeps the focus. */
const rows = new Map();

/** Shows the files of the folder. `perform` has the actions `link` and `download`. */
export function viewListing(state, perform) {
  const { folders, objects, phase, filter, actions, access } = state;
  const isSignedOut = access === "required" || access === "rejected";
  element("listing").hidden = isSignedOut || access === "unknown" && phase !== "failed";
  const search = filter.trim().toLowerCase();
  const entries = [...folders.map(folderEntry), ...objects.map(fileEntry)];
  const shown = entries.filter(({ name }) => name.toLowerCase().includes(search));
  const wanted = shown.map((entry) => row(entry, actions, perform));
  const list = element("entries");
  if (wanted.length !== list.children.length || wanted.some((node, index) => node !== list.children[index])) {
    list.replaceChildren(...wanted);
  }
  for (const path of rows.keys()) if (!entries.some((entry) => entry.path === path)) rows.delete(path);
  list.hidden = shown.length === 0;
  element("listing").setAttribute("aria-busy", String(phase === "loading"));
  element("filter").hidden = entries.length < FILTERABLE;
  element("more").hidden = state.continuationToken === undefined;
  setText(element("listing-title"), entries.length === 0 ? words.listing
    : phrases.entries(folders.length, objects.length, state.continuationToken === undefined));
  viewNote(noteOf(state, entries.length, shown.length), phase === "failed");
}

const last = (path) => path.split("/").filter(Boolean).at(-1) ?? path;
const folderEntry = (path) => ({ isFolder: true, path, name: last(path) });
const fileEntry = (object) => ({ ...object, name: last(object.path) });

/** Returns the text that stands for the list. */
function noteOf({ phase, error, actions, access }, count, shownCount) {
  if (phase === "failed") return reason(error);
  if (phase === "loading") return count === 0 ? words.loading : "";
  const isClosed = actions && Object.keys(actions).length === 0;
  if (isClosed) return access === "guest" ? words.noAccessGuest : words.noAccess;
  if (!actions?.list) return words.notListed;
  if (count === 0) return words.empty;
  return shownCount === 0 ? words.noMatch : "";
}

function viewNote(text, isFailed) {
  setText(element("listing-note").querySelector("p"), text);
  element("listing-note").hidden = text === "";
  element("reload").hidden = !isFailed;
}

function row(entry, actions, perform) {
  const known = rows.get(entry.path);
  if (known && known.entry.size === entry.size && known.canRead === Boolean(actions?.get)) return known.node;
  const node = copy("entry-row");
  setIcon(node, entry.isFolder ? "folder" : kindOf(entry.name));
  setName(node, entry.name, entry.name);
  if (entry.isFolder) asFolder(node, entry);
  else asFile(node, entry, actions, perform);
  rows.set(entry.path, { node, entry, canRead: Boolean(actions?.get) });
  return node;
}

function asFolder(node, { path, name }) {
  node.classList.add("folder");
  const link = document.createElement("a");
  link.href = fragment(path.replace(/\/$/, ""));
  link.setAttribute("aria-label", phrases.folderRow(name));
  link.append(...node.querySelector(".name").childNodes);
  node.querySelector(".name").append(link);
}

function asFile(node, entry, actions, perform) {
  setText(node.querySelector(".size"), size(entry.size));
  setText(node.querySelector(".date"), day(entry.lastModified));
  node.querySelector(".date").title = moment(entry.lastModified);
  node.classList.toggle("new", entry.isNew === true);
  if (!actions?.get) return;
  node.querySelector(".actions").append(...["link", "download"].map((action) =>
    actionButton(action, entry.name, false, () => perform[action](entry))));
}
