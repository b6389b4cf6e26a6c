/**
 * A page: the modules of presign.js in a global object of their own. Only what the browser provides is simulated.
 *
 * @module page
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { KeyRange } from "./database.mjs";
import { fileClasses } from "./files.mjs";
import { fetchFunction, requestClass } from "./requests.mjs";

const LIBRARY = fileURLToPath(new URL("../../../Sources/UploadPage/Resources/", import.meta.url));
const sources = new Map();

/** Replaces a text in a module, to see whether the simulation finds the defect. */
export function mutate({ file, find, replace }) {
  const path = resolve(LIBRARY, "js", file), text = readFileSync(path, "utf8");
  if (text.split(find).length !== 2) throw new Error(`${file} does not contain this text once: ${find}`);
  sources.set(path, { text: text.replace(find, () => replace) });
}

export class Page {
  /** Whether the page has ended, by closing, reloading or a crash. Its events do not happen any more. */
  isClosed = false;
  /** Whether the database has always worked for this page. */
  hasRecords = true;
  #world;
  #random;
  #locks;
  #events = new EventTarget();
  #clockOffset = 0;

  constructor(world, random, { name, network, database, locks, hasETags, slowestDisk }) {
    Object.assign(this, { name, hasETags, slowestDisk });
    this.#world = world;
    this.#random = random;
    this.#locks = locks;
    this.hasRecords = Boolean(locks);
    this.globals = this.#globals(network, database, locks);
  }

  /** Loads presign.js. */
  async load() {
    const context = vm.createContext(this.globals);
    const own = (name) => vm.runInContext(name, context);
    own("Math").random = () => this.#random.next();
    own("Date").now = () => Math.floor(1.8e12 + this.#world.now + this.#clockOffset);
    const main = moduleLoader(context)(resolve(LIBRARY, "presign.js"));
    await main.link((specifier, { identifier }) => main.get(resolve(dirname(identifier), specifier)));
    await main.evaluate();
    return main.namespace;
  }

  /** Ends the page between two events, as when the user closes it or the browser crashes. */
  close() {
    this.isClosed = true;
    this.#locks?.pageEnded(this);
  }

  /** Sets the wall clock. */
  moveClock(milliseconds) {
    this.#clockOffset += milliseconds;
  }

  reach(moment) { this.#world.reach(moment, { page: this }); }

  dispatch(type) {
    if (!this.isClosed) this.#events.dispatchEvent(new Event(type));
  }

  /** Returns the promise of the function's result at a later event. */
  later(action, slowest = 50) {
    return new Promise((resolve, reject) => {
      this.#world.after(this.#random.duration(0.1, slowest), () => {
        try {
          resolve(action());
        } catch (error) {
          reject(error);
        }
      }, this);
    });
  }

  #globals(network, database, locks) {
    const world = this.#world, page = this;
    const digest = (_, bytes) => this.later(() => {
      const hash = createHash("sha256").update(new Uint8Array(bytes)).digest();
      return hash.buffer.slice(hash.byteOffset, hash.byteOffset + hash.length);
    }, this.slowestDisk);
    class Response {
      constructor(text) { this.json = async () => JSON.parse(text); }
    }
    return {
      ...fileClasses(this), Response, IDBKeyRange: KeyRange, indexedDB: database.factory(this),
      XMLHttpRequest: requestClass(this, network), fetch: fetchFunction(this, network, this.#random),
      setTimeout: (action, delay = 0) => world.after(delay, action, this), clearTimeout: (timer) => world.cancel(timer),
      performance: { now: () => world.now }, crypto: { subtle: { digest } }, location: { origin: "https://app.test" },
      navigator: { get onLine() { return network.isOnline; }, ...(locks ? { locks: locks.manager(page) } : {}) },
      addEventListener: (...event) => this.#events.addEventListener(...event),
      removeEventListener: (...event) => this.#events.removeEventListener(...event),
      URL, URLSearchParams, Headers, AbortController, AbortSignal, DOMException, Event, EventTarget, btoa, TextEncoder,
    };
  }
}

/** Returns a function that returns the module of a file. */
function moduleLoader(context) {
  const modules = new Map();
  const get = (path) => {
    const source = sources.get(path) ?? { text: readFileSync(path, "utf8") };
    sources.set(path, source);
    if (!modules.has(path)) {
      const { text, cachedData } = source;
      const module = new vm.SourceTextModule(text, { identifier: path, context, cachedData });
      source.cachedData ??= module.createCachedData();
      modules.set(path, Object.assign(module, { get }));
    }
    return modules.get(path);
  };
  return get;
}
