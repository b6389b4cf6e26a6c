/**
 * What must hold at every step: what pages may send, and which states a transfer may take.
 *
 * @module observer
 */

/** The states that may follow a state. */
const FOLLOWING = {
  waiting: ["uploading", "paused", "cancelled"], uploading: ["offline", "paused", "done", "failed", "cancelled"],
  offline: ["uploading", "paused", "done", "failed", "cancelled"],
  paused: ["uploading", "waiting", "cancelled", "done"],
  failed: ["uploading", "waiting", "cancelled"], done: [], cancelled: [],
};

export class Observer {
  /** The page that created an upload and received its id, by the id. */
  creators = new Map();
  /** The paths whose objects must not be replaced. */
  newPaths = new Set();
  /** The pages of groups, by their folder. Another page continues each upload by itself. */
  groupPages = new Map();
  #world;
  #storage;
  #database;
  #isListedFully;
  /** The parts whose success a page was told. */
  #stored = new Set();
  /** The requests whose bytes are being sent. */
  #sending = new Map();
  /** The pages that are sending parts, by upload. */
  #senders = new Map();

  constructor(world, { isListedFully }) {
    this.#world = world;
    this.#isListedFully = isListedFully;
  }

  watch(storage, database) {
    this.#storage = storage;
    this.#database = database;
  }

  /** The service's response reaches a page. */
  signed(grants) {
    for (const grant of grants) grant.deliveredAt = this.#world.now;
  }

  started(page, grant, request) {
    const { fields: { uploadId, partNumber, path, method }, expiresAt, deliveredAt } = grant;
    const isFresh = this.#world.now - deliveredAt < 100 || this.#world.sleptAt >= deliveredAt;
    const isValid = this.#world.now < expiresAt;
    this.#world.check(isValid || isFresh, () => `${page.name} uses a URL that has expired: ${path}`);
    const isLast = method === "PUT" ? !uploadId : method === "POST" && uploadId;
    this.#world.check(!isLast || !this.newPaths.has(path) || request.headers["if-none-match"] === "*",
      () => `${page.name} may replace the object at ${path}`);
    if (request.body?.pieces === undefined) return;
    this.#sending.set(request, { page, folder: folderOf(path) });
    this.#checkLimit(page, path);
    if (partNumber) this.#checkPart(page, request, uploadId, partNumber);
  }

  /** All bytes of a request are sent. */
  sent(request) {
    this.#sending.delete(request);
  }

  /** A request has ended for its page. */
  ended(request) {
    this.#sending.delete(request);
    for (const senders of this.#senders.values()) senders.delete(request);
  }

  /** The storage's response reaches a page. */
  delivered(page, { fields: { uploadId, partNumber } }, { status, created }) {
    if (created) this.creators.set(created, page);
    if (status === 200 && partNumber) this.#stored.add(`${uploadId} ${partNumber}`);
  }

  #checkLimit(page, path) {
    const folder = folderOf(path);
    if (this.groupPages.get(folder) !== page) return;
    const count = [...this.#sending.values()].filter((one) => one.page === page && one.folder === folder).length;
    this.#world.check(count <= 6, () => `${page.name} sends ${count} files of a group at the same time`);
  }

  #checkPart(page, request, uploadId, partNumber) {
    const upload = this.#storage.uploads.get(uploadId);
    const isStored = this.#stored.has(`${uploadId} ${partNumber}`) && upload?.parts.has(partNumber);
    // Beyond the first parts in the list, the page depends on its record and cannot know which part the storage lost.
    const isRecorded = page.hasRecords && this.#database.hasPart(uploadId, partNumber);
    const isKnown = this.#isListedFully || (isRecorded && !upload?.hasLostPart);
    this.#world.check(!isStored || !isKnown,
      () => `${page.name} sends part ${partNumber} of ${uploadId} again`);
    const senders = this.#senders.get(uploadId) ?? new Map();
    this.#senders.set(uploadId, senders.set(request, page));
    const pages = [...senders.values()].filter(({ isClosed }) => !isClosed);
    this.#world.check(pages.every((one) => one === page), () => `two pages send parts of ${uploadId}`);
  }
}

/** The folder of the files of a group. */
const folderOf = (path) => /^(group\d+)\//.exec(path)?.[1];

/** One transfer, and what must hold for its states, events and outcomes. */
export class WatchedTransfer {
  #world;
  #storage;
  #state;
  #startedAt;

  /** @param {object} members the transfer, its page, file and PresignError, the class of its errors. */
  constructor(world, storage, members) {
    Object.assign(this, members);
    this.#world = world;
    this.#storage = storage;
    this.#startedAt = world.now;
    this.#state = this.transfer.state;
    this.transfer.addEventListener("statechange", () => this.#changed());
    this.transfer.addEventListener("progress", () => {
      const { loaded, total } = this.transfer.progress;
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
  }
}
