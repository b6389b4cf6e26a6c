/** The settings of the page, and its language, in which numbers, dates and the order of names are written. */

/**
 * What the service writes into the head of the page.
 *
 * @type {{needsCredentials?: boolean, languages?: string[], language?: string, title?: string, signIn?: object}} the
 *   languages are those that have a file of texts.
 */
export const settings = JSON.parse(globalThis.document?.querySelector('meta[name="presign-page"]')?.content ?? "{}");

const base = (tag) => tag.split("-")[0].toLowerCase();
const { language: fixed, languages = ["en"] } = settings;
const preferred = globalThis.navigator?.languages ?? [];

/** The configured language, otherwise the first one of the browser that has a file of texts. */
export const language = fixed ?? preferred.map(base).find((tag) => languages.includes(tag)) ?? "en";

/** The language as the user's region writes it, such as "de-AT". */
export const locale = preferred.find((tag) => base(tag) === language) ?? language;

/**
 * Returns a function that creates a formatter at its first use. That takes up to 20 ms, so it is created before if the
 * browser has nothing else to do.
 */
export function lazily(create) {
  let formatter;
  const get = () => (formatter ??= create());
  globalThis.requestIdleCallback?.(get);
  return get;
}

const NUMBER = lazily(() => new Intl.NumberFormat(locale));

/** Returns a number as text: "1,000". */
export const number = (value) => NUMBER().format(value);

/** The scripts from right to left, and the characters that change the direction. */
const OTHER_DIRECTION = /[\p{Bidi_C}\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}]/u;
/** The last 8 characters, with their marks. */
const END = /(?:\P{M}\p{M}*){1,8}$/u;

const order = lazily(() => new Intl.Collator(locale, { numeric: true }));

/** Compares by name: "photo-2" comes before "photo-10". */
export const byName = (a, b) => order().compare(a.name, b.name);

/**
 * Returns the end of a name, which stays visible when the name does not fit; "" if both halves would stand in the
 * wrong order.
 */
export const endOf = (name) => (OTHER_DIRECTION.test(name) ? "" : END.exec(name)?.[0] ?? "");

/** Returns a name within a sentence, whose order it must not change. */
export const isolated = (name) => (OTHER_DIRECTION.test(name) ? `\u2068${name}\u2069` : name);

/** Returns the same text for names that look the same: "é" has one or two characters, spaces have several widths. */
export const comparable = (text) => text.normalize("NFKC").toLowerCase();
