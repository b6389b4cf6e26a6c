/** The current folder: what the user may do in it, and its files. */
import {
  caller as askCaller, isBlocked, isUnauthorized, listPage, NO_ROOTS, permissions, roots,
} from "./connection.js";
import { addCreated, createdBelow, idOf, keep, kept, refuse, settle } from "./key.js";
import { byName, settings } from "./language.js";
import { hasToken, provider } from "./provider.js";
import { state, update, uploadLimits } from "./state.js";
import { reason, technical } from "./words.js";

/** The name of a file that stands for every file of a folder when asking for permissions. */
const SAMPLE = "new-file";
/** The number of entries that are listed at first, and with each further request. */
const FIRST_PAGE = 200, PAGE = 1000;
/** The number of names up to which the rest is loaded by itself. */
const MAX_LOADED = 50_000;

/** The name under which the tab keeps what was listed last, and with which key. */
const LISTED = "presign.listed";

const NOTHING = {
  folders: [], objects: [], continuationToken: undefined, filter: "", selected: new Set(), isSelectingAll: false,
  isStopped: false,
};
/** The current visit of a folder, and the one whose rest is being loaded, with the promise of its end. */
let visit, restOf;
/** The entries of the folder by path. */
let known = new Map();

/**
 * A file or folder in the listing.
 *
 * @typedef {{path: string, name: string, isFolder: boolean, isCreated?: boolean, size?: number, lastModified?: Date}}
 *   Entry `isCreated` is true of a folder that only this tab knows.
 */

export const prefixOf = (folder) => (folder === "" ? "" : `${folder}/`);

/**
 * Opens a folder. Ends when its permissions and its first page are known, or another folder is opened.
 *
 * @param {boolean} [isRenewed] whether the token was renewed because the service had refused it.
 */
export async function openFolder(folder, isRenewed = false) {
  const own = visit = {};
  const isOther = folder !== state.folder;
  let actions;
  update({
    folder, phase: "loading", error: undefined, isWaiting: false, notice: "", noticeDetails: "",
    ...(isOther ? NOTHING : {}),
  });
  // Without guests, a proxy or certificates, every request would be refused.
  if (settings.needsCredentials && state.key === "" && !hasToken()) return shutOut();
  const prefix = prefixOf(folder), identified = identify(own);
  const starts = folder === "" ? roots() : undefined;
  // A folder that was listed before is requested at once, instead of after its permissions.
  const early = kept(LISTED) === listingOf(prefix) ? page(prefix, FIRST_PAGE).catch(() => undefined) : undefined;
  try {
    const asked = [prefix, prefix + SAMPLE].map(permissions);
    const [ofList, ofFile] = await Promise.all([...asked, identified]);
    if (own !== visit) return;
    actions = { ...ofFile, ...ofList };
    update({ actions });
    const list = async () => await early ?? await page(prefix, FIRST_PAGE);
    // Where the folder is listed, its own folders are in the listing.
    const below = starts ?? (actions.list ? NO_ROOTS : roots());
    const [first, starting] = await Promise.all([actions.list ? list() : NOTHING, below]);
    if (own !== visit) return;
    keep(LISTED, actions.list ? listingOf(prefix) : "");
    known = new Map();
    const { folders, areTruncated: startsAreTruncated } = starting;
    const entries = merged(NOTHING, first, within(prefix, folders));
    update({ ...NOTHING, filter: state.filter, startsAreTruncated, ...entries, phase: "ready" });
    showCreated(prefix);
    loadRest();
  } catch (error) {
    // Also where the path is invalid, the page shows who the user is.
    await identified.catch(() => {});
    if (own !== visit) return;
    if (isUnauthorized(error)) {
      // The provider may have withdrawn the key with which it signed the token.
      const renewal = hasToken() && !isRenewed ? await provider.renew().catch((cause) => cause) : false;
      if (own !== visit) return;
      if (renewal === true) return openFolder(folder, true);
      if (renewal === false) shutOut(error);
      // The provider may respond later, and renew the sign-in.
      else update({ phase: "failed", error: renewal, actions });
    } else {
      if (await isBlocked(error, prefix)) error.code = "OriginNotAllowed";
      if (own === visit) update({ phase: "failed", error, actions });
    }
  }
}

const listingOf = (prefix) => `${idOf(state.key)}/${prefix}`;

/** Returns the folders below a prefix at which the user can start. */
const within = (prefix, roots) => roots.filter((root) => root.startsWith(prefix) && root !== prefix)
  .map((root) => folderEntry(root, prefix));

/** Asks who the user is, once for each key. */
async function identify(own) {
  const caller = state.caller ?? await askCaller();
  if (own === visit) update({ caller, access: caller.scheme === "guest" ? "guest" : "accepted" });
}

/** Forgets the key or token after a request was refused, unless it was sent with an earlier one. */
export async function recheck(error) {
  if (state.key === "" && !hasToken()) shutOut(error);
  else await openFolder(state.folder);
}

/** Forgets the key or token, and what it had shown. */
function shutOut(error) {
  refuse(error);
  update({ ...NOTHING, actions: {}, phase: "ready" });
}

/** Adds the next page of the listing. Returns whether that succeeded. */
export async function listMore() {
  const own = visit;
  try {
    const next = await page(prefixOf(state.folder), PAGE, state.continuationToken);
    if (own === visit) update(merged(state, next));
    return true;
  } catch (error) {
    if (own === visit) update({ notice: reason(error), noticeDetails: technical(error), isStopped: true });
    return false;
  }
}

/** Filters the listing by name. A name may be in any of its pages. */
export function search(filter) {
  update({ filter, notice: "", noticeDetails: "", isStopped: false });
  loadRest();
}

/**
 * Loads the rest of the names while the filter, the order or the selection needs all of them.
 *
 * @returns {Promise<boolean>} whether the folder is still the same.
 */
export function loadRest() {
  if (restOf?.visit !== visit) {
    const loading = restOf = { visit };
    loading.end = load(visit).finally(() => { if (restOf === loading) restOf = undefined; });
  }
  return restOf.end;
}

async function load(own) {
  while (own === visit && isLoadingRest(state) && await listMore());
  return own === visit;
}

/** Whether the rest of the names is being loaded. */
export const isLoadingRest = ({ phase, continuationToken, objects, isStopped, ...needs }) =>
  phase === "ready" && continuationToken !== undefined && objects.length < MAX_LOADED && !isStopped && needsAll(needs);

const needsAll = ({ isSelectingAll, filter, sort }) =>
  isSelectingAll || filter.trim() !== "" || sort.by !== "name" || sort.isDescending;

async function page(prefix, maxKeys, continuationToken) {
  const list = await listPage(prefix, { maxKeys, continuationToken });
  const entry = ({ path, size, lastModified }) => fileEntry(path, size, lastModified);
  return {
    folders: list.folders.map((path) => folderEntry(path, prefix)),
    // Some tools create an empty object for the folder itself.
    objects: list.objects.filter(({ path }) => path !== prefix).map(entry), continuationToken: list.continuationToken,
  };
}

const last = (path) => path.split("/").filter(Boolean).at(-1) ?? "";
const fileEntry = (path, size, lastModified) => ({ path, name: last(path), isFolder: false, size, lastModified });
const folderEntry = (path, prefix) => ({ path, name: path.slice(prefix.length, -1), isFolder: true });

/** Returns the lists with the entries that are not among them, sorted by name. */
function merged({ folders, objects }, { folders: newFolders, objects: newObjects, continuationToken }, others = []) {
  for (const { path } of newFolders) if (known.get(path)?.isCreated) known.delete(path);
  const isNew = ({ path }) => !known.has(path);
  const add = (entries) => entries.filter(isNew).map((entry) => {
    known.set(entry.path, entry);
    return entry;
  });
  return {
    folders: [...folders.filter(({ path }) => known.has(path)), ...add(newFolders), ...add(others)].sort(byName),
    objects: mergedSorted(objects, add(newObjects).sort(byName)), continuationToken,
  };
}

/** Merges two sorted lists. Sorting both together would compare many more names, which is slow. */
function mergedSorted(first, second) {
  const result = [];
  let index = 0;
  for (const entry of second) {
    while (index < first.length && byName(first[index], entry) <= 0) result.push(first[index++]);
    result.push(entry);
  }
  while (index < first.length) result.push(first[index++]);
  return result;
}

/** Returns the object at a path; null if it does not exist; undefined if the listing does not show it. */
export function lookUp(path) {
  const { folder, continuationToken, phase, actions } = state;
  const prefix = prefixOf(folder);
  if (!actions?.list || phase !== "ready" || !path.startsWith(prefix)) return undefined;
  const rest = path.slice(prefix.length), end = rest.indexOf("/");
  // Of a folder that is listed, the content is unknown.
  const found = known.get(end < 0 ? path : prefix + rest.slice(0, end + 1));
  if (found) return end < 0 ? found : undefined;
  return continuationToken === undefined ? null : undefined;
}

/** Adds an uploaded file, or the folder that has it, to the listing. */
export function note(path, size) {
  settle(path);
  const prefix = prefixOf(state.folder);
  if (!state.actions?.list || state.phase !== "ready" || !path.startsWith(prefix)) return;
  const rest = path.slice(prefix.length), end = rest.indexOf("/");
  const entry = end < 0 ? fileEntry(path, size, new Date()) : folderEntry(prefix + rest.slice(0, end + 1), prefix);
  if (!entry.isFolder || (known.get(entry.path)?.isCreated ?? true)) put(entry);
}

/** Adds an entry, or replaces the one with its path. */
function put(entry) {
  const list = entry.isFolder ? "folders" : "objects", others = without(state[list], known.get(entry.path));
  known.set(entry.path, entry);
  update({ [list]: mergedSorted(others, [entry]) });
}

/**
 * Creates a folder for this tab.
 *
 * @param {string} name can have several segments.
 * @returns {Promise<string|undefined>} the path of its first segment, which is in the listing; undefined if the user
 *   cannot upload to the folder.
 */
export async function createFolder(name) {
  const own = visit, prefix = prefixOf(state.folder), segments = name.split("/");
  const actions = await permissions(`${prefix}${name}/${SAMPLE}`);
  if (!uploadLimits({ actions })) return undefined;
  addCreated(segments.map((_, index) => `${prefix}${segments.slice(0, index + 1).join("/")}/`));
  if (own === visit) {
    update({ filter: "" });
    showCreated(prefix);
  }
  return `${prefix}${segments[0]}/`;
}

/** Shows the created folders that are not listed. */
function showCreated(prefix) {
  for (const path of createdBelow(prefix)) {
    if (!known.has(path)) put({ ...folderEntry(path, prefix), isCreated: true });
  }
}

const without = (entries, entry) => (entry === undefined ? entries : entries.filter((other) => other !== entry));

/** Removes a deleted file or folder from the listing. */
export function forget(path) {
  const entry = known.get(path), selected = new Set(state.selected);
  known.delete(path);
  selected.delete(path);
  update({ folders: without(state.folders, entry), objects: without(state.objects, entry), selected });
}
