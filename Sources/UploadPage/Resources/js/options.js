/**
 * Checks the names of options, so that a typo never falls back to the default.
 *
 * @module options
 */

/** The options of every request. */
export const WAIT = ["signal", "retries", "timeout"];

/**
 * Throws if an option has an unknown name.
 *
 * @param {string} method what the options are for.
 * @param {object|undefined} options
 * @param {string[]} known
 * @throws {TypeError} that names the nearest option.
 */
export function checkOptions(method, options, known) {
  for (const name of Object.keys(options ?? {})) {
    if (known.includes(name)) continue;
    const nearest = nearestTo(name, known);
    throw new TypeError(`${method}: unknown option \`${name}\`${nearest ? `; did you mean \`${nearest}\`?`
      : `; the options are ${known.join(", ")}`}`);
  }
}

/** Returns the most similar known name if at most a third of its letters differ, ignoring case. */
function nearestTo(name, known) {
  const distances = known.map((other) => [distance(name.toLowerCase(), other.toLowerCase()), other]);
  const [least, nearest] = distances.sort(([a], [b]) => a - b)[0];
  return least <= Math.max(1, nearest.length / 3) && least < nearest.length ? nearest : undefined;
}

/** Returns the number of insertions, deletions and substitutions between two words. */
function distance(left, right) {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...left.slice(0, 64)].entries()) {
    const next = [index + 1];
    for (let column = 0; column < right.length; column += 1) {
      const replaced = row[column] + Number(letter !== right[column]);
      next.push(Math.min(replaced, row[column + 1] + 1, next[column] + 1));
    }
    row = next;
  }
  return row[right.length];
}
