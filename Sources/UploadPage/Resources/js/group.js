/**
 * Several uploads with one queue.
 *
 * @module group
 */
import { PresignError } from "./errors.js";
import { Meter } from "./progress.js";

/** The number of paths that an error names. */
const MAX_NAMED = 5;

/**
 * Uploads that share one limit. Awaiting the group waits for all of them, also for those that are added meanwhile.
 * Fires "statechange" and "progress".
 */
export class TransferGroup extends EventTarget {
  /** @type {import("./transfer.js").Transfer[]} in the order of the files. */
  transfers = [];
  #describe;
  #make;
  #limit;
  #meter = new Meter();
  #isPaused = false;
  #isStarting = false;
  #total = 0;
  #loaded = 0;
  #counts = { waiting: 0, uploading: 0, offline: 0, pausing: 0, paused: 0, done: 0, failed: 0, cancelled: 0 };
  /** The paths of the transfers that have not ended. */
  #paths = new Set();
  /** No transfer before this index is waiting. */
  #firstWaiting = 0;

  /**
   * @param {object} members
   * @param {(files: Iterable<File>, options?: object) => {file: File, options: object}[]} members.describe returns the
   *   files with all options, among them the path.
   * @param {(description: {file: File, options: object}) => object} members.make returns a waiting transfer.
   * @param {() => number} members.limit returns the maximum number of simultaneous uploads.
   */
  constructor({ describe, make, limit }) {
    super();
    this.#describe = describe;
    this.#make = make;
    this.#limit = limit;
  }

  /**
   * Adds files to the queue.
   *
   * @param {Iterable<File>} files
   * @param {object} [options] replace those of `uploadAll`.
   * @returns {import("./transfer.js").Transfer[]} the uploads of these files.
   * @throws {PresignError} with the code "DuplicatePath" if a file has the path of another one, or of one that is
   *   being uploaded.
   */
  add(files, options) {
    const described = this.#describe(files, options);
    refuseDuplicates(described.map(({ options: { path } }) => path), this.#paths);
    const added = described.map(this.#make);
    for (const transfer of added) this.#watch(transfer, this.transfers.push(transfer) - 1);
    this.#startWaiting();
    return added;
  }

  /** The progress of all files. Cancelled and failed ones count with what was sent. */
  get progress() { return this.#meter.progress(this.#loaded, this.#total); }

  /** The number of transfers in each state. */
  get counts() { return { ...this.#counts }; }

  /** The promise of the outcomes of all transfers, like `Promise.allSettled`. */
  get result() { return this.#settled(); }

  /** Pauses all transfers and starts no further one. */
  pause() {
    this.#isPaused = true;
    for (const transfer of this.transfers) if (isActive(transfer)) transfer.pause();
  }

  /** Continues paused transfers and repeats failed ones that are resumable. */
  resume() {
    this.#meter.reset();
    // Paused ones go first: until all of them are active, their "statechange" must not start waiting ones.
    for (const transfer of this.transfers) transfer.resume();
    this.#isPaused = false;
    this.#startWaiting();
  }

  /** Cancels all transfers that have not ended. */
  async cancel() {
    this.#isPaused = true;
    await Promise.all(this.transfers.filter(({ isFinished }) => !isFinished).map((transfer) => transfer.cancel()));
  }

  /** Waits for `result`, for the reason for which a single transfer can be awaited. */
  then(onFulfilled, onRejected) { return this.result.then(onFulfilled, onRejected); }

  async #settled() {
    for (;;) {
      const count = this.transfers.length;
      const outcomes = await Promise.allSettled(this.transfers.map(({ result }) => result));
      if (this.transfers.length === count) return outcomes;
    }
  }

  /** Follows a transfer with sums, because a group can have thousands. */
  #watch(transfer, index) {
    let { state } = transfer, { loaded } = transfer.progress;
    const update = () => {
      if (transfer.isFinished) this.#paths.delete(transfer.path);
      else this.#paths.add(transfer.path);
      this.#loaded += transfer.progress.loaded - loaded;
      ({ loaded } = transfer.progress);
    };
    this.#counts[state] += 1;
    this.#total += transfer.file.size;
    this.#loaded += loaded;
    update();
    transfer.addEventListener("progress", () => {
      update();
      this.dispatchEvent(new Event("progress"));
    });
    transfer.addEventListener("statechange", () => {
      this.#counts[state] -= 1;
      ({ state } = transfer);
      this.#counts[state] += 1;
      update();
      if (state === "waiting") this.#firstWaiting = Math.min(this.#firstWaiting, index);
      this.#startWaiting();
      this.dispatchEvent(new Event("statechange"));
    });
  }

  #startWaiting() {
    // Every start fires "statechange", which calls this method again. The loop starts the transfers in their order.
    if (this.#isStarting) return;
    this.#isStarting = true;
    while (!this.#isPaused && this.#firstWaiting < this.transfers.length && this.#active < this.#limit()) {
      const transfer = this.transfers[this.#firstWaiting];
      if (transfer.state === "waiting") transfer.start();
      else this.#firstWaiting += 1;
    }
    this.#isStarting = false;
  }

  get #active() { return this.#counts.uploading + this.#counts.offline + this.#counts.pausing; }
}

const isActive = ({ state }) => state === "uploading" || state === "offline";

/**
 * Refuses files of which one would replace the other: each upload would succeed, and one content would be lost.
 *
 * @param {string[]} paths
 * @param {Set<string>} taken the paths of other uploads.
 */
function refuseDuplicates(paths, taken) {
  const seen = new Set(), duplicates = new Set();
  for (const path of paths) {
    if (seen.has(path) || taken.has(path)) duplicates.add(path);
    seen.add(path);
  }
  if (duplicates.size === 0) return;
  const names = [...duplicates].slice(0, MAX_NAMED).map((path) => JSON.stringify(path)).join(", ");
  const others = duplicates.size > MAX_NAMED ? ` and ${duplicates.size - MAX_NAMED} others` : "";
  throw new PresignError(`several files have the path ${names}${others}`, {
    source: "file", code: "DuplicatePath", recoverySuggestion: "Rename files, or pass a function as path.",
  });
}
