/** Sizes, durations and times as text. */

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

export function size(bytes) {
  if (bytes === 1) return "1 byte";
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const number = bytes / 1000 ** power;
  return `${number.toFixed(power > 0 && number < 99.95 ? 1 : 0)} ${UNITS[power]}`;
}

/** Returns a limit of a rule, never more than it allows: 20 MiB are "20 MB". */
export function limit(bytes) {
  for (let power = 4; power > 0; power -= 1) {
    const isBinary = bytes % 1024 ** power === 0;
    const number = bytes / (isBinary ? 1024 : 1000) ** power;
    if (number >= 1) return `${isBinary ? number : Math.floor(number * 10) / 10} ${UNITS[power]}`;
  }
  return size(bytes);
}

/** Returns the time that is left: "20 s", "3 min". */
export function duration(seconds) {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ""}`;
}

/** Returns the life of a link in its largest whole unit: "1 hour", "90 minutes". */
export function life(seconds) {
  const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const [unit, length] = units.find(([, length]) => seconds % length === 0 && seconds >= length) ?? units.at(-1);
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}

const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const MOMENT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });

/** Returns "" for an invalid date. */
export const day = (date) => (Number.isNaN(Number(date)) ? "" : DAY.format(date));
export const moment = (date) => (Number.isNaN(Number(date)) ? "" : MOMENT.format(date));
