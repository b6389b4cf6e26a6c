/** Chosen and dropped files and folders, the icons of their types, and what can be done with them. */
import { byName } from "./language.js";
import { update } from "./state.js";
import { words } from "./words.js";

/**
 * A file to upload.
 *
 * @typedef {{file: File, name: string}} Chosen its name has the folders in which it was chosen: "photos/2026/cat.jpg".
 */

/**
 * @typedef {{files: Chosen[], unreadable?: string[], ignored?: string[]}} Choice with the names of files that cannot be
 *   read, and of those that are left out.
 */

/** Files that systems create in folders without being asked. */
const IGNORED = new Set([".DS_Store", "Thumbs.db", "desktop.ini"]);
const isIgnored = ({ name }) => IGNORED.has(name.split("/").at(-1));

/** Returns the files of folders, by name and without those that systems create. */
const ofFolders = (files) => ({
  files: files.filter((file) => !isIgnored(file)).sort(byName),
  ignored: files.filter(isIgnored).map(({ name }) => name),
});

/**
 * Returns the files of an input, and empties it: otherwise choosing the same file again fires no event.
 *
 * @returns {Choice}
 */
export function chosen(input) {
  const files = Array.from(input.files, (file) => ({ file, name: file.webkitRelativePath || file.name }));
  input.value = "";
  return input.webkitdirectory ? ofFolders(files) : { files };
}

/**
 * Returns the dropped files, with those in dropped folders.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<Choice>}
 */
export async function dropped(transfer) {
  // Everything is taken from the event before the first await, which ends its access to the files.
  const found = [...transfer.items].filter(({ kind }) => kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry?.(), file: item.getAsFile?.() }));
  const files = [], unreadable = [];
  for (const { entry, file } of found) {
    if (entry?.isDirectory) await collect(entry, "", files, unreadable);
    // A file that was removed while it was dragged is null.
    else if (file) files.push({ file, name: file.name });
  }
  return { ...ofFolders(files), unreadable };
}

async function collect(entry, folder, files, unreadable) {
  const name = folder + entry.name;
  try {
    if (!entry.isDirectory) {
      const file = await new Promise((resolve, reject) => { entry.file(resolve, reject); });
      files.push({ file, name });
      return;
    }
    for (const child of await children(entry)) await collect(child, `${name}/`, files, unreadable);
  } catch {
    unreadable.push(name);
  }
}

/** Reads a folder to its end: browsers return up to 100 entries at once. */
async function children(folder) {
  const reader = folder.createReader(), all = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
    if (some.length === 0) return all;
    all.push(...some);
  }
}

export const carriesFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files") ?? false;

const EXTENSIONS = {
  image: "jpg jpeg png gif webp avif heic svg bmp tif tiff ico", video: "mp4 mov webm mkv avi m4v",
  audio: "mp3 wav ogg flac m4a aac opus", archive: "zip gz tgz bz2 xz zst 7z rar tar jar",
  text: "txt md csv json xml yaml yml html css js ts swift py pdf doc docx odt rtf log tex",
};
const KINDS = new Map(Object.entries(EXTENSIONS).flatMap(([kind, names]) =>
  names.split(" ").map((name) => [name, kind])));

/** Returns the icon of a file by its content type or its name. */
export function kindOf(name, type = "") {
  const [main] = type.split("/");
  if (["image", "video", "audio", "text"].includes(main)) return main;
  return KINDS.get(name.split(".").at(-1).toLowerCase()) ?? "file";
}

/** Returns an action whose module is loaded when it is used. */
const from = (load, name) => async (...values) => {
  const loaded = await load().catch(() => update({ notice: words.notLoaded, noticeDetails: "" }));
  return loaded?.[name](...values);
};
const saving = () => import("./save.js");

/**
 * The actions of files and folders: `delete` takes one or several files or a folder, `saveAll` files, the others a file
 * or folder.
 */
export const actions = {
  open: from(() => import("./preview.js"), "openPreview"),
  link: from(() => import("./link.js"), "openLink"),
  download: from(saving, "download"),
  saveAll: from(saving, "saveAll"),
  delete: from(() => import("./removal.js"), "askToDelete"),
};
