/** What the upload page says: errors, sizes and times in words. */

/**
 * What went wrong and how to mend it, for who uses the page.
 *
 * @param {PresignError} error
 * @param {boolean} hasKey true when a key was given.
 * @returns {{what: string, mend: string, isKey?: boolean}} isKey is true when the API key is to blame.
 */
export function words(error, hasKey) {
  const { source, status, code, fields = [], detail = error.message, recoverySuggestion: mend = "" } = error;
  if (source === "presign" && status === 401) {
    return hasKey
      ? { what: "The API key was not accepted.", mend: "Correct it above, then retry.", isKey: true }
      : { what: "An API key is needed.", mend: "Enter it above, then retry." };
  }
  if (fields.length > 0) {
    return {
      what: fields.map((field) => `${MEMBERS[field.name] ?? field.name}: ${field.detail}.`).join(" "),
      mend: mend || "The rule for this folder allows other files only: choose another file or folder.",
    };
  }
  switch (code) {
    case "forbidden":
      return {
        what: "You may not do this in this folder.",
        mend: "Change the folder above, then retry, or use another key.",
      };
    case "PreconditionFailed":
      return {
        what: "A file is already there.",
        mend: "Tick “Replace files that are already there”, or change the folder; then retry.",
      };
    case "OperationAborted":
    case "ConditionalRequestConflict":
      return { what: "Another upload of this file is going on.", mend: "Retry when that has ended." };
    case "EntityTooLarge":
      return { what: "The file is too large for the storage.", mend };
    case "NetworkError":
      return { what: `There was ${detail}.`, mend };
    default:
      return { what: `${REFUSED_BY[source] ?? "Something went wrong"}: ${detail.replace(/\.$/, "")}.`, mend };
  }
}

/** What people call the members of a request. */
const MEMBERS = { contentType: "The file’s type", contentLength: "The file’s size", path: "The path" };

const REFUSED_BY = {
  presign: "The service refused it", storage: "The storage refused it", file: "It could not be sent",
};

/** @param {number} bytes */
export function size(bytes) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const number = bytes / 1000 ** power;
  return `${number.toFixed(power > 0 && number < 100 ? 1 : 0)} ${units[power]}`;
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ""}`;
}
