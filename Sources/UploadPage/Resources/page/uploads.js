/** The panel of the uploads. Pure functions describe each row and the whole. */
import { actionButton, createRow, element, setNote, setText } from "./dom.js";
import { kindOf } from "./files.js";
import { duration, limit, moment, size } from "./format.js";
import { counts, needsUser, speedOfAll } from "./queue.js";
import { Rows } from "./rows.js";
import { actions, phrases, reason, serviceName, states, technical, words } from "./words.js";

const percentOf = (loaded, total) => (total > 0 ? Math.floor((100 * loaded) / total) : 0);
const isOffline = () => !navigator.onLine;

/** Describes a row. */
function rowView(item) {
  const percent = percentOf(item.loaded, item.size);
  const progress = item.state === "uploading" ? item.loaded / Math.max(item.size, 1) : null;
  return { word: wordOf(item, percent), actions: actionsOf(item), progress, ...troubleOf(item, percent) };
}

function wordOf({ state, isRetrying, loaded, size: total }, percent) {
  if (state === "uploading" && isOffline()) return states.offline;
  if (state === "uploading" && isRetrying) return states.retrying;
  if (state === "uploading" && total > 0 && loaded >= total) return states.finishing;
  const word = states[state];
  return typeof word === "function" ? word(percent) : word;
}

function actionsOf({ state, canRead, canRetry }) {
  switch (state) {
    case "waiting": return ["cancel"];
    case "uploading": case "offline": return ["pause", "cancel"];
    case "pausing": case "paused": return ["resume", "cancel"];
    case "exists": return ["replace", "keep-both", "skip"];
    case "interrupted": return ["choose", "remove"];
    case "done": return canRead ? ["link", "download", "remove"] : ["remove"];
    default: return canRetry ? ["retry", "remove"] : ["remove"];
  }
}

/** A pause keeps nothing of a file that goes in one PUT. */
const labelOf = (action, { transfer }) =>
  (transfer?.isMultipart === false && actions[`${action}Whole`]) || actions[action];

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

let rows, perform;

/** Connects the list. `actions` are those of the rows. */
export function startUploadRows(actions) {
  perform = actions;
  rows = new Rows(element("list"), { create, show, scrollsItself: true });
}

/** Shows all uploads. */
export function viewUploads(state) {
  element("uploads").hidden = state.items.length === 0;
  // If the last row with the focus is gone, the button to choose files gets it.
  if (!rows.show(ordered(state.items))) element("files").focus();
  viewOverall(overallView(state));
}

/** What needs the user is at the top, and what is uploaded at the end, so that moving rows can be seen. */
function ordered(items) {
  const groups = [[], [], []];
  for (const item of items) {
    // A row with the focus stays where it is.
    if (!rows.hasFocus(item)) item.rank = needsUser(item) ? 0 : item.state === "done" ? 2 : 1;
    groups[item.rank ?? 1].push(item);
  }
  return groups.flat();
}

const create = (item) => {
  const end = item.name.lastIndexOf("/"), folder = item.name.slice(0, Math.max(end, 0));
  const node = createRow("file", kindOf(item.name, item.type), item.name.slice(end + 1), item.path, folder);
  setText(node.querySelector(".size"), size(item.size));
  return node;
};

function show(item, node) {
  const labels = actionsOf(item).map((action) => labelOf(action, item)).join();
  const seen = [item.state, item.isRetrying, item.loaded, item.isOther, isOffline(), labels].join();
  if (node.dataset.seen === seen) return;
  node.dataset.seen = seen;
  const view = rowView(item), hadFocus = node.contains(document.activeElement);
  node.dataset.state = item.state;
  setText(node.querySelector(".state"), view.word);
  showProgress(node, view.progress, item.name);
  if (view.note || node.querySelector(".trouble")) setNote(node, view.note, view.details);
  if (node.dataset.labels === labels) return;
  node.dataset.labels = labels;
  node.querySelector(".actions").replaceChildren(...view.actions.map((action) =>
    actionButton(action, item.name, () => perform[action](item), labelOf(action, item))));
  if (hadFocus && document.activeElement === document.body) node.querySelector(".actions button").focus();
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
  const isCollapsed = !isExpanded && actions?.list !== undefined && all.done === items.length;
  const canRetry = items.filter((item) => item.state === "failed" && item.canRetry).length;
  return {
    isCollapsed,
    title: isActive ? phrases.moving(titleOf(sent, isMoving)(all.done, sent.length), all) : phrases.counts(all),
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

function titleOf(items, isMoving) {
  if (!isMoving) return items.some(({ state }) => state === "pausing") ? phrases.pausing : phrases.paused;
  if (isOffline()) return phrases.offline;
  const sending = items.filter(({ state }) => state === "uploading");
  return sending.length > 0 && sending.every(({ isRetrying }) => isRetrying) ? phrases.retrying : phrases.uploading;
}

function paceOf(items, loaded, total, isMoving) {
  const facts = [phrases.percent(percentOf(loaded, total)), phrases.amount(size(loaded), size(total))];
  const speed = items.some(({ state, isRetrying }) => state === "uploading" && !isRetrying) ? speedOfAll() : 0;
  if (isMoving && speed > 0 && loaded < total && !isOffline()) {
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
  document.title = `${percent || words.root} · ${serviceName}`;
  const focused = document.activeElement;
  for (const [id, isShown] of Object.entries(buttons)) element(id).hidden = !isShown;
  // What had the focus is gone: Resume replaces Pause, and one line replaces the list.
  if (!focused?.closest("#uploads [hidden]")) return;
  (document.querySelector("#uploads .head button:not([hidden])") ?? element("files")).focus();
}
