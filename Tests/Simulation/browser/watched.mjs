/**
 * What must hold for each transfer: its states, events and outcomes.
 *
 * @module watched
 */

/** Milliseconds for which a page may hold the lock of an upload after its end. */
const GRACE = 2000;
/** Milliseconds that a pause may last: those in which parts end, and those in which the database must respond. */
const LONGEST_PAUSE = 20_000 + 3000;

/** The states that may follow a state. */
const FOLLOWING = {
  waiting: ["uploading", "paused", "cancelled"],
  uploading: ["offline", "pausing", "paused", "done", "failed", "cancelled"],
  pausing: ["uploading", "paused", "failed", "cancelled"],
  offline: ["uploading", "paused", "done", "failed", "cancelled"],
  paused: ["uploading", "waiting", "cancelled", "done"],
  failed: ["uploading", "waiting", "cancelled"], done: [], cancelled: [],
};

export class WatchedTransfer {
  #world;
  #storage;
  #state;
  #startedAt;
  #pausedAt;

  /** @param {object} members the transfer, its page, file and PresignError, the class of its errors; all transfers. */
  constructor(world, storage, members) {
    Object.assign(this, members);
    this.#world = world;
    this.#storage = storage;
    this.#startedAt = world.now;
    this.#state = this.transfer.state;
    this.transfer.addEventListener("statechange", () => this.#changed());
    this.transfer.addEventListener("progress", () => {
      const { progress: { loaded, total }, state } = this.transfer;
      world.check(["uploading", "offline", "pausing", "paused"].includes(state),
        () => `${this.name} is ${state} and has progress`);
      world.check(loaded >= 0 && loaded <= total, () => `${this.name} has sent ${loaded} of ${total} bytes`);
    });
    this.awaitResult();
  }

  get name() { return `${this.page.name} ${this.transfer.path} (${this.transfer.file.size} bytes)`; }

  resume() {
    const hasFailed = this.transfer.state === "failed";
    this.transfer.resume();
    if (hasFailed) this.awaitResult();
  }

  /** Follows the promise of the current attempt. */
  awaitResult() {
    const { transfer } = this;
    transfer.result.then((result) => this.#done(result), (error) => this.#failed(error));
  }

  #changed() {
    const { state } = this.transfer;
    this.#world.note(`${this.name} is ${state}${state === "uploading" ? `, ${this.transfer.stage}` : ""}`);
    if (state === this.#state) return;
    this.#world.check(FOLLOWING[this.#state].includes(state), () => `${this.name} was ${this.#state} and is ${state}`);
    this.#state = state;
    this.#checkPause();
  }

  /** Checks that a pause ends, and that nothing is sent afterwards. */
  #checkPause() {
    // The time that the computer slept does not count.
    const now = this.#world.now - this.#world.slept;
    if (this.#state === "pausing") this.#pausedAt = now;
    if (this.#state !== "paused") return;
    this.#world.check(!(now - this.#pausedAt > LONGEST_PAUSE), () => `${this.name} was pausing for too long`);
    this.#pausedAt = undefined;
    const { page, transfer: { path } } = this;
    const isAlone = this.all.filter((one) => one.page === page && one.transfer.path === path).length === 1;
    const sends = isAlone && this.network.partsOf(page, path).length > 0;
    this.#world.check(!sends, () => `${this.name} is paused and sends`);
  }

  #done({ path }) {
    this.#world.check(this.transfer.state === "done", () => `${this.name} has a result and is ${this.transfer.state}`);
    const versions = this.#storage.versions.filter((version) => version.path === path);
    const last = versions.findLastIndex(({ pieces }) => pieces.isWhole(this.file));
    const replacedAt = versions[last + 1]?.at ?? Infinity;
    this.#world.check(last >= 0 && replacedAt >= this.#startedAt, () => `${this.name} is done without an object`);
  }

  #failed(error) {
    const { state } = this.transfer;
    this.#world.note(`${this.name} is rejected: ${error.code ?? error.name}, ${error.message}`);
    if (state === "cancelled") return;
    this.#world.check(error instanceof this.PresignError && error.message !== "",
      () => `${this.name} fails without a reason: ${error.stack}`);
    this.#checkReason(error);
  }

  /** Checks that another transfer or client is the reason of a conflict. */
  #checkReason({ code }) {
    const { page, file, transfer: { path } } = this;
    const others = this.all.filter((one) => one !== this && one.transfer.path === path);
    const isWritten = this.#storage.versions.some((version) => version.path === path && version.page !== page);
    const isWrittenHere = others.some((one) => one.page === page);
    this.#world.check(code !== "PreconditionFailed" || isWritten || isWrittenHere,
      () => `${this.name} fails because of its own object`);
    const isActive = ({ page: { isClosed, closedAt } }) => !isClosed || this.#world.now - closedAt < GRACE;
    const isHeld = this.#world.removed.has(path) || others.some((one) => one.file === file && isActive(one));
    this.#world.check(code !== "TransferActive" || isHeld,
      () => `${this.name} fails because of its own lock`);
  }
}
