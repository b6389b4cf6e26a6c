/** Saves files on the user's computer. */
import { announce } from "./dom.js";
import { presign } from "./library.js";
import { state, update } from "./state.js";
import { phrases, reason, technical } from "./words.js";

/** The number of files that are saved at once. */
const CONCURRENCY = 3;

const isCancelled = ({ name }) => name === "AbortError";
const nameOf = (path) => path.split("/").at(-1);

/**
 * Saves a file. The browser's own download, for which a URL is signed at each click, shows its progress and survives
 * the page. Where a rule does not let a request choose that the browser saves the file, the page writes it to a file
 * that the user chooses, or else the browser opens it.
 */
export async function save({ path }) {
  const isAttachment = state.actions?.get?.overrides !== "none";
  if (!isAttachment && typeof globalThis.showSaveFilePicker === "function") {
    const file = await showSaveFilePicker({ suggestedName: nameOf(path) }).catch(unlessCancelled);
    if (file) await presign.download(path, { to: file });
    return;
  }
  const link = document.createElement("a");
  link.href = await presign.downloadURL(path, isAttachment ? { filename: nameOf(path) } : {});
  link.rel = "noreferrer";
  link.target = isAttachment ? "" : "_blank";
  link.click();
}

function unlessCancelled(error) {
  if (!isCancelled(error)) throw error;
}

/** Saves files into a folder that the user chooses. */
export async function saveAll(files) {
  const folder = await showDirectoryPicker({ mode: "readwrite" }).catch(unlessCancelled);
  if (!folder) return;
  const waiting = [...files], failed = [];
  let done = 0;
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      update({ notice: phrases.saving(done, files.length), noticeDetails: "" });
      try {
        await presign.download(file.path, { to: await folder.getFileHandle(file.name, { create: true }) });
        done += 1;
      } catch (error) {
        failed.push(phrases.news(file.name, technical(error) || reason(error)));
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  update({ notice: phrases.saved(done, failed.length), noticeDetails: failed.join("\n") });
  announce(state.notice);
}
