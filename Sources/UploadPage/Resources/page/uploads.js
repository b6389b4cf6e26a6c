/** The panel of the uploads. Pure functions describe each row and the whole. */
import { actionButton, createRow, element, setNote, setText } from "./dom.js";
import { kindOf } from "./files.js";
import { duration, limit, moment, size } from "./format.js";
import { counts, needsUser } from "./queue.js";
import { phrases, reason, states, technical } from "./words.js";

/** The first row that does not need the user. */
const FIRST_OTHER = ":scope > :not([data-state=failed], [data-state=exists], [data-state=interrupted])";

const percentOf = (loaded, total) => (total > 0 ? Math.floor((100 * loaded) / total) : 0);

/** Describes a row. */
function rowView(item) {
  const percent = percentOf(item.loaded, item.size);
  const progress = item.state === "uploading" ? item.loaded / Math.max(item.size, 1) : null;
  return { word: wordOf(item, percent), actions: actionsOf(item), progress, ...troubleOf(item, percent) };
}

function wordOf({ state, stage, loaded, size: total }, percent) {
  if (state === "uploading" && stage === "pausing") return states.retrying;
  if (state === "uploading" && total > 0 && loaded >= total) return states.finishing;
  const word = states[state];
  return typeof word === "function" ? word(percent) : word;
}

function actionsOf({ state, canRead, canRetry }) {
  switch (state) {
    case "checking": case "waiting": return ["cancel"];
    case "uploading": case "offline": return ["pause", "cancel"];
    case "paused": return ["resume", "cancel"];
    case "exists": return ["replace", "skip"];
    case "interrupted": return ["choose", "remove"];
    case "done": return canRead ? ["link", "download", "remove"] : ["remove"];
    default: return canRetry ? ["retry", "remove"] : ["remove"];
  }
}

/** Returns a note for the user and, of an error, the text for experts. */
function troubleOf({ state, error, permission, existing, isOther, name }, percent) {
  if (state === "failed") {
    const maxSize = permission.maxSize ? limit(permission.maxSize) : "";
    return { note: reason(error, permission, maxSize), details: technical(error) };
  }
  if (state === "interrupted") return { note: isOther ? phrases.otherFile(name) : phrases.interrupted(percent) };
  if (state !== "exists") return {};
  const facts = existing ? [size(existing.size), moment(existing.lastModified)] : [];
  return { note: phrases.exists(facts.filter(Boolean).join(", ")) };
}

/** The rows by item: `{node, actions, seen}`. */
const rows = new Map();

/** Shows all rows. `perform` has their actions. */
export function viewUploads(state, perform) {
  const items = new Set(state.items);
  for (const [item, { node }] of rows) if (!items.has(item)) remove(item, node);
  for (const item of items) {
    if (!rows.has(item)) create(item);
    show(item, rows.get(item), perform);
  }
  element("uploads").hidden = items.size === 0;
  viewOverall(overallView(state));
}

/** Removes a row. If it has the focus, the next one gets it. */
function remove(item, node) {
  const next = node.nextElementSibling ?? node.previousElementSibling;
  const hadFocus = node.contains(document.activeElement);
  rows.delete(item);
  node.remove();
  if (hadFocus) (next?.querySelector("button") ?? element("files")).focus();
}

function create(item) {
  const node = createRow("file", kindOf(item.name, item.type), item.name, item.path);
  setText(node.querySelector(".size"), size(item.size));
  rows.set(item, { node, actions: "" });
  // Uploaded rows are at the end.
  element("list").insertBefore(node, element("list").querySelector("[data-state=done]"));
}

function show(item, row, perform) {
  const seen = [item.state, item.stage, item.loaded, item.isOther].join();
  if (row.seen === seen) return;
  row.seen = seen;
  const { node } = row, view = rowView(item);
  const isMoved = node.dataset.state !== item.state && !node.contains(document.activeElement);
  node.dataset.state = item.state;
  setText(node.querySelector(".state"), view.word);
  showProgress(node, view.progress, item.name);
  if (view.note || node.querySelector(".trouble")) setNote(node, view.note, view.details);
  if (isMoved) place(item, node);
  if (row.actions === view.actions.join()) return;
  row.actions = view.actions.join();
  const hadFocus = node.contains(document.activeElement);
  node.querySelector(".actions").replaceChildren(...view.actions.map((action) =>
    actionButton(action, item.name, () => perform[action](item))));
  if (hadFocus && document.activeElement === document.body) node.querySelector(".actions button").focus();
}

/** Moves what needs the user to the top and what is uploaded to the end, so that moving rows can be seen. */
function place(item, node) {
  if (needsUser(item)) element("list").insertBefore(node, element("list").querySelector(FIRST_OTHER));
  if (item.state === "done") element("list").append(node);
}

/** A bar exists only while the file moves. */
function showProgress(node, progress, name) {
  let bar = node.querySelector("progress");
  if (progress === null) return bar?.remove();
  if (!bar) {
    node.append(bar = document.createElement("progress"));
    bar.setAttribute("aria-label", name);
  }
  bar.value = progress;
}

/** Describes all uploads together. */
function overallView({ items, isPaused, isExpanded, actions }) {
  const all = counts();
  const isActive = all.moving + all.paused > 0, isMoving = all.moving > 0 && !isPaused;
  const sent = items.filter((item) => item.state === "done" || !item.isEnded);
  const loaded = sent.reduce((sum, item) => sum + item.loaded, 0);
  const total = sent.reduce((sum, item) => sum + item.size, 0);
  // What is uploaded is in the listing.
  const isCollapsed = !isExpanded && actions?.list && all.done === items.length;
  const canRetry = items.filter((item) => item.state === "failed" && item.canRetry).length;
  return {
    isCollapsed, title: isActive ? titleOf(isMoving)(all.done, sent.length) : phrases.counts(all),
    pace: isActive ? paceOf(sent, loaded, total, isMoving) : "",
    progress: isActive ? loaded / Math.max(total, 1) : null,
    percent: isActive ? phrases.percent(percentOf(loaded, total)) : "",
    buttons: {
      pause: isMoving, resume: isActive && !isMoving, cancel: isActive,
      show: isCollapsed, clear: !isActive && all.done + all.cancelled + all.failed > 0,
      "retry-failed": canRetry > 1, "replace-all": all.exists > 1, "skip-all": all.exists > 1,
    },
  };
}

function titleOf(isMoving) {
  if (!isMoving) return phrases.paused;
  return navigator.onLine ? phrases.uploading : phrases.offline;
}

function paceOf(items, loaded, total, isMoving) {
  const facts = [phrases.percent(percentOf(loaded, total)), phrases.amount(size(loaded), size(total))];
  const speed = items.reduce((sum, { state, transfer }) =>
    sum + (state === "uploading" ? transfer.progress.speed : 0), 0);
  if (isMoving && speed > 0) {
    facts.push(phrases.speed(size(speed)), phrases.left(duration((total - loaded) / speed)));
  }
  // Each fact stays on one line.
  return facts.map((fact) => fact.replaceAll(" ", "\u00a0")).join(" · ");
}

function viewOverall({ isCollapsed, title, pace, progress, percent, buttons }) {
  setText(element("summary"), title);
  setText(element("pace"), pace);
  element("list").hidden = isCollapsed;
  element("overall").hidden = progress === null;
  element("overall").value = progress ?? 0;
  document.title = phrases.documentTitle(percent);
  const focused = document.activeElement;
  for (const [id, isShown] of Object.entries(buttons)) element(id).hidden = !isShown;
  // What had the focus is gone: Resume replaces Pause, and one line replaces the list.
  if (!focused?.closest("#uploads [hidden]")) return;
  (document.querySelector("#uploads .head button:not([hidden])") ?? element("files")).focus();
}
