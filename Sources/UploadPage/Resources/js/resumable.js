/**
 * The uploads that an earlier visit of the page has left unfinished.
 *
 * @module resumable
 */
import { PresignError, mayPass } from "./errors.js";
import * as records from "./records.js";
import { perform } from "./storage.js";

/** Milliseconds after which an unfinished upload is aborted. */
const MAX_AGE = 7 * 24 * 3600 * 1000;
/** The maximum number of retries of an abort. A later visit repeats it. */
const ABORT_RETRIES = 3;

/**
 * Aborts an upload at the storage and forgets it. After a failure that may pass, the upload stays recorded as
 * abandoned.
 */
export async function abort(service, record) {
  const { path, uploadId } = record;
  const id = await abandon(record);
  const wait = { retries: ABORT_RETRIES, timeout: 30 };
  try {
    await perform(service, { sign: () => service.sign({ path, method: "DELETE", uploadId }, wait) }, wait);
  } catch (error) {
    if (!(error instanceof PresignError)) throw error;
    if (mayPass(error)) return;
    // For example, the storage does not have the upload, or the caller may not abort it. A retry does not help.
  }
  if (id) await records.removeRecord(id);
}

/** Records that an upload waits to be aborted. Returns the id of the record, or undefined if none is kept. */
async function abandon(record) {
  if (!record.id || record.isAbandoned) return record.id;
  // Another id, so that the file can be uploaded again before this upload is removed.
  const id = JSON.stringify([record.id, record.uploadId]);
  await records.writeRecord({ ...record, id, isAbandoned: true });
  await records.removeRecord(record.id);
  return id;
}

/** Aborts the uploads of this service that are abandoned or too old, unless another tab is working on them. */
export async function abortStale(service) {
  const isStale = ({ isAbandoned, createdAt }) => isAbandoned || createdAt < Date.now() - MAX_AGE;
  const stale = (await ofService(service)).filter(isStale);
  await Promise.all(stale.map((record) => abortUnlessLocked(service, record)));
}

/** Aborts unfinished uploads of an earlier version of a file to the same path. */
export async function abandonOthers(service, id, path, name) {
  const others = (await ofService(service)).filter((record) =>
    record.path === path && record.file.name === name && record.id !== id);
  await Promise.all(others.map((record) => abortUnlessLocked(service, record)));
}

async function abortUnlessLocked(service, record) {
  const unlock = await records.lock(record.id, { isBrief: true });
  if (!unlock) return;
  await abort(service, record).finally(unlock);
}

const ofService = async (service) => (await records.readRecords()).filter((record) => record.service === service.id);

/** An upload that can be continued with the same file. */
export class UnfinishedUpload {
  #record;
  #start;
  #service;

  /** @param {(file: File, options: object) => object} start uploads a file. */
  constructor(service, record, loaded, start) {
    this.#service = service;
    this.#record = record;
    this.#start = start;
    this.path = record.path;
    this.file = record.file;
    this.createdAt = new Date(record.createdAt);
    this.loaded = loaded;
    this.total = record.file.size;
  }

  /**
   * Continues the upload. The user must choose the file again, because pages cannot open files by themselves.
   *
   * @param {File} file
   * @param {object} [options] onProgress, signal and similar options of `upload`.
   * @returns {import("./transfer.js").Transfer}
   * @throws {PresignError} with the code "FileChanged" if it is not the same file.
   */
  resume(file, options) {
    const { name, size, lastModified } = this.file;
    if (file.name !== name || file.size !== size || file.lastModified !== lastModified) {
      throw new PresignError(`${file.name} is not the file whose upload was interrupted, or was changed since`, {
        source: "file", code: "FileChanged",
        recoverySuggestion: `Choose ${name} with ${size} bytes, or upload the changed file as a new one.`,
      });
    }
    return this.#start(file, { ...this.#record.options, ...options });
  }

  /** Aborts the upload at the storage. */
  async cancel() {
    await abortUnlessLocked(this.#service, this.#record);
  }
}

/** Returns the uploads of this service that no page is working on, oldest first. */
export async function unfinished(service, start) {
  await abortStale(service);
  const found = (await ofService(service)).filter(({ isAbandoned }) => !isAbandoned);
  found.sort((a, b) => a.createdAt - b.createdAt);
  const uploads = await Promise.all(found.map(async (record) => {
    if (!await records.isFree(record.id)) return undefined;
    const loaded = (await records.readParts(record.id)).reduce((sum, { size }) => sum + size, 0);
    return new UnfinishedUpload(service, record, loaded, start);
  }));
  return uploads.filter((upload) => upload !== undefined);
}
