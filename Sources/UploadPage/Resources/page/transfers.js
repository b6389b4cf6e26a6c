/** What moves files: the panel of the uploads, saving, links, and deleting. */
import { isUnauthorized } from "./connection.js";
import { element, on } from "./dom.js";
import { recheck } from "./folder.js";
import { openLink, startLinks } from "./link.js";
import { add, continueWith, perform, performAll, retryUnauthorized, showInterrupted } from "./queue.js";
import { askToDelete, startRemoval } from "./removal.js";
import { save, saveAll } from "./save.js";
import { state, update, uploadLimits, watch } from "./state.js";
import { startUploadRows, viewUploads } from "./uploads.js";
import { phrases, reason, technical, words } from "./words.js";

/** The interrupted upload whose file is being chosen. */
let continued;
let hasShownInterrupted = false;

/** Continues what waits for a folder to be opened, or for another key. */
export async function continueUploads() {
  if (state.access === "accepted") retryUnauthorized();
  if (!hasShownInterrupted) await showInterrupted();
  hasShownInterrupted = true;
}

/**
 * Uploads files to the folder, or continues the interrupted upload for which a file was to be chosen.
 *
 * @param {import("./files.js").Chosen[]} files
 * @param {string[]} [unreadable] the names of those that cannot be read.
 */
export function addFiles(files, unreadable = []) {
  const notice = unreadable.length > 0 ? phrases.unreadable(unreadable.length) : "";
  update({ notice: uploadLimits(state) ? notice : words.cannotUpload, noticeDetails: unreadable.join("\n") });
  if (continued && files.length > 0) continueWith(continued, files[0].file);
  else if (uploadLimits(state)) add(files);
  continued = undefined;
}

async function download(file) {
  try {
    await save(file);
  } catch (error) {
    if (isUnauthorized(error)) recheck(error);
    update({ notice: phrases.news(file.name, reason(error)), noticeDetails: technical(error) });
  }
}

/** The actions of files; those that apply to several take a list. */
export const fileActions = { link: openLink, download, delete: (files) => askToDelete([files].flat()), saveAll };

function startUploads() {
  const updating = Object.entries(perform).map(([name, action]) => [name, (item) => { action(item); update(); }]);
  const choose = (item) => {
    continued = item;
    element("files").click();
  };
  startUploadRows({ ...Object.fromEntries(updating), link: openLink, download, choose });
  on("files", "cancel", () => { continued = undefined; });
  for (const [id, action] of Object.entries(performAll)) on(id, "click", () => { action(); update(); });
  addEventListener("beforeunload", (event) => {
    if (state.items.some((item) => !item.isEnded && item.state !== "paused")) event.preventDefault();
  });
}

startUploads();
startLinks();
startRemoval();
watch(viewUploads);
update();
