/**
 * Shows files on the page. The name says what a file is, and the element checks it: what the storage says is not used,
 * and no frame or tab gets one of its URLs, so that nothing of a file can run.
 */
import { isUnauthorized } from "./connection.js";
import { element, on, setNote, setText } from "./dom.js";
import { actions, kindOf } from "./files.js";
import { recheck } from "./folder.js";
import { limit } from "./format.js";
import { presign } from "./library.js";
import { shownFiles } from "./listing.js";
import { phrases, reason, technical, words } from "./words.js";

/** The largest files that are fetched to be shown, in bytes. */
const MAX_PDF = 20 * 1024 ** 2, MAX_TEXT = 256 * 1024;
/** Types that are shown as text, among them those that browsers would run. */
const TEXTS = new Set(("txt md csv tsv json jsonl xml yaml yml toml ini conf log html htm xhtml svg css js mjs ts " +
  "swift py sh sql tex rst srt vtt").split(" "));
/** The elements of other types, with the event that says that they can show the file. */
const MEDIA = { image: ["img", "load"], video: ["video", "loadedmetadata"], audio: ["audio", "loadedmetadata"] };

/** Why a file is not shown, as a text for the user. */
class NotShown extends Error {}

let files = [], index = 0;
/** Ends what the current file needs. */
let controller = new AbortController();

/** Opens a file. The arrows lead to the others of the list. */
export function openPreview(file) {
  files = shownFiles();
  index = files.indexOf(file);
  for (const id of ["previous", "next"]) element(id).hidden = files.length < 2;
  element("preview").showModal();
  return show();
}

async function show() {
  close();
  const { signal } = controller = new AbortController(), file = files[index];
  // A frame that had the focus is gone.
  if (document.activeElement === document.body) element("next").focus();
  setText(element("preview-title"), file.name);
  setText(element("preview-place"), phrases.place(index + 1, files.length));
  setNote(element("preview-note"), words.loading);
  try {
    const node = await viewOf(file, signal);
    if (signal.aborted) return;
    element("preview-body").replaceChildren(node);
    setNote(element("preview-note"));
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof NotShown) return offerDownload(error.message);
    if (isUnauthorized(error)) recheck(error);
    setNote(element("preview-note"), reason(error), technical(error));
  }
}

function offerDownload(text) {
  const button = document.createElement("button");
  Object.assign(button, { className: "primary", textContent: words.save });
  button.addEventListener("click", save);
  element("preview-body").replaceChildren(button);
  setNote(element("preview-note"), text);
}

const save = () => actions.download(files[index]);

/** Ends loading and playing. */
function close() {
  controller.abort();
  element("preview-body").replaceChildren();
}

function viewOf(file, signal) {
  const extension = file.name.split(".").at(-1).toLowerCase(), kind = kindOf(file.name);
  if (TEXTS.has(extension)) return textView(file, signal);
  if (extension === "pdf") return pdfView(file, signal);
  if (kind in MEDIA) return mediaView(file, signal, ...MEDIA[kind]);
  throw new NotShown(words.noPreview);
}

async function mediaView({ path, name }, signal, tag, loaded) {
  const node = document.createElement(tag), url = await presign.downloadURL(path, { signal });
  Object.assign(node, tag === "img" ? { alt: name } : { controls: true, preload: "metadata", ariaLabel: name });
  await new Promise((resolve, reject) => {
    const fail = () => reject(new NotShown(words.notShown));
    node.addEventListener(loaded, resolve);
    node.addEventListener("error", fail);
    signal.addEventListener("abort", () => {
      node.removeAttribute("src");
      node.load?.();
      fail();
    });
    node.src = url;
  });
  return node;
}

async function pdfView(file, signal) {
  if (!navigator.pdfViewerEnabled) throw new NotShown(words.noPreview);
  const content = await contentOf(file, MAX_PDF, signal);
  if (await content.slice(0, 5).text() !== "%PDF-") throw new NotShown(words.notShown);
  const frame = document.createElement("iframe");
  const url = URL.createObjectURL(content.slice(0, content.size, "application/pdf"));
  signal.addEventListener("abort", () => URL.revokeObjectURL(url));
  Object.assign(frame, { src: url, title: file.name });
  return frame;
}

async function textView(file, signal) {
  const text = await (await contentOf(file, MAX_TEXT, signal)).text();
  if (text.includes("\0")) throw new NotShown(words.notShown);
  const node = document.createElement("pre");
  Object.assign(node, { textContent: text, dir: "auto", tabIndex: 0 });
  return node;
}

/** Fetches a file, up to a size: the listing can be older than the file. */
async function contentOf({ path, size }, max, signal) {
  const fetching = new AbortController();
  const check = (bytes) => { if (bytes > max) fetching.abort(new NotShown(phrases.tooLarge(limit(max)))); };
  signal.addEventListener("abort", () => fetching.abort());
  check(size);
  return presign.download(path, { signal: fetching.signal, onProgress: ({ loaded }) => check(loaded) });
}

const move = (by) => {
  index = (index + by + files.length) % files.length;
  show();
};

on("previous", "click", () => move(-1));
on("next", "click", () => move(1));
on("preview-download", "click", save);
// The event comes later, when another file may already be open.
on("preview", "close", () => { if (!element("preview").open) close(); });
on("preview", "keydown", ({ key, target }) => {
  // A player seeks with these keys.
  if (target.matches("video, audio")) return;
  if (key === "ArrowLeft") move(-1);
  if (key === "ArrowRight") move(1);
});
