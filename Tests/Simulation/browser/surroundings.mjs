/**
 * What happens to the network, the service, the storage and the browser, whatever users do.
 *
 * @module surroundings
 */
import { Pieces } from "./files.mjs";
import { FATES } from "./network.mjs";
import { newRule, newWeather } from "./scenario.mjs";

/** An hour in milliseconds. */
const HOUR = 3600_000;

export class Surroundings {
  /** The open pages, each with the client of presign.js. */
  pages = [];
  /** Also those that are closed. */
  allPages = [];
  /** Whether the service has always allowed to abort uploads. */
  canRemoveAll = true;
  /** The contents that may be at each path. */
  contents = new Map();

  constructor(world, members) {
    Object.assign(this, members, { world });
  }

  page(which) { return this.pages[which % this.pages.length]; }

  /** Usually what has stopped goes on after a while. Otherwise it does when nothing goes wrong any more. */
  soon(random, action, page) {
    if (random.chance(0.8)) this.world.after(random.duration(0.1, 20_000), action, page);
  }

  goOffline(random) {
    this.network.goOffline();
    for (const page of this.pages) page.dispatch("offline");
    this.soon(random, () => this.goOnline());
  }

  goOnline() {
    this.network.isOnline = true;
    for (const page of this.pages) page.dispatch("online");
  }

  /** Unfinished uploads are kept for a week. */
  sleep(random) { this.world.sleep(random.chance(0.2) ? 8 * 24 * HOUR : random.duration(1000, 8 * HOUR)); }
  moveClock(random, which) { this.page(which)?.moveClock((random.next() - 0.5) * 4 * HOUR); }
  changeWeather(random) { this.network.weather = this.scenario.isStormy ? newWeather(random, FATES) : {}; }
  rotate(random) { this.service.rotate(random.chance(0.7) ? 0 : random.duration(100, 60_000)); }
  changeVersion() { this.database.changeVersion(); }
  changeFile(_, which) { this.files[which % this.files.length].isChanged = true; }

  changeRule(random) {
    this.service.rule = newRule(random, this.scenario.scale);
    // The service then refuses also to abort uploads.
    if (!this.service.rule.multipart) this.canRemoveAll = false;
  }

  /** Objects of other clients. */
  addObjects(random) {
    for (const name of ["old", "older"]) this.#write(random, name);
  }

  /** Another client writes an object. */
  replace(random) {
    this.#write(random, random.chance(0.2) ? "old" : `a/${random.pick(this.files).name}`);
  }

  #write(random, path) {
    const content = 1000 + random.below(100), size = random.integer(1, 5000);
    this.allow(path, { content, size });
    this.storage.replace(path, new Pieces([{ content, start: 0, end: size }]));
  }

  loseUpload(random) {
    const ids = [...this.storage.uploads.keys()];
    if (ids.length > 0) this.storage.uploads.delete(random.pick(ids));
  }

  losePart(random) {
    const uploads = [...this.storage.uploads.values()].filter(({ parts }) => parts.size > 0);
    if (uploads.length === 0) return;
    const upload = random.pick(uploads), number = random.pick([...upload.parts.keys()]);
    upload.parts.delete(number);
    upload.hasLostPart = true;
    this.observer.lost(upload.id, number);
  }

  /** Ends everything that goes wrong. */
  calm() {
    this.network.weather = {};
    this.network.slowest = 200;
    this.database.slowest = 50;
    this.database.weather = { openFails: 0, openHangs: 0, fails: 0, hangs: 0 };
    this.service.hasCredentialsAt = 0;
    this.goOnline();
  }

  allow(path, { content, size }) {
    if (!this.contents.has(path)) this.contents.set(path, []);
    this.contents.get(path).push({ content, size });
  }
}
