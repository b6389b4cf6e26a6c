/** The current folder: what the user may do in it, and its files. */
import { accepted, isUnauthorized, refused, service } from "./connection.js";
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
  try {
    const prefix = prefixOf(folder);
    const [ofList, ofFile] = await Promise.all(
      [prefix, prefix + SAMPLE].map((path) => service.permissions(path)));
    if (own !== visit) return;
    actions = { ...(ofFile ?? ASSUMED), ...ofList };
    update({ actions, access: accepted() });
    const first = actions.list ? await page(prefix) : NOTHING;
    if (own === visit) update({ ...first, phase: "ready" });
  } catch (error) {
    if (own !== visit) return;
    if (isUnauthorized(error)) {
      update({ ...NOTHING, access: refused(), actions: {}, phase: "ready" });
      return;
    }
    // The service checks the caller before the path.
    const isAccepted = error.source === "presign" && error.status === 400;
    update({ phase: "failed", error, actions, access: isAccepted ? accepted() : state.access });
  }
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
