/** The uploads: one queue for all files that are chosen. Files that exist are announced before they are sent. */
import { isUnauthorized } from "./connection.js";
import { announce } from "./dom.js";
import { lookUp, note, prefixOf, recheck } from "./folder.js";
import { presign } from "./library.js";
import { hasToken } from "./provider.js";
import { state, update } from "./state.js";
import { phrases, reason, states } from "./words.js";

/** States that only the user changes. */
const ENDED = new Set(["done", "failed", "cancelled", "exists", "interrupted"]);

/** A file to be uploaded: one row. */
export class Item {
  /** @type {import("../presign.d.ts").Transfer|undefined} */
  transfer;
  /** The object at the path: `{size, lastModified}`. */
  existing;
  isReplacing = false;
  /** Whether another file than the interrupted one was chosen. */
  isOther = false;
  /** The state before there is a transfer. */
  phase = "waiting";

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
  /** Whether a request failed and is repeated, until bytes move again. */
  get isRetrying() { return this.state === "uploading" && this.transfer?.stage === "pausing"; }
  get loaded() { return this.transfer?.progress.loaded ?? this.unfinished?.loaded ?? 0; }
  get isEnded() { return ENDED.has(this.state); }
  get canRetry() { return this.state === "cancelled" || (this.state === "failed" && this.transfer.isResumable); }
}

export const needsUser = (item) => ["failed", "exists", "interrupted"].includes(item.state);
const inState = (...names) => state.items.filter((item) => names.includes(item.state));
const isSame = (a, b) => a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;
let group;
/** Bytes per second. Many small files end before one of them has a speed. */
export const speedOfAll = () => group?.progress.speed ?? 0;
/** The number of items that the queue will end. */
let moving = 0;

/**
 * Adds files, and continues the interrupted uploads among them.
 *
 * @param {import("./files.js").Chosen[]} files
 */
export function add(files) {
  const items = new Map(state.items.map((item) => [item.path, item])), interrupted = inState("interrupted");
  const added = [];
  for (const { file, name } of files) {
    const path = prefixOf(state.folder) + name;
    const unfinished = interrupted.find((item) => isSame(item.unfinished.file, file));
    const old = items.get(path);
    if (unfinished) continueWith(unfinished, file);
    else if (old && !old.isEnded) announce(phrases.duplicate(name));
    else {
      if (old && old.state !== "interrupted") perform.skip(old);
      const item = new Item({ file, path, name, size: file.size, type: file.type });
      items.set(path, item);
      added.push(item);
    }
  }
  state.items.push(...added);
  for (const item of added) begin(item);
  if (files.length > 1) announce(phrases.added(files.length));
  update({ isExpanded: false });
}

/** Shows the uploads that an earlier visit has left unfinished. */
export async function showInterrupted() {
  for (const unfinished of await presign.transfers()) {
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
  update();
}

/** Starts an upload, unless the listing has the file. The storage refuses to replace what the listing does not show. */
function begin(item) {
  const found = item.isReplacing ? null : lookUp(item.path);
  if (!found) return start(item);
  Object.assign(item, { existing: found, phase: "exists" });
  announce(phrases.news(item.name, phrases.exists("")));
}

function start(item) {
  group ??= presign.uploadAll([]);
  if (state.isPaused) group.pause();
  moving += 1;
  const overwrite = item.isReplacing ? undefined : false;
  const [transfer] = group.add([item.file], { path: () => item.path, overwrite });
  item.transfer = transfer;
  transfer.addEventListener("progress", () => update());
  transfer.addEventListener("statechange", () => { if (item.transfer === transfer) changed(item); });
}

function changed(item) {
  const { state: now, isEnded } = item;
  moving += Number(item.wasEnded ?? false) - Number(isEnded);
  item.wasEnded = isEnded;
  if (now === "done") note(item.path, item.size);
  if (now === "exists" && item.original) return keepBoth(item, item.number + 1);
  const isRefused = item.error !== undefined && isUnauthorized(item.error);
  // With a token, the upload may continue at once.
  if (now === "failed" && !(isRefused && hasToken())) {
    announce(phrases.news(item.name, reason(item.error, item.permission)));
  }
  if (now === "exists") announce(phrases.news(item.name, phrases.exists("")));
  if (isRefused) checkSignIn(item.error);
  if (moving === 0) {
    group = undefined;
    state.isPaused = false;
    announce(state.items.length > 1 ? phrases.counts(counts()) : phrases.news(item.name, states[now]));
  }
  update();
}

/** The number of items by state; those that the queue will end are moving. */
export function counts() {
  const all = { done: 0, failed: 0, exists: 0, interrupted: 0, cancelled: 0, paused: 0, moving: 0 };
  for (const { state: name } of state.items) all[name in all ? name : "moving"] += 1;
  return all;
}

function restart(item) {
  Object.assign(item, { transfer: undefined, phase: "waiting", wasEnded: false });
  begin(item);
  update();
}

/** Returns the name of a copy: "photo (2).jpg". */
const numbered = (name, number) =>
  name.replace(/([^/])(\.[^./]*)$|$/, (_, before = "", extension = "") => `${before} (${number})${extension}`);

/** Uploads a file beside the one that exists, with a number in its name. */
function keepBoth(item, number) {
  const { original = item, file, size, type, permission, canRead } = item;
  const path = numbered(original.path, number);
  if (lookUp(path) || state.items.some((other) => other.path === path)) return keepBoth(item, number + 1);
  const copy = new Item({ original, number, path, name: numbered(original.name, number), file, size, type });
  state.items.splice(state.items.indexOf(item), 1, Object.assign(copy, { permission, canRead }));
  start(copy);
  update();
}

/** The actions of a row. */
export const perform = {
  pause: (item) => item.transfer.pause(),
  resume: (item) => item.transfer.resume(),
  cancel: (item) => { item.transfer?.cancel(); },
  retry(item) {
    if (item.state === "failed") item.transfer.resume();
    else restart(item);
  },
  replace(item) {
    item.isReplacing = true;
    restart(item);
  },
  "keep-both": (item) => keepBoth(item, 2),
  skip: (item) => state.items.splice(state.items.indexOf(item), 1),
  remove(item) {
    if (item.state === "interrupted") item.unfinished.cancel();
    perform.skip(item);
  },
};

/** Removes the rows of these states. */
const drop = (...names) => { state.items = state.items.filter((item) => !names.includes(item.state)); };

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
  cancel: () => { group?.cancel(); },
  "retry-failed": () => inState("failed").filter(({ canRetry }) => canRetry).forEach(perform.retry),
  "replace-all": () => inState("exists").forEach(perform.replace),
  "skip-all": () => drop("exists"),
  show: () => update({ isExpanded: true }),
  clear: () => drop("done", "cancelled", "failed"),
};

/** Continues the uploads if the token could be renewed. */
async function checkSignIn(error) {
  await recheck(error);
  if (hasToken() && state.access === "accepted" && state.phase !== "failed") retryUnauthorized();
}

/** Repeats the uploads that failed because the service refused the key or token. */
export function retryUnauthorized() {
  inState("failed").filter(({ error }) => isUnauthorized(error)).forEach(perform.retry);
}
