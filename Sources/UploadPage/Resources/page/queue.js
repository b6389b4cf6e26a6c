/** The uploads: one queue for all files that are chosen, with a check for existing files before each is sent. */
import { isUnauthorized, service } from "./connection.js";
import { announce } from "./dom.js";
import { lookUp, note, prefixOf, recheck } from "./folder.js";
import { state, update } from "./state.js";
import { phrases, reason, states } from "./words.js";

/** The maximum number of simultaneous checks for existing files. */
const MAX_CHECKS = 4;
/** States that only the user changes. */
const ENDED = new Set(["done", "failed", "cancelled", "exists", "interrupted"]);

/** A file to be uploaded: one row. */
export class Item {
  /** @type {import("../presign.d.ts").Transfer|undefined} */
  transfer;
  /** What the library does: "signing", "uploading" or "pausing". */
  stage;
  /** The object at the path: `{size, lastModified}`. */
  existing;
  isReplacing = false;
  isBeingChecked = false;
  /** Whether another file than the interrupted one was chosen. */
  isOther = false;
  /** The state before there is a transfer. */
  phase = "checking";

  /** @param {object} members path, name, size, type, and `file` or `unfinished`. */
  constructor(members) {
    Object.assign(this, members);
    this.permission = state.actions?.write ?? state.actions?.multipart ?? {};
    this.canRead = state.actions?.get !== undefined;
    if (this.unfinished) this.phase = "interrupted";
  }

  get state() {
    if (!this.transfer) return this.phase;
    const isTaken = this.transfer.state === "failed" && this.transfer.error.code === "PreconditionFailed";
    return isTaken && this.permission.overwrite !== false ? "exists" : this.transfer.state;
  }

  get error() { return this.transfer?.error; }
  get loaded() { return this.transfer?.progress.loaded ?? this.unfinished?.loaded ?? 0; }
  get isEnded() { return ENDED.has(this.state); }
  get canRetry() { return this.state === "cancelled" || (this.state === "failed" && this.transfer.isResumable); }
}

export const needsUser = (item) => ["failed", "exists", "interrupted"].includes(item.state);
const inState = (...names) => state.items.filter((item) => names.includes(item.state));
const isSame = (a, b) => a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;
let group, checks = 0;

/** Adds files, and continues the interrupted uploads among them. */
export function add(files) {
  for (const file of files) {
    const path = prefixOf(state.folder) + file.name;
    const interrupted = inState("interrupted").find(({ unfinished }) => isSame(unfinished.file, file));
    const old = state.items.find((item) => item.path === path && item.state !== "interrupted");
    if (interrupted) continueWith(interrupted, file);
    else if (old && !old.isEnded) announce(phrases.duplicate(file.name));
    else {
      if (old) perform.skip(old);
      state.items.push(new Item({ file, path, name: file.name, size: file.size, type: file.type }));
    }
  }
  if (files.length > 1) announce(phrases.added(files.length));
  check();
  update({ isExpanded: false });
}

/** Shows the uploads that an earlier visit has left unfinished. */
export async function showInterrupted() {
  for (const unfinished of await service.transfers()) {
    const { path, file } = unfinished;
    if (state.items.some((item) => item.path === path)) continue;
    state.items.push(new Item({ path, name: file.name, size: file.size, unfinished }));
  }
  update();
}

/** Continues an interrupted upload, unless this is another file. */
export function continueWith(item, file) {
  item.isOther = !isSame(item.unfinished.file, file);
  if (!item.isOther) start(Object.assign(item, { file, type: file.type }));
}

/** Starts the items that are checked, in order. */
function check() {
  for (const item of inState("checking")) {
    if (checks >= MAX_CHECKS) return;
    if (item.isBeingChecked) continue;
    const found = item.isReplacing ? null : lookUp(item.path);
    if (found === undefined && item.canRead) ask(item);
    else decide(item, found);
  }
}

/** Asks the storage for the object at the path of an item. */
async function ask(item) {
  item.isBeingChecked = true;
  checks += 1;
  // If the storage does not tell: an upload never replaces an object unless the user has agreed.
  const found = await service.head(item.path).catch(() => null);
  checks -= 1;
  item.isBeingChecked = false;
  if (item.phase === "checking" && state.items.includes(item)) decide(item, found);
  check();
}

function decide(item, found) {
  if (!found) return start(item);
  Object.assign(item, { existing: found, phase: "exists" });
  announce(phrases.news(item.name, phrases.exists("")));
  update();
}

function start(item) {
  group ??= service.uploadAll([]);
  if (state.isPaused) group.pause();
  const [transfer] = group.add([item.file], {
    path: () => item.path, overwrite: item.isReplacing ? undefined : false, onStage: (stage) => { item.stage = stage; },
  });
  item.transfer = transfer;
  transfer.addEventListener("progress", () => update());
  transfer.addEventListener("statechange", () => { if (item.transfer === transfer) changed(item); });
  update();
}

function changed(item) {
  if (item.state === "done") note(item.path, item.size);
  if (item.state === "failed") announce(phrases.news(item.name, reason(item.error, item.permission)));
  if (item.state === "exists") announce(phrases.news(item.name, phrases.exists("")));
  if (item.error && isUnauthorized(item.error)) recheck();
  if (state.items.every(({ isEnded }) => isEnded)) {
    group = undefined;
    state.isPaused = false;
    announce(state.items.length > 1 ? phrases.counts(counts()) : phrases.news(item.name, states[item.state]));
  }
  update();
}

/** The number of items by state; those that the queue will end are moving. */
export function counts() {
  const all = { done: 0, failed: 0, exists: 0, interrupted: 0, cancelled: 0, paused: 0, moving: 0 };
  for (const item of state.items) all[item.state in all ? item.state : "moving"] += 1;
  return all;
}

function restart(item) {
  Object.assign(item, { transfer: undefined, phase: "checking" });
  check();
}

/** The actions of a row. */
export const perform = {
  pause: (item) => item.transfer.pause(),
  resume: (item) => item.transfer.resume(),
  cancel(item) {
    if (item.transfer) item.transfer.cancel();
    else item.phase = "cancelled";
  },
  retry(item) {
    if (item.state === "failed") item.transfer.resume();
    else restart(item);
  },
  replace(item) {
    item.isReplacing = true;
    restart(item);
  },
  skip: (item) => state.items.splice(state.items.indexOf(item), 1),
  remove(item) {
    if (item.state === "interrupted") item.unfinished.cancel();
    perform.skip(item);
  },
};

/** The actions of the whole list, by the ids of their buttons. */
export const performAll = {
  pause() {
    state.isPaused = true;
    group?.pause();
  },
  resume() {
    state.isPaused = false;
    group?.resume();
  },
  cancel() {
    group?.cancel();
    for (const item of state.items) if (!item.isEnded) perform.cancel(item);
  },
  "retry-failed": () => inState("failed").filter(({ canRetry }) => canRetry).forEach(perform.retry),
  "replace-all": () => inState("exists").forEach(perform.replace),
  "skip-all": () => inState("exists").forEach(perform.skip),
  show: () => update({ isExpanded: true }),
  clear: () => inState("done", "cancelled", "failed").forEach(perform.skip),
};

/** Repeats the uploads that failed because the service refused the key. */
export function retryUnauthorized() {
  inState("failed").filter(({ error }) => isUnauthorized(error)).forEach(perform.retry);
}
