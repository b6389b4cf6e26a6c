/**
 * What happens to the network, the service, the storage and the browser, whatever users do.
 *
 * @module surroundings
 */
import { Pieces } from "./files.mjs";
import { FATES } from "./network.mjs";
import { newRule, newWeather } from "./scenario.mjs";

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

  goOffline() {
    this.network.goOffline();
    for (const page of this.pages) page.dispatch("offline");
  }

  goOnline() {
    this.network.isOnline = true;
    for (const page of this.pages) page.dispatch("online");
  }

  sleep(random) { this.world.sleep(random.duration(1000, 8 * 3600_000)); }
  moveClock(random, which) { this.page(which)?.moveClock((random.next() - 0.5) * 4 * 3600_000); }
  changeWeather(random) { this.network.weather = this.scenario.isStormy ? newWeather(random, FATES) : {}; }
  rotate(random) { this.service.rotate(random.chance(0.7) ? 0 : random.duration(100, 60_000)); }
  changeVersion() { this.database.changeVersion(); }
  changeFile(_, which) { this.files[which % this.files.length].isChanged = true; }

  changeRule(random) {
    this.service.rule = newRule(random, this.scenario.scale);
    // The service then refuses also to abort uploads.
    if (!this.service.rule.multipart) this.canRemoveAll = false;
  }

  /** Another client writes an object. */
  replace(random) {
    const path = `a/${random.pick(this.files).name}`, content = 1000 + random.below(100);
    const pieces = new Pieces([{ content, start: 0, end: 777 }]);
    this.allow(path, { content, size: 777 });
    this.storage.replace(path, pieces);
  }

  loseUpload(random) {
    const ids = [...this.storage.uploads.keys()];
    if (ids.length > 0) this.storage.uploads.delete(random.pick(ids));
  }

  losePart(random) {
    const uploads = [...this.storage.uploads.values()].filter(({ parts }) => parts.size > 0);
    if (uploads.length === 0) return;
    const upload = random.pick(uploads);
    upload.parts.delete(random.pick([...upload.parts.keys()]));
    upload.hasLostPart = true;
  }

  /** Ends everything that goes wrong. */
  calm() {
    this.network.weather = {};
    this.network.slowest = 200;
    this.database.weather = { openFails: 0, openHangs: 0, fails: 0, hangs: 0 };
    this.service.hasCredentialsAt = 0;
    this.goOnline();
  }

  allow(path, { content, size }) {
    if (!this.contents.has(path)) this.contents.set(path, []);
    this.contents.get(path).push({ content, size });
  }
}
