/** Helpers for the document. */
import { actions, phrases, words } from "./words.js";

/** The number of characters at the end of a file name that are always displayed. */
const TAIL = 8;
/** The maximum number of lines of the live region. */
const MAX_NEWS = 20;

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

/**
 * Creates a row. The end of its name is never truncated; screen readers get the whole path.
 *
 * @param {string} [folder] shown after the name, as far as there is room.
 */
export function createRow(kind, icon, name, path, folder = "") {
  const row = copy("row");
  const find = (selector) => row.querySelector(selector);
  row.className = kind;
  find("use").setAttribute("href", `#icon-${icon}`);
  find(".path").textContent = path;
  // Code points, because half of an emoji has no glyph.
  const tail = [...name].slice(-TAIL).join("");
  find(".stem").textContent = name.slice(0, name.length - tail.length);
  find(".tail").textContent = tail;
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

/** Creates a checkbox of a row. */
export function checkbox(label, change) {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.dataset.action = "select";
  box.setAttribute("aria-label", label);
  box.addEventListener("click", change);
  return box;
}

/** Fills in the texts that the document refers to by name. */
export function fillTexts() {
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

/** Moves the focus to the first of these elements that is visible, after what had it is gone. */
export function focusOn(...ids) {
  ids.map(element).find((node) => node.getClientRects().length > 0)?.focus();
}

/** Announces text to screen readers after what they are reading. */
export function announce(text) {
  const line = document.createElement("p");
  line.textContent = text;
  element("news").append(line);
  if (element("news").childElementCount > MAX_NEWS) element("news").firstElementChild.remove();
}
