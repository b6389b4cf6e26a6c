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
  isAccountOpen: false,
  /** Key and folder of a link, until the user decides whether to use the key. */
  offer: undefined,
  /** The path of the folder without a slash at its end; "" for the top. */
  folder: "",
  /** @type {import("../presign.d.ts").Permissions|undefined} for a file and for the listing of the folder. */
  actions: undefined,
  /** @type {"loading"|"ready"|"failed"} */
  phase: "loading",
  error: undefined,
  folders: [],
  objects: [],
  continuationToken: undefined,
  filter: "",
  /** A failure that belongs to no row. */
  notice: "",
  noticeDetails: "",
  /** @type {import("./queue.js").Item[]} */
  items: [],
  isPaused: false,
  /** Whether the rows are shown when all are uploaded. */
  isExpanded: false,
};

/** Milliseconds in which several changes become one update of the views. */
const DELAY = 30;
const views = [];
let timer;

/** Calls a view after every change. */
export const watch = (view) => { views.push(view); };

/** Changes the state. A timer, unlike an animation frame, also runs in a hidden tab. */
export function update(changes = {}) {
  Object.assign(state, changes);
  timer ??= setTimeout(() => {
    timer = undefined;
    for (const view of views) view(state);
  }, DELAY);
}
