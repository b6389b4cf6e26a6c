/** Deletes files after a question. */
import { removeCreated } from "./key.js";
import { announce, element, on, setNote, setText } from "./dom.js";
import { forget } from "./folder.js";
import { presign } from "./library.js";
import { filesBelow } from "./tree.js";
import { phrases, reason, technical, words } from "./words.js";

/** The number of files that are deleted at once, and of names in the question. */
const CONCURRENCY = 6, NAMES = 5;
/** The files, and the folder that has them, if it is deleted. */
let files = [], folder;
/** Ends counting and deleting. */
let controller = new AbortController();

/** Asks whether to delete files, or a folder, whose files are counted first. The default is not to. */
export function askToDelete(chosen) {
  if (chosen.isFolder) return askToDeleteFolder(chosen);
  const entries = [chosen].flat();
  folder = undefined;
  open(phrases.deletion(entries.length));
  ask(entries);
}

async function askToDeleteFolder(entry) {
  folder = entry;
  const signal = open(phrases.counting(0));
  const onCount = (count) => setText(element("removal-title"), phrases.counting(count));
  show(false, "");
  try {
    const found = await filesBelow(folder, { onCount, signal });
    setText(element("removal-title"), phrases.folderDeletion(folder.name, found.length));
    ask(found);
  } catch (error) {
    if (!signal.aborted) show(false, reason(error), technical(error));
  }
}

/** Opens the dialog. Returns the signal of its end. */
function open(title) {
  controller.abort();
  controller = new AbortController();
  setText(element("removal-title"), title);
  element("removal").showModal();
  return controller.signal;
}

function ask(entries) {
  files = entries;
  const names = files.slice(0, NAMES).map(({ name }) => name);
  if (files.length > NAMES) names.push(phrases.others(files.length - NAMES));
  element("removal-names").replaceChildren(...names.map((name) => {
    const item = document.createElement("li");
    item.dir = "auto";
    item.textContent = name;
    return item;
  }));
  show(true, "");
  element("keep-files").focus();
}

function show(canDelete, note, details) {
  element("remove-files").hidden = !canDelete;
  element("removal-names").hidden = element("removal-text").hidden = !canDelete;
  setText(element("keep-files"), canDelete ? words.keepFiles : words.close);
  setNote(element("removal-note"), note, details);
}

/** Deletes the files. Closing the dialog stops with those that were begun. */
async function remove() {
  const waiting = [...files], failed = [], { signal } = controller;
  let done = 0;
  element("keep-files").focus();
  const work = async () => {
    for (let file = waiting.shift(); file && !signal.aborted; file = waiting.shift()) {
      show(false, phrases.deleting(done, files.length));
      try {
        await presign.remove(file.path);
        done += 1;
        forget(file.path);
      } catch (error) {
        failed.push({ file, error });
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (folder && done === files.length) {
    removeCreated(folder.path);
    forget(folder.path);
  }
  announce(phrases.deleted(done, failed.length));
  if (failed.length === 0) return element("removal").close();
  const details = failed.map(({ file, error }) => phrases.news(file.name, technical(error))).join("\n");
  show(false, `${phrases.deleted(done, failed.length)} ${reason(failed[0].error)}`, details);
}

on("remove-files", "click", remove);
// The event comes later, when the next question may already be open.
on("removal", "close", () => { if (!element("removal").open) controller.abort(); });
