/** All texts of the page. A translation replaces this file. */

const files = (count) => (count === 1 ? "1 file" : `${count} files`);

/** Fixed texts, which index.html and the views refer to by name. */
export const words = {
  title: "Upload and find files",
  account: "Account", key: "API key", signIn: "Sign in", signOut: "Sign out",
  signedIn: "Signed in", guest: "Guest", signedOut: "Not signed in",
  keyIsKept: "Your API key is kept in this tab until you close it or sign out.",
  keyHint: "Kept in this tab until you close it.",
  keyRequired: "An API key is required here.", keyInvalid: "This API key is not valid.",
  keyMissing: "Enter an API key.", signInOptional: "Sign in to do more than guests can.",
  otherKeyTitle: "Key from the link", useKey: "Use the key from the link", keepKey: "Keep my key",
  otherKey: "The link you opened has a different key. Your current key stays in use. Switch only if you trust the " +
    "link’s author, who may be able to read your uploads.",
  folder: "Folder", root: "Files", changeFolder: "Change folder", open: "Open",
  folderHint: "A new folder is created with its first file.",
  chooseFiles: "Choose files", chooseFolder: "Choose a folder", dropHint: "or drop them anywhere on this page",
  overall: "Progress of all files", news: "News", pause: "Pause", resume: "Resume", cancel: "Cancel", clear: "Clear",
  pauseAll: "Pause all uploads", resumeAll: "Resume all uploads", cancelAll: "Cancel all uploads",
  clearFinished: "Clear finished uploads", retryFailed: "Retry failed", replaceAll: "Replace all", skipAll: "Skip all",
  details: "Details", filter: "Filter by name", reload: "Try again", more: "Show more",
  life: "Valid for", link: "Link", copy: "Copy link", close: "Close",
  listing: "Files in this folder", loading: "Loading …", empty: "This folder is empty.",
  noMatch: "No name contains this text.", notListed: "The files of this folder cannot be listed.",
  noAccess: "You do not have access to this folder.", noAccessGuest: "Guests do not have access to this folder.",
  cannotUpload: "You cannot upload to this folder.",
  copied: "Copied.", notCopied: "The browser does not let this page copy. Copy the link from the field.",
  offline: "Waiting for the network",
};

/** Labels of the buttons in a row; the name of the file is added for screen readers. */
export const actions = {
  pause: "Pause", resume: "Resume", cancel: "Cancel", retry: "Retry", replace: "Replace", skip: "Skip",
  choose: "Choose again", link: "Link", download: "Download", remove: "Remove",
};

/** States of an upload. */
export const states = {
  checking: "Checking", waiting: "Waiting", offline: "Offline", done: "Uploaded", failed: "Failed",
  cancelled: "Cancelled", exists: "Exists", interrupted: "Interrupted", retrying: "Retrying", finishing: "Finishing",
  uploading: (percent) => `${percent} %`, paused: (percent) => `Paused, ${percent} %`,
};

/** Texts with values. */
export const phrases = {
  documentTitle: (text) => (text ? `${text} · presign` : "Files · presign"),
  uploading: (done, all) => `Uploading ${done + 1} of ${files(all)}`,
  paused: (done, all) => `Paused, ${done} of ${files(all)} uploaded`,
  finished: (done) => `${files(done)} uploaded`,
  counts: ({ done, failed, asking, interrupted, cancelled }) => [
    done > 0 && `${done} uploaded`, failed > 0 && `${failed} failed`, interrupted > 0 && `${interrupted} interrupted`,
    asking > 0 && `${asking} already ${asking === 1 ? "exists" : "exist"}`, cancelled > 0 && `${cancelled} cancelled`,
  ].filter(Boolean).join(", "),
  percent: (value) => `${value} %`,
  amount: (loaded, total) => `${loaded} of ${total}`, speed: (text) => `${text}/s`, left: (text) => `${text} left`,
  allowed: (kinds, limit) => {
    if (kinds && limit) return `${capital(kinds)} up to ${limit}`;
    if (kinds) return `${capital(kinds)} only`;
    return limit ? `Files up to ${limit}` : "";
  },
  neverReplaced: "Existing files are not replaced.",
  exists: (details) => `A file with this name exists${details && ` (${details})`}.`,
  interrupted: (percent) => `Interrupted at ${percent} %. Choose the same file again to continue.`,
  otherFile: (name) => `The chosen file is not the interrupted version of ${name}.`,
  duplicate: (name) => `${name} is already in the list.`,
  dropHere: (folder) => `Drop to upload to ${folder}`,
  linkTo: (name) => `Link to ${name}`,
  linkUntil: (time) => `Anyone with this link can download the file until ${time}.`,
  entries: (folders, count, isComplete) => [
    folders > 0 && `${folders} ${folders === 1 ? "folder" : "folders"}`, (count > 0 || folders === 0) && files(count),
  ].filter(Boolean).join(", ") + (isComplete ? "" : ", more exist"),
  added: (count) => `${files(count)} added`,
  news: (name, text) => `${name}: ${text}`,
  actionOn: (action, name) => `${action} ${name}`,
  folderRow: (name) => `Folder ${name}`,
};

/** Kinds of files in a rule's content types. */
const kinds = {
  "image/*": "images", "video/*": "videos", "audio/*": "audio files", "text/*": "text files",
  "application/pdf": "PDF", "application/zip": "ZIP", "application/json": "JSON", "text/plain": "plain text",
  "text/csv": "CSV", "image/jpeg": "JPEG", "image/svg+xml": "SVG", "video/mp4": "MP4", "audio/mpeg": "MP3",
  "application/octet-stream": "files of unknown type",
};

/** Describes content types: `["image/*", "application/pdf"]` as "images and PDF". */
export function kindsOf(types) {
  const names = types.map((type) => kinds[type] ?? kinds[type.toLowerCase()] ??
    (/^(image|video|audio|font)\/[\w-]+$/.test(type) ? type.split("/")[1].toUpperCase() : type));
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Reasons of failures by code, for readers who do not know the service. */
const failures = {
  forbidden: "You may not do this in this folder.",
  PreconditionFailed: "A file with this name exists, and files here are not replaced.",
  OperationAborted: "Another upload of this file is in progress.",
  ConditionalRequestConflict: "Another upload of this file is in progress.",
  TransferActive: "This file is being uploaded by another tab.",
  EntityTooLarge: "The file is too large for the storage.",
  FileUnreadable: "The file was changed, moved or removed. Choose it again.",
  FileChanged: "The file was changed since the interruption.",
  OutcomeUnknown: "The connection was lost at the end. Check whether the file has arrived.",
  NetworkError: "There was no response. Check your connection.",
  Timeout: "The connection is too slow or was lost.",
  ChecksumUnavailable: "This folder requires checksums, which browsers compute only on https pages.",
};

/** Reasons of failures by source. */
const sources = {
  presign: "The service refused the request.", storage: "The storage refused the request.",
  network: "There was no response. Check your connection.", file: "The file cannot be read.",
};

/** Describes an error in one sentence. `permission` has the limits of the folder. */
export function reason({ source, status, code, fields = [] }, permission = {}, maxSize = "") {
  if (source === "presign" && status === 401) return "Sign in to continue.";
  if (status === 429) return "There were too many requests. Try again in a moment.";
  if (status === 507) return "The storage is full.";
  if (fields.some(({ name }) => name === "contentType")) {
    return `This type of file is not allowed here${permission.types ? ` (only ${kindsOf(permission.types)})` : ""}.`;
  }
  if (fields.some(({ name }) => name === "contentLength")) {
    return `The file is larger than allowed here${maxSize && ` (${maxSize})`}.`;
  }
  if (fields.some(({ name }) => name === "path")) return "This name or folder is not allowed.";
  if (status >= 500) return "The server has a problem. Try again in a moment.";
  return failures[code] ?? sources[source] ?? "Something went wrong.";
}

/** Describes an error for experts. */
export function technical(error) {
  const { source, code, status, detail, message, recoverySuggestion, fields = [], requestId } = error;
  return [
    detail ?? message ?? String(error), ...fields.map((field) => `${field.name}: ${field.detail}`), recoverySuggestion,
    [source, code, status || undefined].filter(Boolean).join(" "), requestId && `Request ${requestId}`,
  ].filter(Boolean).join("\n");
}
