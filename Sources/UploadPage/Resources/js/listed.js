/**
 * The listing that the page has requested last. An upload to a name that it lacks need not ask whether there is one.
 *
 * @module listed
 */

/** Milliseconds after which a listing is not used any more. */
const MAX_AGE = 5 * 60 * 1000;

export class LastListing {
  #prefix = "";
  #delimiter;
  #names = new Set();
  /** The token of the page that is missing; undefined when all names are known. */
  #next = "none yet";
  #startedAt = -Infinity;

  /**
   * Adds one page: the first of another listing, or the next of this one.
   *
   * @param {string} prefix
   * @param {object} options those of `list`.
   * @param {object} page the result of `list`.
   */
  add(prefix, { delimiter, startAfter, continuationToken }, page) {
    const isFirst = startAfter === undefined && continuationToken === undefined;
    const isNext = prefix === this.#prefix && delimiter === this.#delimiter && continuationToken === this.#next;
    if (!isFirst && (startAfter !== undefined || !isNext)) return;
    if (isFirst) {
      this.#prefix = prefix;
      this.#delimiter = delimiter;
      this.#names = new Set();
      this.#startedAt = performance.now();
    }
    for (const { path } of page.objects) this.#names.add(path);
    for (const folder of page.folders) this.#names.add(folder);
    this.#next = page.continuationToken;
  }

  /** Adds the path of an object that was uploaded since. */
  include(path) {
    if (path.startsWith(this.#prefix)) this.#names.add(this.#listed(path));
  }

  /** Whether the folder of a path was listed completely a moment ago, without an object at the path. */
  lacks(path) {
    const isKnown = this.#next === undefined && performance.now() - this.#startedAt < MAX_AGE;
    return isKnown && path.startsWith(this.#prefix) && !this.#names.has(this.#listed(path));
  }

  /** The object or the folder that stands for a path in the listing. */
  #listed(path) {
    const end = this.#delimiter ? path.indexOf(this.#delimiter, this.#prefix.length) : -1;
    return end < 0 ? path : path.slice(0, end + this.#delimiter.length);
  }
}
