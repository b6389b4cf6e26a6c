/** What the page shows. Modules change it with `update`; the views are called afterwards. */
export const state = {
  /** The API key, or "". */
  key: "",
  /** @type {"unknown"|"accepted"|"guest"|"required"|"rejected"} what the service says to the key, or to none. */
  access: "unknown",
  /** @type {import("../presign.d.ts").Caller|undefined} who the service takes the user for. */
  caller: undefined,
  /** The id of the key that was rejected. */
  refusedID: "",
  /** Why signing in with the identity provider failed, or the service refused the token. */
  signInError: undefined,
  isAccountOpen: false,
  /** Whether the user asked for the form for an API key instead of the identity provider. */
  isKeyWanted: false,
  /** Key and folder of a link, until the user decides whether to use the key. */
  offer: undefined,
  /** The path of the folder without a slash at its end; "" for the top. */
  folder: "",
  /** @type {import("../presign.d.ts").Permissions|undefined} for a file and for the listing of the folder. */
  actions: undefined,
  /** @type {"loading"|"ready"|"failed"} */
  phase: "loading",
  error: undefined,
  /** Whether a request for the folder waits for the network or the server. */
  isWaiting: false,
  /** @type {import("./folder.js").Entry[]} the folders in this one that are listed or can be opened, by name. */
  folders: [],
  /** @type {import("./folder.js").Entry[]} the files of the folder that were loaded, by name. */
  objects: [],
  continuationToken: undefined,
  /** Whether there can be more folders at which the user can start. */
  startsAreTruncated: false,
  filter: "",
  /** Whether all files are selected as soon as their names are loaded. */
  isSelectingAll: false,
  /** Whether the user has stopped loading the rest of the names, or it failed. */
  isStopped: false,
  /** @type {{by: "name"|"size"|"lastModified", isDescending: boolean}} */
  sort: { by: "name", isDescending: false },
  /** The paths of the selected files. Changed as a whole. @type {Set<string>} */
  selected: new Set(),
  /** A failure that belongs to no row. */
  notice: "",
  noticeDetails: "",
  /** @type {import("./queue.js").Item[]} */
  items: [],
  isPaused: false,
  /** Whether the rows are shown when all are uploaded. */
  isExpanded: false,
};

/** The limits of an upload to the folder, or undefined if uploads are not allowed. */
export const uploadLimits = ({ actions }) => actions?.write ?? actions?.multipart;

/** Milliseconds between updates of the views in a hidden tab, for which browsers draw no frames. */
const DELAY = 250;
const views = [];
let frame, timer;

/** Calls a view after every change. */
export const watch = (view) => { views.push(view); };

/** Changes the state. The views are called once per frame. */
export function update(changes = {}) {
  Object.assign(state, changes);
  if (document.hidden) timer ??= setTimeout(render, DELAY);
  else frame ??= requestAnimationFrame(render);
}

function render() {
  cancelAnimationFrame(frame);
  clearTimeout(timer);
  frame = timer = undefined;
  for (const view of views) view(state);
}

// A frame that was requested may not be drawn any more.
document.addEventListener("visibilitychange", () => { if (frame !== undefined) update(); });
