/**
 * IndexedDB, as far as presign.js uses it: one database for all pages of an origin, with transactions that take time,
 * fail, or hang.
 *
 * @module database
 */

/** Milliseconds after which presign.js may go on without a transaction. */
const PATIENCE = 2500;

/** Orders keys: numbers, then texts, then arrays (Indexed Database API section 3.1.3). */
function compareKeys(a, b) {
  const rank = (key) => (Array.isArray(key) ? 2 : Number(typeof key === "string"));
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (!Array.isArray(a)) return a < b ? -1 : Number(a > b);
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const order = compareKeys(a[index], b[index]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

export const KeyRange = {
  bound(lower, upper) {
    if ([lower, upper].flat(Infinity).some((key) => key === undefined)) throw new DOMException("no key", "DataError");
    return new Range(lower, upper);
  },
};

class Range {
  constructor(lower, upper) {
    Object.assign(this, { lower, upper });
  }

  includes(key) { return compareKeys(this.lower, key) <= 0 && compareKeys(key, this.upper) <= 0; }
}

/** The records of one object store. */
class Store {
  #keyPath;
  #records = new Map();

  constructor(keyPath) {
    this.#keyPath = keyPath;
  }

  get size() { return this.#records.size; }

  put(value) {
    const key = Array.isArray(this.#keyPath) ? this.#keyPath.map((name) => value[name]) : value[this.#keyPath];
    this.#records.set(JSON.stringify(key), { key, value: structuredClone(value) });
  }

  get(key) { return structuredClone(this.#records.get(JSON.stringify(key))?.value); }

  getAll(range) {
    const found = [...this.#records.values()].filter(({ key }) => !range || range.includes(key));
    return found.sort((a, b) => compareKeys(a.key, b.key)).map(({ value }) => structuredClone(value));
  }

  delete(query) {
    for (const [name, { key }] of this.#records) {
      if (query instanceof Range ? query.includes(key) : compareKeys(query, key) === 0) {
        this.#records.delete(name);
      }
    }
  }
}

/** The database of an origin. */
export class Database {
  stores = new Map();
  /** The ids of the uploads that were ever recorded. */
  recorded = new Set();
  /** Probabilities that an opening or a transaction fails or hangs. */
  weather = { openFails: 0, openHangs: 0, fails: 0, hangs: 0 };
  #world;
  #random;
  #connections = new Set();
  /** Transactions run one after the other, in the order of their creation. */
  #waiting = [];
  #isRunning = false;

  /** @param {number} slowest the slowest duration of a transaction in milliseconds. */
  constructor(world, random, slowest) {
    this.#world = world;
    this.#random = random;
    this.slowest = slowest;
  }

  /** Returns `indexedDB` of a page. */
  factory(page) {
    return {
      open: () => {
        if (this.#random.chance(this.weather.openFails / 2)) {
          this.#spoil(page, "an opening is denied");
          throw new DOMException("denied", "SecurityError");
        }
        const request = {};
        if (this.#random.chance(this.weather.openHangs)) return this.#spoil(page, "an opening hangs", request);
        this.#world.after(this.#random.duration(0.1, 100), () => this.#opened(page, request), page);
        return request;
      },
    };
  }

  get isEmpty() { return [...this.stores.values()].every(({ size }) => size === 0); }

  /** Returns whether a part of an upload is recorded. */
  hasPart(uploadId, number) {
    const record = this.stores.get("uploads")?.getAll().find((one) => one.uploadId === uploadId);
    return record !== undefined && this.stores.get("parts").get([record.id, number]) !== undefined;
  }

  /** Another page wants a later version of the database. */
  changeVersion() {
    for (const connection of [...this.#connections]) connection.onversionchange?.();
  }

  #opened(page, request) {
    if (this.#random.chance(this.weather.openFails)) {
      this.#spoil(page, "an opening fails");
      return request.onerror?.();
    }
    request.result = this.#connect(page);
    if (this.stores.size === 0) request.onupgradeneeded?.();
    request.onsuccess?.();
  }

  #connect(page) {
    const connection = {
      createObjectStore: (name, { keyPath }) => this.stores.set(name, new Store(keyPath)),
      transaction: (names, mode) => {
        if (!this.#connections.has(connection)) throw new DOMException("the database is closed", "InvalidStateError");
        return this.#transaction(page, mode);
      },
      close: () => this.#connections.delete(connection),
    };
    this.#connections.add(connection);
    return connection;
  }

  #transaction(page, mode) {
    const operations = [];
    const operation = (name, method) => (argument) => {
      const request = {}, value = method === "put" ? structuredClone(argument) : argument;
      operations.push(() => { request.result = this.stores.get(name)[method](value); });
      return request;
    };
    const methods = ["get", "getAll", "put", "delete"];
    const objectStore = (name) => Object.fromEntries(methods.map((method) => [method, operation(name, method)]));
    const transaction = { objectStore, error: null };
    this.#waiting.push({ page, mode, transaction, operations, createdAt: this.#world.now });
    this.#world.reach(`${mode} transaction`, { page });
    this.#next();
    return transaction;
  }

  #next() {
    if (this.#isRunning) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#isRunning = true;
    const { page, mode } = next;
    const isHanging = this.#random.chance(this.weather.hangs);
    if (isHanging) this.#spoil(page, "a transaction hangs");
    const fails = mode === "readwrite" && this.#random.chance(this.weather.fails);
    const [least, most] = isHanging ? [3000, 60_000] : [0.1, this.slowest];
    this.#world.after(this.#random.duration(least, most), () => {
      this.#isRunning = false;
      this.#end(next, fails);
      this.#next();
    });
  }

  /** A transaction of a page that has ended is aborted. */
  #end({ page, transaction, operations, createdAt }, fails) {
    if (page.isClosed) return;
    if (this.#world.now - createdAt > PATIENCE) this.#spoil(page, "a transaction is late");
    if (fails) {
      this.#spoil(page, "a transaction fails");
      transaction.error = new DOMException("the disk is full", "QuotaExceededError");
    } else {
      for (const operation of operations) operation();
      for (const { uploadId } of this.stores.get("uploads").getAll()) this.recorded.add(uploadId);
    }
    const settle = () => (fails ? transaction.onabort : transaction.oncomplete)?.();
    this.#world.after(this.#random.duration(0.01, 5), settle, page);
  }

  /** Without records, a page may leave uploads at the storage. */
  #spoil(page, text, result) {
    this.#world.note(`${page.name}: ${text}`);
    page.hasRecords = false;
    return result;
  }
}
