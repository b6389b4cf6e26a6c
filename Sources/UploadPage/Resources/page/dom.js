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

export function setIcon(node, name) {
  node.querySelector("use").setAttribute("href", `#icon-${name}`);
}

/** Shows a name whose end is never truncated. Screen readers get the whole path. */
export function setName(row, name, path) {
  setText(row.querySelector(".path"), path);
  setText(row.querySelector(".stem"), name.slice(0, -TAIL));
  setText(row.querySelector(".tail"), name.slice(-TAIL));
  row.querySelector(".name").title = path;
}

/** Creates a button of a row: an icon, or a text if `hasText`. */
export function actionButton(action, name, hasText, perform) {
  const button = hasText ? document.createElement("button") : copy("icon-button");
  button.type = "button";
  button.dataset.action = action;
  if (hasText) button.textContent = actions[action];
  else {
    setIcon(button, ICONS[action] ?? action);
    button.title = actions[action];
  }
  button.setAttribute("aria-label", phrases.actionOn(actions[action], name));
  button.addEventListener("click", perform);
  return button;
}

const ICONS = { remove: "cancel" };

/** Fills in the texts that the document refers to by name. */
export function fillTexts() {
  const roots = [document, ...[...document.querySelectorAll("template")].map(({ content }) => content)];
  for (const root of roots) {
    for (const node of root.querySelectorAll("[data-text]")) node.textContent = words[node.dataset.text];
    for (const node of root.querySelectorAll("[data-placeholder]")) node.placeholder = words[node.dataset.placeholder];
    for (const node of root.querySelectorAll("[data-label]")) {
      node.setAttribute("aria-label", words[node.dataset.label]);
    }
  }
}

/** Announces text to screen readers after what they are reading. */
export function announce(text) {
  const line = document.createElement("p");
  line.textContent = text;
  element("news").append(line);
  while (element("news").childElementCount > MAX_NEWS) element("news").firstElementChild.remove();
}
