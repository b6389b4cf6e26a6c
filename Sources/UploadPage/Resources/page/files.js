/** Chosen and dropped files, and the icons of their types. */

/** Returns the files of an input, and empties it: otherwise choosing the same file again fires no event. */
export function chosen(input) {
  const files = [...input.files];
  input.value = "";
  return files;
}

/** Returns the dropped files, and whether there were folders among them, which are listed as files too. */
export function dropped({ items }) {
  const found = [...items].filter(({ kind }) => kind === "file");
  const isFolder = (item) => item.webkitGetAsEntry()?.isDirectory === true;
  // A file that was removed while it was dragged is null.
  const files = found.filter((item) => !isFolder(item)).map((item) => item.getAsFile()).filter(Boolean);
  return { files, hasFolder: found.some(isFolder) };
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
