/** The panel of the uploads. Pure functions describe each row and the whole; one function shows a row. */
import { actionButton, copy, element, setIcon, setName, setText } from "./dom.js";
import { kindOf } from "./files.js";
import { duration, limit, moment, size } from "./format.js";
import { counts } from "./queue.js";
import { phrases, reason, states, technical, words } from "./words.js";

/** Actions that are shown as text, because they decide something. */
const WORDED = new Set(["replace", "skip", "retry", "choose"]);
/** States whose rows are moved to the top. */
const NEEDS_USER = new Set(["failed", "exists", "interrupted"]);

const percentOf = (loaded, total) => (total > 0 ? Math.floor((100 * loaded) / total) : 100);

/** Describes a row. */
export function rowView(item) {
  const percent = percentOf(item.loaded, item.size);
  return {
    state: item.state, word: wordOf(item, percent), actions: actionsOf(item), ...troubleOf(item, percent),
    progress: ["uploading", "offline", "paused"].includes(item.state) ? item.loaded / Math.max(item.size, 1) : null,
  };
}

function wordOf({ state, stage, loaded, size: total }, percent) {
  if (state === "uploading" && stage === "pausing") return states.retrying;
  if (state === "uploading" && total > 0 && loaded >= total) return states.finishing;
  const word = states[state];
  return typeof word === "function" ? word(percent) : word;
}

function actionsOf(item) {
  switch (item.state) {
    case "checking": case "waiting": return ["cancel"];
    case "uploading": case "offline": return ["pause", "cancel"];
    case "paused": return ["resume", "cancel"];
    case "exists": return ["replace", "skip"];
    case "interrupted": return ["choose", "remove"];
    case "done": return item.canRead ? ["link", "download", "remove"] : ["remove"];
    default: return item.canRetry ? ["retry", "remove"] : ["remove"];
  }
}

function troubleOf(item, percent) {
  const { state, error, permission, existing } = item;
  if (state === "failed") {
    const maxSize = permission.maxSize ? limit(permission.maxSize) : "";
    return { note: reason(error, permission, maxSize), technical: technical(error) };
  }
  if (state === "interrupted") return { note: item.isOther ? phrases.otherFile(item.name) : phrases.interrupted(percent) };
  if (state !== "exists") return { note: "" };
  const { size: bytes, lastModified } = existing ?? {};
  return { note: phrases.exists([bytes != null && size(bytes), lastModified && moment(lastModified)].filter(Boolean).join(", ")) };
}

const rows = new Map();

/** Shows all rows. `perform` has their actions. */
export function viewUploads(state, perform) {
  const list = element("list");
  for (const [item, row] of rows) {
    if (state.items.includes(item)) continue;
    leave(row.node);
    rows.delete(item);
  }
  for (const item of state.items) {
    if (!rows.has(item)) list.append(create(item).node);
    show(item, rows.get(item), perform);
  }
  element("uploads").hidden = state.items.length === 0;
  viewOverall(state);
}

/** Removes a row. If it has the focus, the next one gets it. */
function leave(node) {
  const next = node.nextElementSibling ?? node.previousElementSibling;
  const hadFocus = node.contains(document.activeElement);
  node.remove();
  if (hadFocus) (next?.querySelector("button") ?? element("files")).focus();
}

function create(item) {
  const node = copy("upload-row");
  setIcon(node, kindOf(item.name, item.type));
  setName(node, item.name, item.path);
  setText(node.querySelector(".size"), size(item.size));
  node.querySelector("progress").setAttribute("aria-label", item.name);
  const row = { node, actions: "" };
  rows.set(item, row);
  return row;
}

function show(item, row, perform) {
  const view = rowView(item);
  const { node } = row;
  if (node.dataset.state !== view.state && NEEDS_USER.has(view.state) && !node.contains(document.activeElement)) {
    node.parentElement.prepend(node);
  }
  node.dataset.state = view.state;
  setText(node.querySelector(".state"), view.word);
  const bar = node.querySelector("progress");
  bar.hidden = view.progress === null;
  bar.value = view.progress ?? 0;
  node.querySelector(".trouble").hidden = view.note === "";
  setText(node.querySelector(".note"), view.note);
  node.querySelector("details").hidden = !view.technical;
  setText(node.querySelector(".technical"), view.technical ?? "");
  if (row.actions !== view.actions.join()) showActions(item, row, view.actions, perform);
}

function showActions(item, row, actions, perform) {
  const place = row.node.querySelector(".actions");
  const hadFocus = row.node.contains(document.activeElement);
  row.actions = actions.join();
  place.replaceChildren(...actions.map((action) =>
    actionButton(action, item.name, WORDED.has(action), () => perform[action](item))));
  // Keyboard users keep their position.
  if (hadFocus && document.activeElement === document.body) place.querySelector("button")?.focus();
}

/** Describes all uploads together. */
export function overallView({ items, isPaused }) {
  const all = counts();
  const sent = items.filter(({ state }) => !["failed", "cancelled", "exists", "interrupted"].includes(state));
  const loaded = sent.reduce((sum, item) => sum + item.loaded, 0);
  const total = sent.reduce((sum, item) => sum + item.size, 0);
  const isMoving = all.moving > 0 && !isPaused, isActive = all.moving + all.paused > 0;
  const percent = Math.min(percentOf(loaded, total), isActive ? 99 : 100);
  return {
    title: titleOf(all, sent.length, isActive, isMoving), pace: isActive ? paceOf(items, loaded, total, isMoving) : "",
    progress: isActive ? loaded / Math.max(total, 1) : null, documentTitle: isActive ? phrases.percent(percent) : "",
    buttons: {
      pause: isMoving, resume: isActive && !isMoving, cancel: isActive, clear: !isActive && all.done + all.cancelled > 0,
      "retry-failed": items.filter((item) => item.state === "failed" && item.canRetry).length > 1,
      "replace-all": all.asking > 1, "skip-all": all.asking > 1,
    },
  };
}

function titleOf(all, sentCount, isActive, isMoving) {
  const { done, failed, asking, interrupted, cancelled } = all;
  if (isMoving) return phrases.uploading(done, sentCount);
  if (isActive) return phrases.paused(done, sentCount);
  return failed + asking + interrupted + cancelled === 0 ? phrases.finished(done) : phrases.counts(all);
}

function paceOf(items, loaded, total, isMoving) {
  const texts = [phrases.percent(percentOf(loaded, total)), phrases.amount(size(loaded), size(total))];
  if (!navigator.onLine) return [...texts, words.offline].join(" · ");
  const speed = items.reduce((sum, { state, transfer }) => sum + (state === "uploading" ? transfer.progress.speed : 0), 0);
  if (isMoving && speed > 0) {
    texts.push(phrases.speed(size(speed)), phrases.left(duration((total - loaded) / speed)));
  }
  return texts.join(" · ");
}

function viewOverall(state) {
  const view = overallView(state);
  setText(element("summary"), view.title);
  setText(element("pace"), view.pace);
  const bar = element("overall");
  bar.hidden = view.progress === null;
  bar.value = view.progress ?? 0;
  document.title = phrases.documentTitle(view.documentTitle);
  const focused = document.activeElement;
  for (const [id, isShown] of Object.entries(view.buttons)) element(id).hidden = !isShown;
  if (focused?.hidden && focused.closest("#uploads .head")) {
    (element("uploads").querySelector(".head button:not([hidden])") ?? element("files")).focus();
  }
}
