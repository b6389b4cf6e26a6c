/** The uploads: one queue for all files that are chosen, with a check for existing files before each is sent. */
import { lookUp, note, prefixOf } from "./folder.js";
import { isUnauthorized, service } from "./connection.js";
import { state, update } from "./state.js";
import { announce } from "./dom.js";
import { phrases, states } from "./words.js";
import { reason } from "./words.js";

/** The maximum number of simultaneous checks for existing files. */
const MAX_CHECKS = 4;
/** States in which an upload does not end by itself or by the queue. */
const ENDED = new Set(["done", "failed", "cancelled", "exists", "interrupted"]);

/** A file to be uploaded, and the row that shows it. */
export class Item {
  /** @type {import("../presign.d.ts").Transfer|undefined} */
  transfer;
  /** What the library does: "signing", "uploading" or "pausing". */
  stage;
  /** The object at the path: `{size, lastModified}`. */
  existing;
  isReplacing = false;
  #phase = "checking";

  constructor({ file, path, name, size, type = "", unfinished }) {
    Object.assign(this, { file, path, name, size, type, unfinished });
    this.permission = state.actions?.write ?? state.actions?.multipart ?? {};
    this.canRead = state.actions?.get !== undefined;
    if (unfinished) this.#phase = "interrupted";
  }

  /** Whether an existing file may be replaced. */
  get mayReplace() { return this.permission.overwrite !== false; }

  /** @returns {import("../presign.d.ts").TransferState|"checking"|"exists"|"interrupted"} */
  get state() {
    if (!this.transfer) return this.#phase;
    const isTaken = this.transfer.state === "failed" && this.transfer.error.code === "PreconditionFailed";
    return isTaken && this.mayReplace ? "exists" : this.transfer.state;
  }

  set phase(phase) {
    this.transfer = undefined;
    this.#phase = phase;
  }

  get error() { return this.transfer?.error; }
  get loaded() { return this.transfer?.progress.loaded ?? this.unfinished?.loaded ?? 0; }
  get isEnded() { return ENDED.has(this.state); }
  get canRetry() { return this.state === "cancelled" || (this.state === "failed" && this.transfer.isResumable); }
}

let group, checks = 0;

/** Adds files, and continues the interrupted uploads among them. */
export function add(chosen) {
  let count = 0;
  for (const { file, path } of chosen) {
    const interrupted = state.items.find((item) => item.state === "interrupted" && isSame(item.unfinished.file, file));
    if (interrupted) continueWith(interrupted, file);
    else if (state.items.some((item) => !item.isEnded && item.path === path)) announce(phrases.duplicate(file.name));
    else {
      const old = state.items.filter((item) => item.path === path && item.state !== "interrupted");
      for (const item of old) drop(item);
      state.items.push(new Item({ file, path, name: file.name, size: file.size, type: file.type }));
    }
    count += 1;
  }
  if (count > 1) announce(phrases.added(count));
  check();
  update();
}

const isSame = (a, b) => a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

/** Shows the uploads that an earlier visit has left unfinished. */
export async function showInterrupted() {
  const known = new Set(state.items.map(({ path }) => path));
  for (const unfinished of await service.transfers()) {
    const { path, file: { name, size }, total } = unfinished;
    if (!known.has(path)) state.items.push(new Item({ path, name, size: size ?? total, unfinished }));
  }
  update();
}

/** Continues an interrupted upload. Returns false if it is another file. */
export function continueWith(item, file) {
  if (!isSame(item.unfinished.file, file)) return false;
  Object.assign(item, { file, type: file.type, isReplacing: true });
  start(item);
  return true;
}

/** Starts what is checked, in order. */
function check() {
  for (const item of state.items) {
    if (checks >= MAX_CHECKS) return;
    if (item.state !== "checking" || item.isBeingChecked) continue;
    const found = item.isReplacing ? null : lookUp(item.path);
    if (found !== undefined || !item.canRead) decide(item, found);
    else ask(item);
  }
}

/** Asks the storage for the object at the path of an item. */
async function ask(item) {
  item.isBeingChecked = true;
  checks += 1;
  // If the storage does not tell, the upload itself never replaces an object without being asked to.
  const found = await service.head(item.path).catch(() => null);
  checks -= 1;
  item.isBeingChecked = false;
  if (item.state === "checking" && state.items.includes(item)) decide(item, found);
  check();
}

function decide(item, found) {
  item.existing = found ?? undefined;
  if (!found) return start(item);
  item.phase = "exists";
  announce(phrases.news(item.name, phrases.exists("")));
  update();
}

function start(item) {
  if (!group || group.transfers.every(({ isFinished }) => isFinished)) {
    group = service.uploadAll([]);
    if (state.isPaused) group.pause();
  }
  const onStage = (stage) => { item.stage = stage; };
  const [transfer] = group.add([item.file], {
    path: item.path, overwrite: item.isReplacing ? undefined : false, onStage,
  });
  item.transfer = transfer;
  transfer.addEventListener("progress", () => update());
  transfer.addEventListener("statechange", () => { if (item.transfer === transfer) changed(item); });
  update();
}

function changed(item) {
  if (item.state === "done") note(item.path, item.size);
  if (item.state === "failed") announce(phrases.news(item.name, `${states.failed}. ${reason(item.error, item.permission)}`));
  if (item.state === "exists") announce(phrases.news(item.name, phrases.exists("")));
  // The service refused the key, which a form now asks for.
  if (item.error && isUnauthorized(item.error)) update({ access: state.key ? "rejected" : "required" });
  const isIdle = state.items.every((other) => other.isEnded);
  if (isIdle && state.items.length > 1) announce(phrases.counts(counts()));
  else if (item.state === "done" && state.items.length === 1) announce(phrases.news(item.name, states.done));
  if (isIdle) state.isPaused = false;
  update();
}

/** The number of items by state. */
export function counts() {
  const all = { done: 0, failed: 0, asking: 0, interrupted: 0, cancelled: 0, moving: 0, paused: 0 };
  const names = { exists: "asking", done: "done", failed: "failed", interrupted: "interrupted", cancelled: "cancelled" };
  for (const item of state.items) all[names[item.state] ?? (item.state === "paused" ? "paused" : "moving")] += 1;
  return all;
}

function drop(item) {
  state.items.splice(state.items.indexOf(item), 1);
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
    if (item.state === "failed") return item.transfer.resume();
    item.phase = "checking";
    check();
  },
  replace(item) {
    item.isReplacing = true;
    item.phase = "checking";
    check();
  },
  skip: drop,
  remove(item) {
    item.unfinished?.cancel();
    drop(item);
  },
};

/** The actions of the whole list. */
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
    for (const item of state.items) if (!item.isEnded) perform.cancel(item);
  },
  "retry-failed"() {
    for (const item of state.items) if (item.state === "failed" && item.canRetry) perform.retry(item);
  },
  "replace-all"() {
    for (const item of state.items) if (item.state === "exists") perform.replace(item);
  },
  "skip-all"() {
    for (const item of state.items.filter((item) => item.state === "exists")) drop(item);
  },
  clear() {
    for (const item of state.items.filter((item) => ["done", "cancelled"].includes(item.state))) drop(item);
  },
};

/** Repeats the uploads that failed because the service refused the key. */
export function retryUnauthorized() {
  for (const item of state.items) if (item.error && isUnauthorized(item.error)) perform.retry(item);
}

/** The path in the current folder for a file, which may be in folders of its own. */
export const pathOf = (relative) => prefixOf(state.folder) + relative;
