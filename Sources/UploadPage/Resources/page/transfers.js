/** What uploads files, with their panel. */
import { element, on } from "./dom.js";
import { actions } from "./files.js";
import { add, continueWith, perform, performAll, retryUnauthorized, showInterrupted } from "./queue.js";
import { state, update, uploadLimits, watch } from "./state.js";
import { startUploadRows, viewUploads } from "./uploads.js";
import { phrases, words } from "./words.js";

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
 * @param {import("./files.js").Choice} choice
 */
export function addFiles({ files, unreadable = [], ignored = [] }) {
  const notice = [
    unreadable.length > 0 && phrases.unreadable(unreadable.length),
    ignored.length > 0 && phrases.ignored(ignored.length),
  ].filter(Boolean).join(" ");
  const noticeDetails = [...unreadable, ...ignored].join("\n");
  update({ notice: uploadLimits(state) ? notice : words.cannotUpload, noticeDetails });
  if (continued && files.length > 0) continueWith(continued, files[0].file);
  else if (uploadLimits(state)) add(files);
  continued = undefined;
}

function startUploads() {
  const updating = Object.entries(perform).map(([name, action]) => [name, (item) => { action(item); update(); }]);
  const choose = (item) => {
    continued = item;
    element("files").click();
  };
  startUploadRows({ ...actions, ...Object.fromEntries(updating), choose });
  on("files", "cancel", () => { continued = undefined; });
  for (const [id, action] of Object.entries(performAll)) on(id, "click", () => { action(); update(); });
  addEventListener("beforeunload", (event) => {
    if (state.items.some((item) => !item.isEnded && item.state !== "paused")) event.preventDefault();
  });
}

startUploads();
watch(viewUploads);
update();
