/**
 * The unfinished uploads of this browser, kept in IndexedDB so that they can be resumed after a reload or a crash.
 * Without IndexedDB, as in some private windows, nothing is kept.
 *
 * @module records
 */

const NAME = "presign-transfers";
/** Milliseconds in which the previous page of a tab gives up its locks after a reload. */
const GRACE = 1000;
/** Milliseconds after which the database counts as missing. In WebKit it can fail to respond for ever. */
const MAX_WAIT = 3000;
let opening;

/** Opens the database once. Returns undefined if the browser offers none. */
function database() {
  opening ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("uploads", { keyPath: "id" });
        request.result.createObjectStore("parts", { keyPath: ["id", "number"] });
      };
      request.onsuccess = () => {
        // A later version of this module in another tab must be able to upgrade the database.
        request.result.onversionchange = () => {
          request.result.close();
          opening = undefined;
        };
        resolve(request.result);
      };
      request.onerror = request.onblocked = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
  return opening;
}

/**
 * Runs the body in a transaction. Returns the result of the request that the body returns, or undefined. If the
 * database does not respond, the page goes on without records.
 */
async function inTransaction(mode, body) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => {
      opening = Promise.resolve(undefined);
      resolve(undefined);
    }, MAX_WAIT);
  });
  return Promise.race([transact(mode, body), late]).finally(() => clearTimeout(timer));
}

async function transact(mode, body) {
  const open = await database();
  if (!open) return undefined;
  try {
    return await new Promise((resolve, reject) => {
      const transaction = open.transaction(["uploads", "parts"], mode);
      const request = body(transaction.objectStore("uploads"), transaction.objectStore("parts"));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    // A full disk or a closed database must not fail an upload that works without a record.
    return undefined;
  }
}

const partsOf = (id) => IDBKeyRange.bound([id], [id, []]);

/**
 * An unfinished upload.
 *
 * @typedef {object} Record
 * @property {string} id the target and the file.
 * @property {string} service the endpoint and the store.
 * @property {string} path
 * @property {{name: string, size: number, lastModified: number}} file
 * @property {string} fields what the upload was created with, as JSON.
 * @property {string} uploadId
 * @property {number} partSize
 * @property {number} createdAt milliseconds since 1970.
 * @property {boolean} [isAbandoned] whether the upload only waits to be aborted.
 */

/** Returns the id of the upload of a file to a path. */
export const recordId = (service, path, { name, size, lastModified }) =>
  JSON.stringify([service, path, name, size, lastModified]);

/** @returns {Promise<Record|undefined>} */
export const readRecord = (id) => inTransaction("readonly", (uploads) => uploads.get(id));

/** @returns {Promise<Record[]>} */
export const readRecords = async () => await inTransaction("readonly", (uploads) => uploads.getAll()) ?? [];

/** @param {Record} record */
export const writeRecord = (record) => inTransaction("readwrite", (uploads) => { uploads.put(record); });

/** @returns {Promise<{number: number, size: number, etag: string, checksum?: string}[]>} */
export const readParts = async (id) => await inTransaction("readonly", (_, parts) => parts.getAll(partsOf(id))) ?? [];

export const writePart = (id, part) => inTransaction("readwrite", (_, parts) => { parts.put({ ...part, id }); });

/** Removes a record and its parts. */
export const removeRecord = (id) => inTransaction("readwrite", (uploads, parts) => {
  uploads.delete(id);
  parts.delete(partsOf(id));
});

const lockName = (id) => `presign:${id}`;
/** The ids that this page has reserved; a brief reservation with the promise of its end. */
const own = new Map();

/**
 * Reserves an upload for this page, so that two tabs never send the same parts.
 *
 * @param {string} id
 * @param {object} [options]
 * @param {boolean} [options.isBrief] whether it is only looked up or aborted. An upload of this page waits for that.
 * @returns {Promise<(() => void)|null|undefined>} releases it; null if another page or transfer holds it; undefined if
 *   the browser offers no locks, as on pages that are not served over https or from localhost.
 */
export async function lock(id, { isBrief = false } = {}) {
  if (!globalThis.navigator?.locks) return undefined;
  while (!isBrief && own.get(id)) await own.get(id);
  if (own.has(id)) return null;
  let end;
  own.set(id, isBrief ? new Promise((resolve) => { end = resolve; }) : undefined);
  const forget = () => {
    own.delete(id);
    end?.();
  };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), GRACE);
  return new Promise((resolve) => {
    navigator.locks.request(lockName(id), { signal: controller.signal }, () => {
      clearTimeout(timer);
      return new Promise((release) => {
        resolve(() => {
          forget();
          release();
        });
      });
    }).catch(() => {
      forget();
      resolve(null);
    });
  });
}

/** Returns whether no page is working on an upload. */
export async function isFree(id) {
  const unlock = await lock(id, { isBrief: true });
  unlock?.();
  return unlock !== null;
}
