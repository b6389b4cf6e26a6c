/** The selected files, and what can be done with all of them. */
import { element, focusOn, on, setText } from "./dom.js";
import { loadRest } from "./folder.js";
import { size } from "./format.js";
import { state, update } from "./state.js";
import { phrases } from "./words.js";

/** The last file that was selected or not: with the shift key, the next click also applies to the files between. */
let anchor;

/** Whether the browser lets the page save several files into a folder: Chromium does. */
export const canSaveAll = typeof globalThis.showDirectoryPicker === "function";

/** Whether files can be selected: only where several can be deleted or saved. */
export const canSelect = (actions) => Boolean(actions?.delete || (actions?.get && canSaveAll));

/**
 * Selects files, or takes them out of the selection.
 *
 * @param {import("./folder.js").Entry[]} entries none removes the selection.
 * @param {boolean} [isSelected]
 * @param {import("./folder.js").Entry[]} [range] the files among which those between the last one and this are meant.
 */
export function select(entries, isSelected = true, range = []) {
  const selected = new Set(entries.length === 0 ? [] : state.selected);
  const ends = [anchor, entries[0]].map((entry) => range.indexOf(entry)).sort((a, b) => a - b);
  const meant = ends[0] < 0 ? entries : range.slice(ends[0], ends[1] + 1);
  for (const { path } of meant) {
    if (isSelected) selected.add(path);
    else selected.delete(path);
  }
  anchor = entries.at(-1);
  update({ selected, isSelectingAll: false });
}

/** Selects all files, after the rest of the names was loaded. */
async function selectAll(files) {
  update({ isSelectingAll: true, isStopped: false });
  if (await loadRest() && state.isSelectingAll) select(files());
}

/** The selected files. */
export const selectedFiles = () => state.objects.filter(({ path }) => state.selected.has(path));

/** Connects the controls. `files` returns the files in the list; `actions` are `saveSelected` and `deleteSelected`. */
export function startSelection(files, actions) {
  on("select-all", "click", ({ target }) => (target.checked ? selectAll(files) : select([])));
  on("select-none", "click", () => select([]));
  on("save-selected", "click", actions.saveSelected);
  on("remove-selected", "click", actions.deleteSelected);
}

/** Shows the selection above the list. */
export function viewSelection({ selected, actions, objects, isSelectingAll, continuationToken }) {
  const hadFocus = element("selection").contains(document.activeElement);
  element("table").classList.toggle("selectable", canSelect(actions) && objects.length > 0);
  element("select-all").hidden = !canSelect(actions);
  element("sort").hidden = selected.size > 0;
  element("selection").hidden = selected.size === 0;
  const all = element("select-all");
  all.checked = isSelectingAll || selected.size > 0;
  all.indeterminate = all.checked && selected.size < objects.length;
  if (selected.size === 0) {
    if (hadFocus) focusOn("select-all", "files", "account-chip");
    return;
  }
  const areMore = continuationToken !== undefined && selected.size === objects.length;
  const bytes = selectedFiles().reduce((sum, file) => sum + file.size, 0);
  setText(element("selected"), phrases.selected(selected.size, size(bytes), areMore));
  element("save-selected").hidden = !actions?.get || !canSaveAll;
  element("remove-selected").hidden = !actions?.delete;
}
