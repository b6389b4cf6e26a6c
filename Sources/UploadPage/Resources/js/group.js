/**
 * Several uploads with one queue.
 *
 * @module group
 */
import { Meter } from "./progress.js";

/** Uploads that share one limit. Awaiting the group waits for all of them. Fires "statechange" and "progress". */
export class TransferGroup extends EventTarget {
  /** @type {import("./transfer.js").Transfer[]} in the order of the files. */
  transfers = [];
  #make;
  #limit;
  #meter = new Meter();
  #isPaused = false;
  #total = 0;

  /**
   * @param {(files: Iterable<File>, options?: object) => object[]} make returns waiting transfers.
   * @param {number} limit the maximum number of simultaneous uploads.
   */
  constructor(make, limit) {
    super();
    this.#make = make;
    this.#limit = limit;
  }

  /**
   * Adds files to the queue.
   *
   * @param {Iterable<File>} files
   * @param {object} [options] replace those of `uploadAll`.
   * @returns {import("./transfer.js").Transfer[]} the uploads of these files.
   */
  add(files, options) {
    const added = this.#make(files, options);
    for (const transfer of added) {
      transfer.addEventListener("statechange", () => {
        this.#startWaiting();
        this.dispatchEvent(new Event("statechange"));
      });
      transfer.addEventListener("progress", () => this.dispatchEvent(new Event("progress")));
      this.#total += transfer.file.size;
    }
    this.transfers.push(...added);
    this.#startWaiting();
    return added;
  }

  /** The progress of all files. Cancelled and failed ones count with what was sent. */
  get progress() {
    const loaded = this.transfers.reduce((sum, { progress }) => sum + progress.loaded, 0);
    return this.#meter.progress(loaded, this.#total);
  }

  /** The number of transfers in each state. */
  get counts() {
    const counts = { waiting: 0, uploading: 0, offline: 0, paused: 0, done: 0, failed: 0, cancelled: 0 };
    for (const { state } of this.transfers) counts[state] += 1;
    return counts;
  }

  /** Pauses all transfers and starts no further one. */
  pause() {
    this.#isPaused = true;
    for (const transfer of this.transfers) if (isActive(transfer)) transfer.pause();
  }

  /** Continues paused transfers and repeats failed ones that are resumable. */
  resume() {
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

  /** Settles when all transfers have ended, like `Promise.allSettled`. */
  then(onFulfilled, onRejected) {
    return Promise.allSettled(this.transfers).then(onFulfilled, onRejected);
  }

  #startWaiting() {
    for (const transfer of this.transfers) {
      if (transfer.state !== "waiting") continue;
      // Every start fires "statechange", whose listeners start or pause others.
      if (this.#isPaused || this.transfers.filter(isActive).length >= this.#limit) return;
      transfer.start();
    }
  }
}

const isActive = ({ state }) => state === "uploading" || state === "offline";
