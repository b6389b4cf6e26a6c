/** Chosen and dropped files, and the icons of their types. */

/** Returns the files of an input with their relative paths, and empties it: the same file can be chosen again. */
export function chosen(input) {
  const found = Array.from(input.files, (file) => ({ file, relative: file.webkitRelativePath || file.name }));
  input.value = "";
  return found;
}

/**
 * Returns the dropped files, also those in folders, with their relative paths.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<{file: File, relative: string}[]>}
 */
export async function dropped({ items }) {
  // The items are gone after the event, so read their entries now.
  const entries = [...items].filter(({ kind }) => kind === "file")
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile()).filter(Boolean);
  const found = await Promise.all(entries.map((entry) => (entry instanceof File ? single(entry) : filesOf(entry))));
  return found.flat();
}

const single = (file) => [{ file, relative: file.name }];

async function filesOf(entry) {
  if (!entry.isDirectory) {
    // A file that was removed while it was dragged cannot be read.
    const file = await new Promise((resolve) => { entry.file(resolve, () => resolve(undefined)); });
    return file ? [{ file, relative: entry.fullPath.replace(/^\//, "") || file.name }] : [];
  }
  const reader = entry.createReader();
  const children = [];
  for (;;) {
    // Each call returns only some of the entries.
    const some = await new Promise((resolve) => { reader.readEntries(resolve, () => resolve([])); });
    if (some.length === 0) break;
    children.push(...some);
  }
  return (await Promise.all(children.map(filesOf))).flat();
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
