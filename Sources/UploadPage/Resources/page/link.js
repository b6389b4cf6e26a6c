/** The dialog for a link to a file, with a choice of its life. */
import { fragment } from "./address.js";
import { element, on, setNote, setText } from "./dom.js";
import { life, moment } from "./format.js";
import { presign } from "./library.js";
import { phrases, reason, technical, words } from "./words.js";

/** The lives that are offered, in seconds, and the one that is selected at first. */
const LIVES = [900, 3600, 86400, 604800], USUAL = 3600;
let path, request, description, make;

function open({ name }, hasLife) {
  setText(element("link-title"), phrases.linkTo(name));
  element("life").hidden = !hasLife;
  element("life").replaceChildren();
  element("days")?.remove();
  element("link").showModal();
}

/** Opens the dialog for a file, or for a folder, whose link is the page's address of it. */
export function openLink(entry) {
  path = entry.path;
  open(entry, !entry.isFolder);
  if (entry.isFolder) return show(() => ({ url: new URL(fragment(path.slice(0, -1)), document.baseURI).href }));
  return show(async () => {
    const { share, expiresIn } = (await presign.permissions(path)).get ?? {};
    if (share) make = (await import("./share.js")).offerShare(path, share, () => show(make));
    else offerLives(expiresIn?.max ?? LIVES.at(-1));
    return make();
  });
}

function offerLives(max) {
  const lives = [...LIVES.filter((seconds) => seconds < max), max];
  element("life").replaceChildren(...lives.map((seconds) => new Option(life(seconds), seconds)));
  element("life").value = lives.includes(USUAL) ? USUAL : max;
  make = sign;
}

const sign = () => presign.sign({ path, method: "GET", expiresIn: Number(element("life").value) });

/** Shows a link before it is copied, because some browsers copy only directly after a click. */
async function show(obtain) {
  const own = request = {};
  const result = (address, note, details) => {
    element("address").value = address;
    element("copy").disabled = address === "";
    setNote(element("link-note"), description = note, details);
  };
  result("", words.loading, "");
  try {
    const { url, expiresAt } = await obtain();
    const about = expiresAt ? phrases.linkUntil(moment(new Date(expiresAt))) : words.folderLink;
    if (own === request) result(url, about, "");
  } catch (error) {
    if (own === request) result("", reason(error), technical(error));
  }
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(element("address").value);
    setNote(element("link-note"), `${words.copied} ${description}`);
  } catch {
    element("address").select();
    setNote(element("link-note"), words.notCopied);
  }
}

on("life", "change", () => show(make));
on("copy", "click", copyLink);
