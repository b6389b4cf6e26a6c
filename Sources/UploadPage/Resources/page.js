/**
 * The upload page: a front end like any other, made with presign.js. It is a file of its own, so that whoever imports
 * presign.js gets no interface with it, and so that the page shows that the library is enough.
 */
import { Presign, PresignError } from "./presign.js";
import { keepKey } from "./key.js";
import { duration, size, words } from "./words.js";

/** Uploads at the same time. */
const AT_ONCE = 3;
/** Seconds that a copied link is asked to live. */
const LINK_LIFE = 3600;
/** Milliseconds between two looks at speed and time left, and how far back they look. */
const LOOK = 500, LOOK_BACK = 4000;
/** Characters of a name that are always shown. */
const TAIL = 8;

const element = (id) => document.getElementById(id);
const key = element("key"), folder = element("folder"), replace = element("replace"), files = element("files");

/** All uploads, in the order they were chosen. */
const uploads = [];
const isActive = ({ state }) => state === "signing" || state === "uploading";
const isFinished = ({ state }) => state === "done" || state === "cancelled";
const isFailed = ({ state }) => state === "failed";

/** One file on its way, and its row. */
class Upload {
  state = "waiting";
  #controller;
  #loaded = 0;
  /** What was sent when: pairs of milliseconds and bytes. */
  #looks = [];

  constructor(file) {
    this.file = file;
    this.row = element("row").content.firstElementChild.cloneNode(true);
    this.find("progress").setAttribute("aria-label", `Progress of ${file.name}`);
    this.find(".size").textContent = size(file.size);
    for (const button of this.row.querySelectorAll("button")) {
      button.setAttribute("aria-label", `${button.textContent} ${file.name}`);
      button.addEventListener("click", () => this[button.dataset.action]());
    }
    this.#wait();
  }

  find(selector) { return this.row.querySelector(selector); }

  /** Takes the folder as it is now, so that a retry goes where the user has come to want it. */
  #wait() {
    const segments = folder.value.split("/").map((segment) => segment.trim()).filter((segment) => segment !== "");
    this.path = [...segments, this.file.name].join("/");
    this.find(".path").textContent = this.path;
    // What is shown may be too long. The end of a name tells the most: the folder is cut first, the end never.
    const { name } = this.file;
    this.find(".folder").textContent = this.path.slice(0, -name.length);
    this.find(".stem").textContent = name.slice(0, -TAIL);
    this.find(".tail").textContent = name.slice(-TAIL);
    this.find(".name").title = this.path;
    this.#progress(0);
    this.#show("waiting");
  }

  async start() {
    this.#controller = new AbortController();
    this.#looks = [];
    this.#show("signing");
    try {
      await service().upload(this.file, {
        path: this.path, overwrite: replace.checked, signal: this.#controller.signal,
        onStage: (stage) => this.#show(stage === "uploading" ? "uploading" : "signing"),
        onProgress: ({ loaded }) => this.#progress(loaded),
      });
      this.find("progress").value = 1;
      this.#show("done");
    } catch (error) {
      if (error.name === "AbortError") this.#show("cancelled");
      else this.#fail("failed", error);
    } finally {
      // A mistake in telling what was wrong must not keep the place from those that wait.
      if (isActive(this)) this.#show("failed");
      startWaiting();
    }
  }

  cancel() {
    if (this.state === "waiting") this.#show("cancelled");
    else this.#controller.abort();
  }

  retry() {
    this.#wait();
    startWaiting();
  }

  /** A fresh URL each time, so that the button works for as long as the page is open. */
  async download() {
    await this.#withURL({ filename: this.file.name, expiresIn: undefined }, (url) => {
      const link = document.createElement("a");
      link.href = url;
      link.rel = "noreferrer";
      link.click();
    });
  }

  async copy() {
    await this.#withURL({ expiresIn: LINK_LIFE }, async (url) => {
      const life = duration(Number(new URL(url).searchParams.get("X-Amz-Expires")));
      const copied = await copyText(url);
      const note = `Whoever has this link can download the file for ${life}.`;
      this.find(".link-note").textContent = copied ? `Copied. ${note}` : note;
      const field = this.find(".link input");
      field.value = url;
      field.setAttribute("aria-label", `Link to ${this.file.name}`);
      this.find(".link").hidden = false;
      if (!copied) field.select();
      tell(`${this.file.name}: link ${copied ? "copied" : "shown"}, valid for ${life}`);
    });
  }

  async #withURL(options, use) {
    this.find(".problem").hidden = true;
    try {
      await use(await service().downloadURL(this.path, options).catch((error) => {
        // A rule may allow less than is asked for; without a wish it gives what it allows.
        if (!error.fields?.some(({ name }) => name === "expiresIn")) throw error;
        return service().downloadURL(this.path, { ...options, expiresIn: undefined });
      }));
    } catch (error) {
      this.#fail(this.state, error);
    }
  }

  #progress(loaded) {
    this.#loaded = loaded;
    this.find("progress").value = this.file.size > 0 ? loaded / this.file.size : 0;
  }

  /** Looks at the clock; called twice a second, since numbers that change faster cannot be read. */
  look(now = performance.now()) {
    this.#looks.push([now, this.#loaded]);
    while (this.#looks[0][0] < now - LOOK_BACK) this.#looks.shift();
    const [then, before] = this.#looks[0];
    const speed = (this.#loaded - before) / ((now - then) / 1000);
    this.find(".percent").textContent = `${Math.floor((100 * this.#loaded) / Math.max(this.file.size, 1))} %`;
    const left = (this.file.size - this.#loaded) / speed;
    this.find(".pace").textContent = speed > 0 ? `${size(speed)}/s · ${duration(left)} left` : "";
  }

  #fail(state, error) {
    // What is none of the library's errors is a mistake of ours: the console shall have it too.
    if (!(error instanceof PresignError)) reportError(error);
    const { what, mend, isKey } = words(error, key.value !== "");
    this.find(".what").textContent = what;
    this.find(".mend").textContent = mend;
    this.find(".id").textContent = error.requestId ? `Request ${error.requestId}` : "";
    if (isKey) key.setAttribute("aria-invalid", "true");
    this.#show(state, `${what} ${mend}`);
    this.find(".problem").hidden = false;
  }

  #show(state, news = "") {
    const hadFocus = this.row.contains(document.activeElement);
    const isNew = state !== this.state;
    this.state = state;
    this.row.dataset.state = state;
    this.find(".word").textContent = state[0].toUpperCase() + state.slice(1);
    this.find(".percent").textContent = this.find(".pace").textContent = "";
    this.find(".problem").hidden = true;
    this.find(".link").hidden = true;
    const actions = { done: ["copy", "download"], failed: ["retry"], cancelled: ["retry"] }[state] ?? ["cancel"];
    for (const button of this.row.querySelectorAll("button")) button.hidden = !actions.includes(button.dataset.action);
    // The button that had the focus may be gone; whoever uses the keyboard shall not be sent back to the top.
    if (hadFocus && document.activeElement === document.body) this.find("button:not([hidden])").focus();
    // Waiting and signing pass too quickly to be worth a word.
    if (news || (isNew && state !== "waiting" && state !== "signing")) tell(`${this.file.name}: ${state}. ${news}`);
    summarize();
  }
}

/** Made for each use: the key may have been changed. */
function service() {
  return new Presign({ endpoint: new URL(".", document.baseURI), apiKey: key.value.trim() });
}

function add(chosen) {
  for (const file of chosen) {
    const upload = new Upload(file);
    uploads.push(upload);
    element("list").append(upload.row);
  }
  startWaiting();
}

function startWaiting() {
  const free = AT_ONCE - uploads.filter(isActive).length;
  for (const upload of uploads.filter(({ state }) => state === "waiting").slice(0, Math.max(free, 0))) upload.start();
  summarize();
}

function summarize() {
  element("uploads").hidden = uploads.length === 0;
  element("retry-failed").hidden = uploads.filter(isFailed).length < 2;
  element("clear").hidden = !uploads.some(isFinished);
  const done = uploads.filter(({ state }) => state === "done").length;
  element("summary").textContent = `${done} of ${uploads.length} done`;
}

/** Says it to screen readers, when they have said what they are saying. */
function tell(news) {
  const line = document.createElement("p");
  line.textContent = news;
  element("news").append(line);
  while (element("news").childElementCount > 20) element("news").firstElementChild.remove();
}

/** False when the browser does not let a page write to the clipboard. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Folders look like files when they are dropped, but cannot be read as such. */
function dropped({ items }) {
  const found = [...items].filter(({ kind }) => kind === "file");
  const isFolder = (item) => item.webkitGetAsEntry()?.isDirectory === true;
  if (found.some(isFolder)) tell("Folders are left out: drop the files in them.");
  // Null is what was removed while it was dragged.
  return found.filter((item) => !isFolder(item)).map((item) => item.getAsFile()).filter((file) => file !== null);
}

keepKey(tell);
element("settings").addEventListener("submit", (event) => event.preventDefault());
files.addEventListener("change", () => {
  add(files.files);
  // Else the same file could not be chosen twice in a row.
  files.value = "";
});
element("retry-failed").addEventListener("click", () => {
  for (const upload of uploads.filter(isFailed)) upload.retry();
  files.focus();
});
element("clear").addEventListener("click", () => {
  for (const upload of uploads.filter(isFinished)) upload.row.remove();
  uploads.splice(0, uploads.length, ...uploads.filter((upload) => !isFinished(upload)));
  summarize();
  files.focus();
});
const carriesFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
addEventListener("dragover", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  document.body.classList.add("dragging");
});
addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) document.body.classList.remove("dragging");
});
addEventListener("drop", (event) => {
  document.body.classList.remove("dragging");
  if (!carriesFiles(event)) return;
  event.preventDefault();
  add(dropped(event.dataTransfer));
});
addEventListener("beforeunload", (event) => {
  if (uploads.some(isActive)) event.preventDefault();
});
setInterval(() => { for (const upload of uploads) if (upload.state === "uploading") upload.look(); }, LOOK);
