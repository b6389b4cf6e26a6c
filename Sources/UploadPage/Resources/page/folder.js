/** The current folder: what the user may do in it, and its files. */
import { isUnauthorized, service } from "./connection.js";
import { idOf, refuse } from "./key.js";
import { state, update } from "./state.js";
import { reason, technical } from "./words.js";

/** The name of a file that stands for every file of a folder when asking for permissions. */
const SAMPLE = "new-file";
/** The number of entries that are listed at once. */
const PAGE = 500;

const order = new Intl.Collator("en", { numeric: true });
/** What is assumed of a service that does not report permissions. */
const ASSUMED = { get: { expiresIn: { default: 3600, max: 604800 } }, write: {} };
const NOTHING = { folders: [], objects: [], continuationToken: undefined, filter: "" };
let visit;

export const prefixOf = (folder) => (folder === "" ? "" : `${folder}/`);

/** Opens a folder. Ends when its permissions and its first page are known, or another folder is opened. */
export async function openFolder(folder) {
  const own = visit = {};
  const isOther = folder !== state.folder;
  let actions;
  update({ folder, phase: "loading", error: undefined, notice: "", noticeDetails: "", ...(isOther ? NOTHING : {}) });
  const prefix = prefixOf(folder), identified = identify(own);
  try {
    const asked = [prefix, prefix + SAMPLE].map((path) => service.permissions(path));
    const [ofList, ofFile] = await Promise.all([...asked, identified]);
    if (own !== visit) return;
    actions = { ...(ofFile ?? ASSUMED), ...ofList };
    update({ actions });
    const first = actions.list ? await page(prefix) : NOTHING;
    if (own === visit) update({ ...first, phase: "ready" });
  } catch (error) {
    // Also where the path is invalid, the page shows who the user is.
    await identified.catch(() => {});
    if (own !== visit) return;
    if (isUnauthorized(error)) {
      refuse();
      update({ ...NOTHING, actions: {}, phase: "ready" });
    } else {
      update({ phase: "failed", error, actions });
    }
  }
}

/** Asks who the user is, once for each key. */
async function identify(own) {
  const caller = state.caller ?? await service.caller() ?? assumedCaller();
  if (own === visit) update({ caller, access: caller.scheme === "guest" ? "guest" : "accepted" });
}

const assumedCaller = () =>
  (state.key === "" ? { scheme: "guest" } : { scheme: "apiKey", apiKey: idOf(state.key) });

/** Forgets the key after a request was refused, unless it was sent with an earlier key. */
export async function recheck() {
  if (state.key === "") refuse();
  else await openFolder(state.folder);
}

/** Adds the next page of the listing. */
export async function listMore() {
  const own = visit;
  try {
    const next = await page(prefixOf(state.folder), state.continuationToken);
    if (own !== visit) return;
    update({
      ...next, folders: [...state.folders, ...next.folders], objects: sorted([...state.objects, ...next.objects]),
    });
  } catch (error) {
    if (own === visit) update({ notice: reason(error), noticeDetails: technical(error) });
  }
}

async function page(prefix, continuationToken) {
  const list = await service.list(prefix, { delimiter: "/", maxKeys: PAGE, continuationToken });
  // Some tools create an empty object for the folder itself.
  const objects = list.objects.filter(({ path }) => path !== prefix);
  return { folders: list.folders, objects: sorted(objects), continuationToken: list.continuationToken };
}

const sorted = (objects) => objects.sort((a, b) => order.compare(a.path, b.path));

/** Returns the object at a path; null if it does not exist; undefined if the listing is incomplete. */
export function lookUp(path) {
  const { folder, objects, continuationToken, phase, actions } = state;
  if (!actions?.list || phase !== "ready" || !isIn(folder, path)) return undefined;
  return objects.find((object) => object.path === path) ?? (continuationToken === undefined ? null : undefined);
}

/** Adds an uploaded file to the listing. */
export function note(path, size) {
  if (!state.actions?.list || !isIn(state.folder, path)) return;
  const others = state.objects.filter((object) => object.path !== path);
  update({ objects: sorted([...others, { path, size, lastModified: new Date() }]) });
}

const isIn = (folder, path) => path.slice(0, path.lastIndexOf("/") + 1) === prefixOf(folder);
