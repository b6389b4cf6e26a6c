/** Deletes files after a question. */
import { announce, element, on, setNote, setText } from "./dom.js";
import { forget } from "./folder.js";
import { presign } from "./library.js";
import { phrases, reason, technical, words } from "./words.js";

/** The number of files that are deleted at once, and of names in the question. */
const CONCURRENCY = 6, NAMES = 5;
let files = [], isStopped = false;

/** Asks whether to delete files. The default is not to. */
export function askToDelete(entries) {
  files = entries;
  const names = files.slice(0, NAMES).map(({ name }) => name);
  if (files.length > NAMES) names.push(phrases.others(files.length - NAMES));
  setText(element("removal-title"), phrases.deletion(files.length));
  element("removal-names").replaceChildren(...names.map((name) => {
    const item = document.createElement("li");
    item.textContent = name;
    return item;
  }));
  show(true, "");
  element("removal").showModal();
  element("keep-files").focus();
}

/** Connects the controls. */
export function startRemoval() {
  on("remove-files", "click", remove);
  on("removal", "close", () => { isStopped = true; });
}

function show(canDelete, note, details) {
  element("remove-files").hidden = !canDelete;
  element("removal-names").hidden = element("removal-text").hidden = !canDelete;
  setText(element("keep-files"), canDelete ? words.keepFiles : words.close);
  setNote(element("removal-note"), note, details);
}

/** Deletes the files. Closing the dialog stops with those that were begun. */
async function remove() {
  const waiting = [...files], failed = [];
  let done = 0;
  isStopped = false;
  element("keep-files").focus();
  const work = async () => {
    for (let file = waiting.shift(); file && !isStopped; file = waiting.shift()) {
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
  announce(phrases.deleted(done, failed.length));
  if (failed.length === 0) return element("removal").close();
  const details = failed.map(({ file, error }) => phrases.news(file.name, technical(error))).join("\n");
  show(false, `${phrases.deleted(done, failed.length)} ${reason(failed[0].error)}`, details);
}
