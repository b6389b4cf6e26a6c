/** The life of a share link, in the dialog for links. Loaded only where the rules allow such links. */
import { element } from "./dom.js";
import { life } from "./format.js";
import { presign } from "./library.js";
import { words } from "./words.js";

/** The lives that are offered, in seconds, and the days that are suggested for another one. */
const DAY = 86400, LIVES = [DAY, 7 * DAY, 30 * DAY], SUGGESTED = 90;

/**
 * Offers lives of share links to a file.
 *
 * @param {string} path
 * @param {number} max the maximum life in seconds.
 * @param {() => void} changed is called when the user enters a life.
 * @returns {() => Promise<object>} makes a link with the selected life.
 */
export function offerShare(path, max, changed) {
  const select = element("life"), days = field(Math.floor(max / DAY), changed);
  const lives = max < DAY ? [max] : LIVES.filter((seconds) => seconds <= max);
  const custom = max > DAY ? [new Option(words.otherDays, "")] : [];
  select.replaceChildren(...lives.map((seconds) => new Option(life(seconds), seconds)), ...custom);
  select.value = lives[1] ?? lives[0];
  return () => {
    days.hidden = select.value !== "";
    return presign.share(path, { expiresIn: days.hidden ? Number(select.value) : Math.floor(days.value * DAY) });
  };
}

/** Returns the field for a number of days, behind the list of lives. */
function field(max, changed) {
  const days = document.createElement("input");
  const value = Math.min(max, SUGGESTED);
  Object.assign(days, { id: "days", type: "number", min: 1, max, value, ariaLabel: words.days });
  days.addEventListener("change", changed);
  element("life").after(days);
  return days;
}
