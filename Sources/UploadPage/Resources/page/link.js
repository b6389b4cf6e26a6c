/** The dialog for a link to a file, with a choice of its life. */
import { element, on, setText } from "./dom.js";
import { life, moment } from "./format.js";
import { service } from "./connection.js";
import { phrases, reason, technical, words } from "./words.js";

/** The lives that are offered, in seconds, and the one that is selected at first. */
const LIVES = [900, 3600, 86400, 604800], USUAL = 3600;
let path, request;

/** Opens the dialog for a file. */
export async function openLink(file) {
  path = file.path;
  setText(element("link-title"), phrases.linkTo(file.name));
  element("life").replaceChildren();
  clear();
  element("link").showModal();
  const own = request = {};
  try {
    const actions = await service.permissions(path);
    if (own !== request) return;
    const max = actions?.get?.expiresIn.max ?? LIVES.at(-1);
    const lives = [...LIVES.filter((seconds) => seconds < max), max];
    element("life").replaceChildren(...lives.map((seconds) => new Option(life(seconds), String(seconds))));
    element("life").value = String(lives.includes(USUAL) ? USUAL : lives.at(-1));
    await sign();
  } catch (error) {
    if (own === request) fail(error);
  }
}

/** Gets the link before it is copied, because some browsers copy only directly after a click. */
async function sign() {
  clear();
  const own = request = {};
  try {
    const grant = await service.sign({ path, method: "GET", expiresIn: Number(element("life").value) });
    if (own !== request) return;
    element("address").value = grant.url;
    element("copy").disabled = false;
    setText(element("link-note"), phrases.linkUntil(moment(new Date(grant.expiresAt))));
  } catch (error) {
    if (own === request) fail(error);
  }
}

function clear() {
  request = undefined;
  element("address").value = "";
  element("copy").disabled = true;
  element("link-details").hidden = true;
  setText(element("link-note"), words.loading);
}

function fail(error) {
  setText(element("link-note"), reason(error));
  element("link-details").hidden = false;
  setText(element("link-details").querySelector(".technical"), technical(error));
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(element("address").value);
    setText(element("link-note"), `${words.copied} ${element("link-note").textContent.replace(words.copied, "").trim()}`);
  } catch {
    element("address").select();
    setText(element("link-note"), words.notCopied);
  }
}

/** Connects the controls. */
export function startLinks() {
  on("life", "change", sign);
  on("copy", "click", copyLink);
  on("link", "close", () => { request = undefined; });
}
