/** The files below a folder. */
import { presign } from "./library.js";

/**
 * Returns all files below a folder, with their paths in it as names.
 *
 * @param {{path: string}} folder
 * @param {object} options
 * @param {(count: number) => void} options.onCount receives how many were found so far.
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<{path: string, name: string}[]>}
 */
export async function filesBelow({ path: prefix }, { onCount, signal }) {
  const files = [];
  let continuationToken;
  do {
    const page = await presign.list(prefix, { continuationToken, maxKeys: 1000, signal });
    files.push(...page.objects.map(({ path }) => ({ path, name: path.slice(prefix.length) })));
    onCount(files.length);
    ({ continuationToken } = page);
  } while (continuationToken !== undefined);
  return files;
}
