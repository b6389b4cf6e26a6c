/** Saves files on the user's computer. */
import { isUnauthorized } from "./connection.js";
import { announce } from "./dom.js";
import { recheck } from "./folder.js";
import { presign } from "./library.js";
import { state, update } from "./state.js";
import { filesBelow } from "./tree.js";
import { phrases, reason, technical } from "./words.js";

/** The number of files that are saved at once. */
const CONCURRENCY = 3;
/** Milliseconds for which a browser can begin to save what the page has fetched. */
const REVOCATION = 60_000;

const isCancelled = ({ name }) => name === "AbortError";
const nameOf = (path) => path.split("/").at(-1);

/** Saves a file, or each file of a folder. */
export async function download(entry) {
  try {
    await (entry.isFolder ? saveFolder(entry) : save(entry));
  } catch (error) {
    if (isUnauthorized(error)) recheck(error);
    update({ notice: phrases.news(entry.name, reason(error)), noticeDetails: technical(error) });
  }
}

/**
 * Saves a file. The browser's own download, for which a URL is signed at each click, shows its progress and survives
 * the page. Where a rule does not let a request choose that the browser saves the file, the browser would open it, so
 * the page writes it to a file that the user chooses, or else fetches it first.
 */
async function save({ path }) {
  const filename = nameOf(path);
  if (state.actions?.get?.overrides !== "none") return follow(await presign.downloadURL(path, { filename }));
  if (typeof globalThis.showSaveFilePicker === "function") {
    const file = await showSaveFilePicker({ suggestedName: filename }).catch(unlessCancelled);
    if (file) await presign.download(path, { to: file });
    return;
  }
  const url = URL.createObjectURL(await presign.download(path));
  follow(url, filename);
  setTimeout(() => URL.revokeObjectURL(url), REVOCATION);
}

/** @param {string} [download] the name of the file, if the page itself has its content. */
function follow(href, download = "") {
  const link = Object.assign(document.createElement("a"), { href, rel: "noreferrer" });
  if (download) link.download = download;
  link.click();
}

function unlessCancelled(error) {
  if (!isCancelled(error)) throw error;
}

const chooseFolder = () => showDirectoryPicker({ mode: "readwrite" }).catch(unlessCancelled);

/** Saves files into a folder that the user chooses. */
export async function saveAll(files) {
  const target = await chooseFolder();
  if (target) await saveInto(target, files);
}

/** Saves each file of a folder into a folder that the user chooses. */
async function saveFolder(folder) {
  const target = await chooseFolder();
  if (!target) return;
  const onCount = (count) => update({ notice: phrases.counting(count), noticeDetails: "" });
  const files = await filesBelow(folder, { onCount });
  await saveInto(target, files.map(({ path, name }) => ({ path, name: `${folder.name}/${name}` })));
}

/** Opens a new file in a folder. Its name can have folders, which are created. */
async function create(folder, name) {
  const segments = name.split("/").filter(Boolean), last = segments.pop();
  let parent = folder;
  for (const segment of segments) parent = await parent.getDirectoryHandle(segment, { create: true });
  return parent.getFileHandle(last, { create: true });
}

async function saveInto(folder, files) {
  const waiting = [...files], failed = [];
  let done = 0;
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      update({ notice: phrases.saving(done, files.length), noticeDetails: "" });
      try {
        await presign.download(file.path, { to: await create(folder, file.name) });
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
