/**
 * The users' pages and transfers, and the actions of a scenario.
 *
 * @module users
 */
import * as ending from "./ending.mjs";
import { TargetStream } from "./files.mjs";
import { Page } from "./page.mjs";
import { Random } from "./random.mjs";
import { newOptions } from "./scenario.mjs";
import { ENDPOINT } from "./service.mjs";
import { Surroundings } from "./surroundings.mjs";
import { WatchedTransfer } from "./watched.mjs";

/** The most pages that are open at the same time. */
const MAX_PAGES = 3;

export class Users extends Surroundings {
  groups = [];
  /** The promises that must settle while their page is open. */
  promises = [];
  #random;
  #pageCount = 0;

  constructor(world, random, members) {
    super(world, members);
    this.#random = random;
  }

  /** Performs an action. Its own seed decides the details. */
  async act({ kind, which, seed }) {
    const random = new Random(seed);
    this.world.note(`* ${kind}`);
    await this[kind](random, which);
  }

  async open(random) {
    if (this.pages.length >= MAX_PAGES) return;
    const page = await this.#open();
    if (random.chance(0.7)) this.continueUnfinished(page, () => random.pick(["resume", "resume", "cancel", "leave"]));
  }

  async #open() {
    this.#pageCount += 1;
    const { network, database, locks, scenario: { hasETags, slowestDisk } } = this;
    const name = `page${this.#pageCount}`;
    const page = new Page(this.world, this.#random.fork(), { name, network, database, locks, hasETags, slowestDisk });
    const { Presign, PresignError } = await page.load();
    this.pages.push(Object.assign(page, { client: new Presign({ endpoint: ENDPOINT }), PresignError }));
    this.allPages.push(page);
    return page;
  }

  /** Continues what earlier pages have left. `decide` returns "resume", "cancel" or "leave". */
  continueUnfinished(page, decide) {
    this.#expect(page, "transfers()", page.client.transfers().then((unfinished) => {
      for (const upload of unfinished) {
        const what = decide();
        this.world.note(`${page.name} finds ${upload.path}: ${what}`);
        const file = this.files.find(({ name }) => name === upload.file.name);
        if (what === "resume") this.#watch(page, file, () => upload.resume(this.#fileIn(page, file)));
        else if (what === "cancel") this.#remove(page, upload);
      }
    }));
  }

  #remove(page, upload) {
    const removal = upload.cancel(), end = () => this.world.removed.delete(upload.path);
    this.world.removed.add(upload.path);
    removal.then(end, end);
    this.#expect(page, "cancel() of an unfinished upload", removal);
  }

  upload(random, which) {
    const page = this.page(which);
    if (!page) return;
    const file = random.pick(this.files), options = newOptions(random, this.scenario);
    // Sometimes another file to the same path.
    const path = random.chance(0.1) ? "a/file0.bin" : `a/${file.name}`;
    this.#prepare(path, file, options);
    if (random.chance(0.2)) page.controller ??= new AbortController();
    const { signal } = page.controller ?? {};
    this.#watch(page, file, () => page.client.upload(this.#fileIn(page, file), { ...options, path, signal }));
  }

  uploadAll(random, which) {
    const page = this.page(which);
    if (!page) return;
    const folder = `group${this.groups.length}`, options = newOptions(random, this.scenario);
    const files = this.files.filter(() => random.chance(0.7));
    for (const { name, ...file } of files) this.#prepare(`${folder}/${name}`, file, options);
    this.observer.groupPages.set(folder, page);
    const group = page.client.uploadAll(files.map((file) => this.#fileIn(page, file)), { ...options, path: folder });
    this.groups.push({ group, page, folder, options });
    this.#watchAll(page, group.transfers, files);
    this.#expect(page, "the result of a group", group.result);
    group.addEventListener("statechange", () => {
      const sum = Object.values(group.counts).reduce((total, count) => total + count, 0);
      this.world.check(sum === group.transfers.length, `the counts of a group do not add up`);
    });
  }

  add(random, which) {
    const found = this.#group(which);
    if (found) this.#add(found, random.pick(this.files));
  }

  #add(found, file, options) {
    try {
      const added = found.group.add([this.#fileIn(found.page, file)], options);
      this.#prepare(`${found.folder}/${file.name}`, file, found.options);
      this.#watchAll(found.page, added, [file]);
    } catch (error) {
      this.world.check(error.code === "DuplicatePath", () => `add() throws ${error.stack}`);
    }
  }

  pause(random, which) {
    const found = this.#transfer(which);
    if (!found) return;
    this.#checkPause([found], () => found.transfer.pause());
    this.soon(random, () => found.resume(), found.page);
  }

  resume(_, which) { this.#transfer(which)?.resume(); }

  pauseBriefly(_, which) {
    const found = this.#transfer(which);
    if (found) this.#checkPause([found], () => found.transfer.pause());
    found?.resume();
  }

  cancel(_, which) {
    const found = this.#transfer(which);
    if (found) this.#expect(found.page, `cancel() of ${found.name}`, found.transfer.cancel());
  }

  abort(_, which) { this.page(which)?.controller?.abort(new DOMException("the user left", "AbortError")); }

  pauseGroup(random, which) {
    const found = this.#group(which);
    if (!found) return;
    this.#checkPause(this.transfers.filter((one) => this.#isIn(found, one)), () => found.group.pause());
    this.soon(random, () => this.#resumeGroup(found), found.page);
  }

  /** Checks that a pause does not end parts that would be sent soon. */
  #checkPause(watched, pause) {
    const active = watched.filter(({ transfer }) => transfer.state === "uploading");
    const parts = active.flatMap(({ page, transfer }) => this.network.partsOf(page, transfer.path));
    const kept = parts.filter(({ secondsLeft }) => secondsLeft <= 10);
    pause();
    this.world.check(kept.every(({ isOver }) => !isOver), "a pause ends a part that would be sent within 10 seconds");
  }

  resumeGroup(_, which) { this.#resumeGroup(this.#group(which)); }

  cancelGroup(_, which) {
    const found = this.#group(which);
    if (found) this.#expect(found.page, "cancel() of a group", found.group.cancel());
  }

  close(_, which) {
    const page = this.page(which);
    if (page) this.#close(page);
  }

  async reload(random, which) {
    this.close(random, which);
    await this.open(random);
  }

  /** Downloads objects at the same time. */
  download(random, which) {
    const page = this.page(which);
    if (!page) return;
    const paths = this.scenario.scale.isLarge ? ["old", "older"] : [...this.storage.objects.keys(), "absent"];
    for (let count = random.integer(1, 3); count > 0; count -= 1) {
      const path = random.pick(paths);
      const to = random.chance(0.3) ? new TargetStream(page, random.chance(0.5)) : undefined;
      this.#expect(page, `download of ${path}`, page.client.download(path, { to }).then((blob) => {
        this.#checkDownload(path, to ? to.bytes : blob.pieces.bytes());
      }, (error) => {
        this.world.check(error instanceof page.PresignError, () => `a download fails without a reason: ${error.stack}`);
      }));
    }
  }

  #checkDownload(path, bytes) {
    const isSame = ({ pieces }) => pieces.size === bytes.length && Buffer.compare(pieces.bytes(), bytes) === 0;
    const isVersion = this.storage.versions.some((version) => version.path === path && isSame(version));
    this.world.check(isVersion, () => `a download of ${path} is not a version of the object`);
  }

  resumeAll() {
    for (const found of this.groups) if (!found.page.isClosed) this.#resumeGroup(found);
    for (const watched of this.transfers) if (!watched.page.isClosed && watched.transfer.isResumable) watched.resume();
  }

  /** Adds a file to each group that exceeds the limit of bytes in flight, so it is sent only if all slots are free. */
  addLargeFiles() {
    if (this.service.rule.checksum) return;
    const file = { name: "large.bin", content: this.files.length, size: 2 ** 29, lastModified: 1 };
    for (const found of this.groups) {
      if (!found.page.isClosed && !found.options.checksum) this.#add(found, file, { multipart: false });
    }
  }

  /** Opens a page, which resumes or cancels what is unfinished. */
  async visit(isLast) {
    this.closeAll();
    if (this.storage.uploads.size === 0 && this.database.isEmpty) return;
    const page = await this.#open();
    this.continueUnfinished(page, () => (isLast ? "cancel" : this.#random.pick(["resume", "cancel"])));
  }

  /** All transfers, also those of pages that are closed. */
  get transfers() { return this.observer.transfers; }
  get hasResumable() { return this.transfers.some(({ page, transfer }) => !page.isClosed && transfer.isResumable); }
  get pagesWithoutRecords() { return this.allPages.filter(({ hasRecords }) => !hasRecords); }
  checkSettled() { ending.checkSettled(this.world, this); }
  checkFinished() { ending.checkFinished(this.world, this); }

  checkEnd() {
    ending.checkObjects(this.world, this);
    ending.checkNothingRemains(this.world, this);
  }

  closeAll() {
    for (const page of [...this.pages]) this.#close(page);
  }

  #close(page) {
    const hasActive = this.transfers.some((one) => one.page === page && !one.transfer.isFinished);
    const isBusy = this.promises.some((one) => one.page === page && !one.isSettled);
    if (!page.hasRecords || hasActive || isBusy) page.mayLeave = true;
    page.close();
    page.closedAt = this.world.now;
    this.pages = this.pages.filter((one) => one !== page);
  }

  /** At a moment, usually the transfer to which it has come. */
  #transfer(which) {
    const { page, path } = this.world.subject;
    const isMeant = (one) => one.page === page && (path === undefined || one.transfer.path === path);
    return pick(this.transfers, which, (one) => mayContinue(one.transfer) && (!page || isMeant(one)));
  }

  #group(which) { return pick(this.groups, which, ({ group }) => group.transfers.some(mayContinue)); }

  /** A group gives every failed transfer a new promise. */
  #resumeGroup(found) {
    if (!found) return;
    const failed = this.transfers.filter((one) => this.#isIn(found, one) && one.transfer.state === "failed");
    found.group.resume();
    for (const watched of failed) watched.awaitResult();
  }

  #isIn({ group }, { transfer }) { return group.transfers.includes(transfer); }

  #watch(page, file, start) {
    const transfer = start();
    const { PresignError } = page;
    const members = { transfer, page, file, PresignError, all: this.transfers, network: this.network };
    this.transfers.push(new WatchedTransfer(this.world, this.storage, members));
  }

  #watchAll(page, transfers, files) {
    transfers.forEach((transfer, index) => this.#watch(page, files[index], () => transfer));
  }

  #fileIn(page, file) {
    return new page.globals.File(file, { type: "application/octet-stream" });
  }

  #prepare(path, file, { overwrite }) {
    this.allow(path, file);
    if (overwrite === false && !this.contents.get(path).mayReplace) this.observer.newPaths.add(path);
    else {
      this.contents.get(path).mayReplace = true;
      this.observer.newPaths.delete(path);
    }
  }

  #expect(page, name, promise) {
    const one = { page, name, isSettled: false };
    this.promises.push(one);
    promise.catch((error) => {
      this.world.check(error?.name === "AbortError" || error instanceof page.PresignError,
        () => `${name} is rejected: ${error?.stack}`);
    }).finally(() => { one.isSettled = true; });
  }
}

const mayContinue = (transfer) => !transfer.isFinished || transfer.isResumable;

/** Returns one of those whose page is open, usually one that is of interest. */
function pick(list, which, isInteresting) {
  const open = list.filter(({ page }) => !page.isClosed), interesting = open.filter(isInteresting);
  const choices = interesting.length > 0 && which % 10 > 0 ? interesting : open;
  return choices[which % choices.length];
}
