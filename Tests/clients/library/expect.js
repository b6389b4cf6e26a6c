/** Expectations of the tests. */

/** Throws unless the values are equal as JSON. */
export function expect(found, wanted, text = "") {
  const [a, b] = [found, wanted].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`${text} found ${a}, expected ${b}`);
}

/** Returns the error with which a promise is rejected, or that a function throws. */
export async function failure(promise) {
  try {
    await (typeof promise === "function" ? promise() : promise);
  } catch (error) {
    return error;
  }
  throw new Error("no error");
}
