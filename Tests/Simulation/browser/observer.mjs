/**
 * What must hold at every step for the requests of pages.
 *
 * @module observer
 */

export class Observer {
  /** The page that created an upload and received its id, by the id. */
  creators = new Map();
  /** The paths whose objects must not be replaced. */
  newPaths = new Set();
  /** The pages of groups, by their folder. Another page continues each upload by itself. */
  groupPages = new Map();
  /** All transfers, also those of pages that are closed. */
  transfers = [];
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
    if (!partNumber) return;
    this.#checkPart(page, request, uploadId, partNumber);
    this.#checkUnfinished(page, path, uploadId);
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

  /** The storage loses a part. */
  lost(uploadId, number) {
    this.#stored.delete(`${uploadId} ${number}`);
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

  /** A transfer whose upload was completed does not send the file again. */
  #checkUnfinished(page, path, uploadId) {
    const isCompleted = this.#storage.versions.some((version) =>
      version.path === path && version.page === page && version.uploadId && version.uploadId !== uploadId);
    const transfers = this.transfers.filter((one) => one.page === page && one.transfer.path === path);
    this.#world.check(!isCompleted || transfers.length > 1, () => `${page.name} sends ${path} again, which is stored`);
  }
}

/** The folder of the files of a group. */
const folderOf = (path) => /^(group\d+)\//.exec(path)?.[1];
