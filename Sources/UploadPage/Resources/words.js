/** The texts of the upload page for errors, sizes and durations. */

/**
 * Describes an error and its fix for the page's user.
 *
 * @param {PresignError} error
 * @param {boolean} hasKey whether an API key was entered.
 * @returns {{what: string, fix: string, isKey?: boolean}} isKey is true if the API key is missing or wrong.
 */
export function words(error, hasKey) {
  const { source, status, code, fields = [], detail = error.message, recoverySuggestion: fix = "" } = error;
  if (source === "presign" && status === 401) {
    return hasKey
      ? { what: "The API key is not valid.", fix: "Correct it above, then retry.", isKey: true }
      : { what: "An API key is required.", fix: "Enter it above, then retry." };
  }
  if (fields.length > 0) {
    return {
      what: fields.map((field) => `${FIELDS[field.name] ?? field.name}: ${field.detail}.`).join(" "),
      fix: fix || "The rule for this folder does not allow this file: choose another file or folder.",
    };
  }
  switch (code) {
    case "forbidden":
      return {
        what: "You do not have access to this folder.",
        fix: "Change the folder or the API key above, then retry.",
      };
    case "PreconditionFailed":
      return {
        what: "A file with this name already exists.",
        fix: "Select “Replace existing files” or change the folder, then retry.",
      };
    case "OperationAborted":
    case "ConditionalRequestConflict":
      return { what: "Another upload of this file is in progress.", fix: "Retry when it has finished." };
    case "EntityTooLarge":
      return { what: "The file is too large for the storage.", fix };
    case "NetworkError":
      return { what: `There was ${detail}.`, fix };
    default:
      return { what: `${FAILURES[source] ?? "Something went wrong"}: ${detail.replace(/\.$/, "")}.`, fix };
  }
}

/** The names of request fields for the page's user. */
const FIELDS = { contentType: "The file’s type", contentLength: "The file’s size", path: "The path" };

const FAILURES = {
  presign: "The service rejected the request", storage: "The storage rejected the file",
  file: "The file could not be sent",
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
