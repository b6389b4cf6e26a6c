/** All texts of the page in English. */
import { isolated, number } from "../language.js";

const several = (count, one, many) => (count === 1 ? `1 ${one}` : `${number(count)} ${many}`);
const files = (count) => several(count, "file", "files");
const sentence = (...parts) => parts.filter(Boolean).join(", ");
const as = (name) => (name ? ` as ${name}` : "");
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Fixed texts, to which index.html and the views refer by name. */
export const words = {
  notLoaded: "A part of this page could not be loaded. Reload the page.",
  title: "Upload and find files", root: "Files", details: "Details", news: "News",
  account: "Account", key: "API key", signIn: "Sign in", signOut: "Sign out",
  leaveText: "The uploads end, and what they have sent is removed.", stay: "Stay signed in",
  signedIn: "Signed in", guest: "Guest · Sign in", signedOut: "Not signed in",
  keyHint: "The operator of this service issues API keys. This tab keeps the key until you close it.",
  keyInvalid: "This API key is not valid.",
  keyMissing: "Enter an API key.", keyRequired: "Sign in to see and upload files.",
  signInOptional: "Sign in to do more than guests can.",
  wantKey: "Use an API key",
  keepKey: "Do not use it", useKey: "Use the key",
  folder: "Folder", changeFolder: "Change folder", newFolder: "New folder", open: "Open",
  refresh: "Reload this folder",
  folderHint: "A new folder is created with its first file.",
  newFolderName: "Name of the new folder", newFolderHint: "Others see the folder as soon as it has a file.",
  create: "Create", nameMissing: "Enter a name.", createdNote: "Others see it with its first file",
  emptyCreated: "No files here yet. Others see this folder with its first file.",
  noAccess: "You do not have access to this folder.", noAccessGuest: "Guests do not have access to this folder.",
  chooseFiles: "Choose files", chooseFolder: "Choose folder", dropHint: "or drop them anywhere on this page",
  cannotUpload: "You cannot upload to this folder.", neverReplaced: "Existing files are not replaced",
  uploads: "Uploads", overall: "Progress of all files", pause: "Pause", resume: "Resume", cancel: "Cancel",
  clear: "Hide", show: "Show",
  pauseAll: "Pause all uploads", resumeAll: "Resume all uploads", cancelAll: "Cancel all uploads",
  clearFinished: "Hide finished uploads", showUploads: "Show the uploaded files", retryFailed: "Retry failed",
  replaceAll: "Replace all", skipAll: "Skip all",
  listing: "Files in this folder", loading: "Loading …", empty: "No files here yet.", more: "Show more",
  stop: "Stop",
  filter: "Filter by name", reload: "Try again", startFolders: "Folders you can open",
  someStartFolders: "Some of the folders you can open",
  sort: "Sort by", name: "Name", size: "Size", changed: "Changed", ascending: "Ascending", descending: "Descending",
  select: "Select", selectAll: "Select all files", selection: "Selected files", selectNone: "Clear selection",
  save: "Download", delete: "Delete", keepFiles: "Cancel", cannotUndo: "You cannot undo this.",
  notListed: "The files of this folder cannot be listed.",
  uploadOnly: "You can upload to this folder, but its files cannot be listed.",
  waitingOffline: "You are offline. This folder is loaded when the network is back.",
  waiting: "The server is not available. Trying again …",
  life: "Valid for", days: "Days", otherDays: "Other number of days",
  link: "Link", copy: "Copy link", close: "Close", copied: "Copied.",
  folderLink: "The link opens this folder for people who may see it.",
  previous: "Previous file", next: "Next file",
  noPreview: "Files of this type cannot be shown here. You can download it.",
  notShown: "This file cannot be shown here. You can download it.",
  notCopied: "The browser does not let this page copy. Copy the link from the field.",
};

/** Labels of the buttons in a row. */
export const actions = {
  pause: "Pause", resume: "Resume", cancel: "Cancel", retry: "Retry", replace: "Replace", skip: "Skip",
  "keep-both": "Keep both",
  choose: "Choose file", link: "Link", download: "Download", remove: "Remove", delete: "Delete",
  pauseWhole: "Pause (this file starts again)", resumeWhole: "Start again",
};

/** States of an upload. */
export const states = {
  waiting: "Waiting", offline: "Offline", done: "Uploaded", failed: "Failed",
  cancelled: "Cancelled", exists: "Exists", interrupted: "Interrupted", retrying: "Retrying", finishing: "Finishing",
  uploading: (percent) => `${percent} %`, paused: (percent) => `Paused, ${percent} %`,
  pausing: "Pausing …",
};

/** Texts with values. */
export const phrases = {
  user: ({ apiKey, identity }) => (apiKey ? `API key ${apiKey}` : identity ?? words.signedIn),
  keyIsKept: (id) => `Your API key “${id}” is kept in this tab until you close it or sign out.`,
  tokenIsKept: (name) => `You are signed in${as(name)}, in this tab until you close it or sign out.`,
  withoutKey: (identity) => `You are signed in${as(identity)}. If you enter an API key, this tab uses it instead.`,
  keyForgotten: (id) => `The service refused the API key${id && ` “${id}”`}, so this tab has forgotten it. ` +
    "Enter another one.",
  leave: (count) => `Sign out and cancel ${several(count, "upload", "uploads")}?`,
  offer: (id) => (id ? `Use the API key “${id}”?` : "Use this API key?"),
  current: ({ apiKey, identity }) => (apiKey ? `API key “${apiKey}”` : `sign-in${as(identity)}`),
  offered: (current) => `The link you opened has ${current ? `a different key, which would replace your ${current}`
    : "this key"}. If you use it, your files go to folders that the sender of the link can open too.`,
  uploading: (done, all) => `Uploading, ${number(done)} of ${files(all)} done`,
  offline: (done, all) => `Waiting for the network, ${number(done)} of ${files(all)} done`,
  retrying: (done, all) => `The server is not available. Trying again, ${number(done)} of ${files(all)} done`,
  paused: (done, all) => `Paused, ${number(done)} of ${files(all)} done`,
  pausing: (done, all) => `Pausing, ${number(done)} of ${files(all)} done`,
  counts: ({ done, failed, exists, interrupted, cancelled }) => sentence(
    done > 0 && `${files(done)} uploaded`, failed > 0 && `${failed} failed`, cancelled > 0 && `${cancelled} cancelled`,
    interrupted > 0 && `${interrupted} interrupted`,
    exists > 0 && `${exists} already ${exists > 1 ? "exist" : "exists"}`),
  moving: (title, { failed, exists, interrupted }) =>
    sentence(title, phrases.counts({ failed, exists, interrupted })),
  bytes: (count) => several(count, "byte", "bytes"),
  percent: (value) => `${value} %`,
  amount: (loaded, total) => `${loaded} of ${total}`,
  speed: (amount) => `${amount}/s`,
  left: (time) => `${time} left`,
  allowed: (kinds, limit) => (kinds ? capital(kinds) + (limit ? ` up to ${limit}` : " only")
    : limit ? `Files up to ${limit}` : "Files of any type"),
  exists: (facts) => `A file with this name exists${facts && ` (${facts})`}.`,
  interrupted: (percent) => `Interrupted at ${percent} %. Choose the same file again to continue.`,
  otherFile: (name) => `The chosen file is not the interrupted version of ${isolated(name)}.`,
  duplicate: (name) => `${isolated(name)} is already in the list.`,
  dropHere: (folder) => `Drop files to upload them to “${isolated(folder)}”`,
  linkTo: (name) => `Link to ${isolated(name)}`,
  linkUntil: (time) => `Anyone with this link can download the file until ${time}.`,
  entries: (folders, count, isComplete) => sentence(folders > 0 && several(folders, "folder", "folders"),
    (count > 0 || folders === 0) && files(count), !isComplete && "more exist"),
  found: (found, count, isSearching, isComplete) => (isSearching
    ? `${number(found)} found, ${several(count, "name", "names")} searched so far`
    : `${number(found)} of ${several(count, "name", "names")}${isComplete ? "" : ", more exist"}`),
  loadingRest: (count) => `Loading all names, ${number(count)} so far`,
  created: (name) => `${isolated(name)} created. Others see it with its first file.`,
  searching: (count) => `Searching … ${several(count, "name", "names")} so far`,
  noMatch: (count, text) => `None of ${several(count, "name", "names")} contains “${text}”.`,
  selected: (count, amount, areMore) => `${files(count)} selected, ${amount}${areMore ? ", more exist" : ""}`,
  saving: (done, all) => `Saving, ${number(done)} of ${files(all)} done`,
  saved: (done, failed) =>
    sentence(done > 0 && `${files(done)} saved`, failed > 0 && `${files(failed)} not saved`) + ".",
  counting: (count) => `Counting files, ${number(count)} so far`,
  folderDeletion: (name, count) => `Delete the folder “${isolated(name)}” with ${files(count)}?`,
  place: (index, all) => `${number(index)} of ${number(all)}`,
  tooLarge: (limit) => `Files above ${limit} of this type are not shown here. You can download it.`,
  deletion: (count) => `Delete ${files(count)}?`,
  others: (count) => `and ${several(count, "other", "others")}`,
  deleting: (done, all) => `Deleting, ${number(done)} of ${files(all)} done`,
  deleted: (done, failed) =>
    sentence(done > 0 && `${files(done)} deleted`, failed > 0 && `${files(failed)} not deleted`) + ".",
  unreadable: (count) => `${several(count, "file or folder", "files and folders")} could not be read.`,
  ignored: (count) => `${several(count, "file", "files")} of the system, such as .DS_Store, ${
    count === 1 ? "was" : "were"} left out.`,
  wrongType: (kinds) => `This type of file is not allowed here${kinds && `, only ${kinds}`}.`,
  wrongSize: (limit) => `The file is larger than allowed here${limit && ` (at most ${limit})`}.`,
  blocked: (origin) =>
    `The storage does not answer this page. The operator must add ${origin} to the bucket's CORS rules.`,
  added: (count) => `${files(count)} added`,
  news: (name, text) => `${isolated(name)}: ${text}`,
  actionOn: (action, name) => `${action} ${name}`,
};

/** Names of content types; others are named by their subtype, such as PNG. */
export const kinds = {
  "image/*": "images", "video/*": "videos", "audio/*": "audio files", "text/*": "text files",
  "text/plain": "plain text", "text/csv": "CSV", "application/pdf": "PDF", "application/zip": "ZIP",
  "application/json": "JSON", "image/svg+xml": "SVG", "audio/mpeg": "MP3",
};

const CONFLICT = "Another upload of this file is in progress.";

/** Reasons of failures by code; the first ones have no code. */
export const failures = {
  signInNeeded: "Sign in to continue.", wrongName: "This name or folder is not allowed.",
  tooMany: "There were too many requests. Try again in a moment.", full: "The storage is full.",
  serverProblem: "The server has a problem. Try again in a moment.",
  noResponse: "The server does not respond. Try again in a moment.",
  offline: "You are offline. Check your connection.",
  presign: "The service refused this.", storage: "The storage refused this.", other: "Something went wrong.",
  forbidden: "You do not have permission to do this here.", TransferActive: CONFLICT, OperationAborted: CONFLICT,
  ConditionalRequestConflict: CONFLICT,
  PreconditionFailed: "A file with this name exists, and files here are not replaced.",
  EntityTooLarge: "The file is too large for the storage.",
  FileUnreadable: "The file was changed, moved or removed. Choose it again.",
  OutcomeUnknown: "The connection was lost at the end. Check whether the file has arrived.",
  ChecksumUnavailable: "This folder requires checksums, which browsers compute only on https pages.",
};

const SIGN_IN_AGAIN = "The sign-in has expired. Sign in again.";

/** Reasons why a sign-in fails, by code: those of OAuth and OpenID Connect, and those of presign.js. */
export const signIns = {
  access_denied: "You cancelled the sign-in, or you do not have access to this application.",
  temporarily_unavailable: "The identity provider is not available. Reload this page in a moment.",
  server_error: "The identity provider has a problem. Try again in a moment.",
  invalid_grant: "The sign-in took too long. Sign in again.", SignInExpired: SIGN_IN_AGAIN,
  login_required: SIGN_IN_AGAIN,
  SignInUnknown: "This sign-in was not started in this tab, or was completed before. Sign in again.",
  SignInInsecure: "Signing in needs a secure address, which begins with https.",
  SignInBlocked: "Your browser blocks site data. Allow it for this site to sign in.",
  ClockSkew: "The clock of your device is wrong. Correct its time and time zone, then sign in again.",
  wrongSetup: "This page is not set up correctly at the identity provider.",
  other: "The identity provider could not sign you in.",
  tokenExpired: "The service says that your new sign-in has expired. Its clock may be wrong.",
  tokenRefused: "The service refused your sign-in. Its operator can see the reason in the log.",
};
