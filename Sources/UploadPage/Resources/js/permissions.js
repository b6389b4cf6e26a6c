/**
 * What the caller may do in a folder, for planning uploads without asking for each file.
 *
 * @module permissions
 */
import { unlessAborted } from "./retry.js";

/** Milliseconds for which permissions are used again. */
const MAX_AGE = 60_000;

export class PermissionCache {
  /** The time of the request, and the promise of the permissions, by caller, folder and file type. */
  #entries = new Map();

  /**
   * Returns the permissions at a path, or recent ones of another file of the same type in the folder. Rules can tell
   * names apart, so the ones of another file can differ.
   *
   * @param {string} path
   * @param {string} caller tells callers apart.
   * @param {() => Promise<object>} ask requests the permissions at the path.
   * @param {AbortSignal} [signal]
   * @returns {Promise<{actions: object, isExact: boolean}>}
   */
  async get(path, caller, ask, signal) {
    const key = JSON.stringify([caller, ...kindOf(path)]);
    const known = this.#entries.get(key);
    if (known && !isOld(known)) {
      // A request that failed, or was aborted by the upload that sent it, says nothing about this one.
      const actions = await unlessAborted(known.actions.catch(() => undefined), signal);
      if (actions) return { actions, isExact: false };
    }
    this.#removeOld();
    const asked = ask();
    this.#entries.set(key, { requestedAt: performance.now(), actions: asked });
    return { actions: await asked, isExact: true };
  }

  #removeOld() {
    for (const [key, entry] of this.#entries) if (isOld(entry)) this.#entries.delete(key);
  }
}

const isOld = ({ requestedAt }) => performance.now() - requestedAt >= MAX_AGE;

/** The folder of a path, and the end of its name from the last dot. */
function kindOf(path) {
  const start = path.lastIndexOf("/") + 1, dot = path.lastIndexOf(".");
  return [path.slice(0, start), dot > start ? path.slice(dot) : ""];
}
