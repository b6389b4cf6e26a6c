/**
 * What interruptions of large uploads cost on slow networks: the bytes that are sent again, and time.
 *
 * @module losses
 */
import { Database } from "./database.mjs";
import { Line } from "./line.mjs";
import { Locks } from "./locks.mjs";
import { Page } from "./page.mjs";
import { Random } from "./random.mjs";
import { ENDPOINT, Service } from "./service.mjs";
import { Storage } from "./storage.mjs";
import { World } from "./world.mjs";

const RULE = { single: true, multipart: true, get: true, overwrite: true, checksum: false, expiresIn: 3600 };
const CONNECTION = { connection: 3e6, roundTrip: 50 }, SHARED = { shared: 4e6, roundTrip: 50 };
/** A browser at a line. */
class Visit {
  world = new World();
  #random = new Random(1);
  #service;
  #storage;
  #database;
  #locks;
  #file;
  line;

  constructor(size, line) {
    const { world } = this;
    this.#service = new Service(world, RULE);
    this.#storage = new Storage(world, this.#service, { listed: 1000, checksConditionFirst: false });
    this.line = new Line(world, this.#service, this.#storage, line);
    this.#database = new Database(world, this.#random.fork(), 50);
    this.#locks = new Locks(world, this.#random.fork());
    this.#file = { name: "file.bin", content: 1, size, lastModified: 1 };
    this.size = size;
  }

  /** Opens the page, which ends the one before. */
  async open() {
    this.page?.close();
    this.line.reset();
    this.page = new Page(this.world, this.#random.fork(), {
      name: "page", network: this.line, database: this.#database, locks: this.#locks, hasETags: true, slowestDisk: 50,
    });
    const { Presign } = await this.page.load();
    this.client = new Presign({ endpoint: ENDPOINT });
    this.file = new this.page.globals.File(this.#file, {});
  }

  upload(options) {
    this.transfer = this.client.upload(this.file, { path: "a", ...options });
  }

  until(isReached) { return this.world.run(Infinity, isReached); }
  untilDone() { return this.until(() => this.transfer.isFinished); }

  /** How often each byte was sent. */
  get ratio() {
    if (this.transfer.state !== "done") throw new Error(`${this.transfer.state}: ${this.transfer.error?.stack}`);
    return this.line.bytes / this.size;
  }
}

/** Pauses at these shares of the file, and resumes. */
async function pauses(size, line, ...shares) {
  const visit = new Visit(size, line);
  await visit.open();
  visit.upload();
  for (const share of shares) {
    await visit.until(() => visit.line.bytes >= share * size && visit.transfer.state === "uploading");
    visit.transfer.pause();
    await visit.until(() => visit.transfer.state === "paused");
    visit.transfer.resume();
  }
  await visit.untilDone();
  return visit.ratio;
}

/** Reloads the page at a share of the file. */
async function reload(size, line, share) {
  const visit = new Visit(size, line);
  await visit.open();
  visit.upload();
  await visit.until(() => visit.line.bytes >= share * size);
  await visit.open();
  visit.upload();
  await visit.untilDone();
  return visit.ratio;
}

/** How much faster parts are than one PUT. */
async function speedup(size, line) {
  const times = [];
  for (const multipart of [false, true]) {
    const visit = new Visit(size, line);
    await visit.open();
    visit.upload({ multipart });
    await visit.untilDone();
    times.push(visit.world.now);
  }
  return times[0] / times[1];
}

export const MEASUREMENTS = [
  ...[0.25, 0.5, 0.75].map((share) => ({
    name: `60 MB, 3 MB/s a connection, pause at ${100 * share} %`, most: 1.05,
    measure: () => pauses(60e6, CONNECTION, share),
  })),
  { name: "the same, three pauses", most: 1.05, measure: () => pauses(60e6, CONNECTION, 0.25, 0.5, 0.75) },
  { name: "300 MB, 3 MB/s a connection, reload at 50 %", most: 1.15, measure: () => reload(300e6, CONNECTION, 0.5) },
  {
    name: "60 MB, 100 ms, 2 MB/s a connection, beside one PUT", least: 4.3,
    measure: () => speedup(60e6, { connection: 2e6, roundTrip: 100 }),
  },
  { name: "60 MB, line of 4 MB/s, three pauses", most: 1.05, measure: () => pauses(60e6, SHARED, 0.25, 0.5, 0.75) },
  ...[0.25, 0.5, 0.75].map((share) => ({
    name: `60 MB, line of 4 MB/s, reload at ${100 * share} %`, most: 1.25, measure: () => reload(60e6, SHARED, share),
  })),
  {
    name: "the same at 50 %, systems take 128 KiB of each part at once", most: 1.25,
    measure: () => reload(60e6, { ...SHARED, buffer: 128 * 1024 }, 0.5),
  },
  // Slow connections are not taken for a slow line.
  {
    name: "60 MB, 200 ms, 0.5 MB/s a connection, beside one PUT", least: 4.3,
    measure: () => speedup(60e6, { connection: 0.5e6, roundTrip: 200 }),
  },
];
