/** Sizes, durations and times as text. */
import { lazily, locale, number } from "./language.js";
import { phrases } from "./words.js";

/** The units of the configuration and of the service's messages, in which a limit of `100k` is 100 KiB. */
const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];
const LARGEST = UNITS.length - 1;
const FRACTION = lazily(() => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));

const roundedUp = (number) => (number < 100 ? Math.ceil(number * 10) / 10 : Math.ceil(number));

/** Returns a size, rounded up, so that a file that is larger than a limit never appears to be within it. */
export function size(bytes) {
  let amount = Math.ceil(bytes), power = 0;
  while (amount >= 1024 && power < LARGEST) amount = roundedUp(bytes / 1024 ** (power += 1));
  if (power === 0) return phrases.bytes(amount);
  return `${amount < 100 ? FRACTION().format(amount) : number(amount)} ${UNITS[power]}`;
}

/** Returns a limit exactly, in the largest unit that needs no fraction. */
export function limit(bytes) {
  const power = [4, 3, 2, 1].find((power) => bytes > 0 && bytes % 1024 ** power === 0);
  return power === undefined ? phrases.bytes(bytes) : `${number(bytes / 1024 ** power)} ${UNITS[power]}`;
}

/** Returns the time that is left: "20 s", "3 min". */
export function duration(seconds) {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ""}`;
}

/** Returns the life of a link in its largest whole unit: "1 hour", "90 minutes". */
export function life(seconds) {
  const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const [unit, length] = units.find(([, length]) => seconds % length === 0 && seconds >= length) ?? units.at(-1);
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}

const TIME = lazily(() => new Intl.DateTimeFormat(locale, { timeStyle: "short", hourCycle: "h23" }));
const DAY = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }));
const MOMENT = lazily(() =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }));

const isToday = (date) => date.toDateString() === new Date().toDateString();

/** Returns the day, or the time of today; "" for an invalid date. */
export const day = (date) => (Number.isNaN(Number(date)) ? "" : (isToday(date) ? TIME : DAY)().format(date));
export const moment = (date) => (Number.isNaN(Number(date)) ? "" : MOMENT().format(date));
