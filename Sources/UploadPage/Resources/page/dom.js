/** Helpers for the document. */
import { endOf, language } from "./language.js";
import { actions, phrases, serviceName, words } from "./words.js";

export const element = (id) => document.getElementById(id);
export const on = (id, type, listener) => element(id).addEventListener(type, listener);

/** Returns a copy of the content of a template. */
export const copy = (id) => element(id).content.firstElementChild.cloneNode(true);

/** Changes a text only if it differs, because every change interrupts a selection and a screen reader. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Shows a note for the user and, if there is one, a text for experts. */
export function setNote(node, note = "", details = "") {
  if (!node.querySelector(".trouble")) node.append(copy("trouble"));
  setText(node.querySelector(".note"), note);
  setText(node.querySelector(".technical"), details);
  node.querySelector("details").hidden = details === "";
  node.querySelector(".trouble").hidden = note === "";
}

/** Shows the end of names that are wider than their room. */
const fitting = new ResizeObserver((entries) => {
  const names = entries.map(({ target }) => ({
    stem: target.querySelector(".stem"), tail: target.querySelector(".tail"), name: target.dataset.name,
  }));
  // All widths are read before the first change, because reading one after a change costs a layout.
  const isCut = names.map(({ stem }) => stem.scrollWidth > stem.clientWidth);
  for (const [index, { stem, tail, name }] of names.entries()) {
    const end = isCut[index] ? endOf(name) : "";
    setText(tail, end);
    setText(stem, name.slice(0, name.length - end.length));
  }
});

/**
 * Creates a row; screen readers get the whole path.
 *
 * @param {string} [folder] shown after the name, as far as there is room.
 */
export function createRow(kind, icon, name, path, folder = "") {
  const row = copy("row");
  const find = (selector) => row.querySelector(selector);
  row.className = kind;
  find("use").setAttribute("href", `#icon-${icon}`);
  find(".path").textContent = path;
  find(".stem").textContent = find(".name").dataset.name = name;
  fitting.observe(find(".name"));
  find(".within").textContent = folder;
  find(".name").title = path;
  return row;
}

/** Creates a button of a row, with the icon of its action or, without an icon, a text. */
export function actionButton(action, name, perform, label = actions[action]) {
  const icon = action === "remove" ? "cancel" : action;
  const hasIcon = element(`icon-${icon}`) !== null;
  const button = hasIcon ? copy("icon-button") : document.createElement("button");
  if (hasIcon) button.querySelector("use").setAttribute("href", `#icon-${icon}`);
  else button.textContent = label;
  button.title = label;
  button.dataset.action = action;
  button.setAttribute("aria-label", phrases.actionOn(label, name));
  button.addEventListener("click", perform);
  return button;
}

/** Creates a checkbox of a row, in a label that is as large as a finger. */
export function checkbox(label, change) {
  const target = document.createElement("label"), box = document.createElement("input");
  target.className = "box";
  box.type = "checkbox";
  box.dataset.action = "select";
  box.setAttribute("aria-label", label);
  box.addEventListener("click", change);
  target.append(box);
  return target;
}

/** Fills in the texts that the document refers to by name. */
export function fillTexts() {
  document.documentElement.lang = language;
  document.title = `${words.root} · ${serviceName}`;
  setText(element("brand"), serviceName);
  for (const root of [document, ...Array.from(document.querySelectorAll("template"), ({ content }) => content)]) {
    for (const node of root.querySelectorAll("[data-text], [data-label], [data-placeholder]")) {
      const { text, label, placeholder } = node.dataset;
      if (text) node.textContent = words[text];
      if (label) node.setAttribute("aria-label", words[label]);
      // An icon has no text of its own.
      if (label && node.matches(".icon-button")) node.title = words[label];
      if (placeholder) node.placeholder = words[placeholder];
    }
  }
}

/** Says below an input why its value cannot be used, otherwise the hint. */
export function setProblem(id, problem, hint) {
  element(id).setAttribute("aria-invalid", String(problem !== ""));
  setText(element(`${id}-hint`), problem || hint);
  if (problem) announce(problem);
}

/** Moves the focus to the first of these elements that is visible, after what had it is gone. */
export function focusOn(...ids) {
  ids.map(element).find((node) => node.getClientRects().length > 0)?.focus();
}

/** Announces text to screen readers after what they are reading. Only the last one is kept, so that none is stale. */
export function announce(text) {
  const line = document.createElement("p");
  line.textContent = text;
  element("news").replaceChildren(line);
}
