/**
 * The state of one upload, which can be awaited, paused, resumed and cancelled.
 *
 * @module transfer
 */
import { mayPass } from "./errors.js";
import { Meter } from "./progress.js";

const FINAL = new Set(["done", "failed", "cancelled"]);
const PAUSED = new Set(["pausing", "paused"]);

/**
 * A running upload. Fires "statechange" and "progress".
 *
 * `result` is the promise of its result. A transfer can be awaited itself, too, because `await presign.upload(...)` is
 * the common use, and would otherwise continue before anything is sent. For the same reason, an async function that
 * returns a transfer waits for its end; return `{ transfer }` to prevent that.
 */
export class Transfer extends EventTarget {
  /** The error of a failed upload. */
  error;
  #state = "waiting";
  #work;
  #context;
  #controller = new AbortController();
  #running = Promise.resolve();
  #meter = new Meter();
  #progress;
  #outcome;
  #isStarted = false;
  /** Whether it has failed for good and is being removed, which a pause must not turn into another attempt. */
  #isFailing = false;
  #stage;
  #stopFollowing = () => {};

  /**
   * @param {import("./upload.js").Upload} work
   * @param {object} context the service, the slots, the URLs of a group, and the options.
   */
  constructor(work, context) {
    super();
    this.#work = work;
    this.#context = context;
    this.file = context.file;
    this.path = context.options.path;
    this.#progress = this.#meter.progress(0, this.file.size);
    this.#reset();
    this.#followSignal();
  }

  /** The promise of the result. After `resume()` of a failed transfer, it is another one. */
  get result() { return this.#outcome.promise; }

  /** @returns {"waiting"|"uploading"|"offline"|"pausing"|"paused"|"done"|"failed"|"cancelled"} */
  get state() { return this.#state; }

  /**
   * What happens while the state is "uploading". "pausing" lasts from a failure until bytes are sent again.
   *
   * @returns {"signing"|"uploading"|"pausing"|undefined}
   */
  get stage() { return this.#stage; }

  /** @returns {{loaded: number, total: number, speed: number, secondsLeft: number|null}} */
  get progress() { return this.#progress; }

  /** Whether the file goes in parts, which a pause keeps; undefined until that is decided. */
  get isMultipart() { return this.#work.isMultipart; }

  /** Whether the transfer has ended. A failed one may still be resumable. */
  get isFinished() { return FINAL.has(this.#state); }

  /** Whether `resume()` continues this transfer: it is or will be paused, or failed for a reason that may pass. */
  get isResumable() {
    return PAUSED.has(this.#state) || (this.#state === "failed" && mayPass(this.error));
  }

  /** Starts a waiting transfer. `upload` and `uploadAll` call it. */
  start() {
    this.#isStarted = true;
    if (this.#state === "waiting") this.#run();
  }

  /**
   * Stops sending. Complete parts stay at the storage. The state is "pausing" while parts in flight end that need at
   * most 10 seconds; the others are sent again.
   */
  pause() {
    if (this.isFinished || this.#isFailing || PAUSED.has(this.#state)) return;
    const controller = this.#controller;
    const finished = this.#state === "uploading" ? this.#work.finishParts() : undefined;
    if (!finished) return this.#stop(controller);
    this.#set("pausing");
    finished.then(() => this.#stop(controller));
  }

  /**
   * Continues a paused transfer, or a failed one that is resumable. Await the transfer again afterwards. While it is
   * pausing, the other parts follow when those in flight have ended.
   */
  resume() {
    if (!this.isResumable) return;
    if (this.#state === "failed") this.#reset();
    this.error = undefined;
    this.#followSignal();
    if (this.#state === "cancelled") return;
    if (this.#isStarted) this.#run();
    else this.#set("waiting");
  }

  /**
   * Ends the transfer and removes its parts from the storage. While the storage combines the parts, that can be too
   * late. The transfer is rejected with an AbortError at once; the returned promise waits for the removal.
   */
  async cancel() {
    await this.#cancel(new DOMException("the upload was cancelled", "AbortError"));
  }

  then(onFulfilled, onRejected) { return this.#outcome.promise.then(onFulfilled, onRejected); }
  catch(onRejected) { return this.#outcome.promise.catch(onRejected); }
  finally(onSettled) { return this.#outcome.promise.finally(onSettled); }

  #reset() {
    let outcome;
    const promise = new Promise((resolve, reject) => { outcome = { resolve, reject }; });
    // A page may listen to events instead of awaiting the transfer.
    promise.catch(() => {});
    this.#outcome = { ...outcome, promise };
  }

  /** Cancels when the caller's signal aborts, until the transfer has ended. */
  #followSignal() {
    const { signal } = this.#context.options;
    if (!signal) return;
    this.#stopFollowing();
    const end = () => this.#cancel(signal.reason);
    signal.addEventListener("abort", end);
    this.#stopFollowing = () => signal.removeEventListener("abort", end);
    if (signal.aborted) end();
  }

  #set(state) {
    if (this.#state === state) return;
    this.#state = state;
    this.#meter.reset();
    this.dispatchEvent(new Event("statechange"));
  }

  /** Ends a run. It is the last one unless the transfer was resumed while it was pausing. */
  #stop(controller) {
    controller.abort(new DOMException("the upload is paused", "AbortError"));
    if (controller !== this.#controller || this.isFinished) return;
    this.#meter.reset();
    this.#progress = this.#meter.progress(this.#work.kept, this.file.size);
    this.#set("paused");
    if (this.#state === "paused") this.#tellProgress();
  }

  #run() {
    const last = this.#controller, controller = this.#controller = new AbortController();
    // The last run can be pausing.
    controller.signal.addEventListener("abort", () => last.abort(controller.signal.reason));
    this.#stage = undefined;
    this.#set("uploading");
    const previous = this.#running;
    this.#running = (async () => {
      // A run that was paused a moment ago may still be ending, also with success.
      await previous;
      if (controller.signal.aborted || this.isFinished) return;
      const run = this.#newRun(controller.signal);
      try {
        const result = await this.#work.run(run);
        if (this.#state !== "cancelled") this.#end("done", () => this.#outcome.resolve(result));
      } catch (error) {
        if (!controller.signal.aborted) await this.#fail(error, run);
      }
    })();
  }

  #newRun(signal) {
    const { service, slots, urls, options } = this.#context;
    const { retries, timeout, concurrency } = options;
    const connections = () => concurrency ?? service.connections;
    const whileActive = (action) => (value) => {
      if (!signal.aborted) action(value);
    };
    const onStage = whileActive((stage) => this.#setStage(stage));
    const onWait = whileActive((reason) => {
      if (reason === "pausing") onStage("pausing");
      else if (this.#state !== "pausing") this.#set(reason === "offline" ? "offline" : "uploading");
    });
    return {
      service, slots, urls, options, connections, signal, onStage,
      wait: { signal, retries, timeout, onWait, isPersistent: true },
      onLoaded: whileActive((loaded) => this.#report(loaded)),
    };
  }

  #setStage(stage) {
    const last = this.#stage;
    if (stage === last) return;
    this.#stage = stage;
    this.#context.options.onStage?.(stage);
    // Pages show that an upload does not proceed.
    if (stage === "pausing" || last === "pausing") this.dispatchEvent(new Event("statechange"));
  }

  #report(loaded) {
    this.#progress = this.#meter.progress(loaded, this.file.size);
    this.#tellProgress();
  }

  #tellProgress() {
    this.#context.options.onProgress?.(this.#progress);
    this.dispatchEvent(new Event("progress"));
  }

  async #fail(error, run) {
    if (mayPass(error)) this.#work.release();
    else {
      this.#isFailing = true;
      await this.#discard(run);
    }
    // It was cancelled meanwhile.
    if (run.signal.aborted) return;
    this.error = error;
    this.#end("failed", () => this.#outcome.reject(error));
  }

  async #cancel(reason) {
    if (this.#state === "done" || this.#state === "cancelled") return;
    const run = this.#newRun(new AbortController().signal);
    this.#controller.abort(reason);
    this.#end("cancelled", () => this.#outcome.reject(reason));
    await this.#running;
    await this.#discard(run);
  }

  /** The failure of an upload must not be hidden by the failure to clean up, which a later visit repeats. */
  async #discard(run) {
    await this.#work.discard(run).catch(() => {});
  }

  #end(state, settle) {
    this.#stopFollowing();
    if (state === "done") this.#progress = this.#meter.progress(this.file.size, this.file.size);
    settle();
    this.#set(state);
  }
}
