/**
 * The user interface of the upload page. It is separate from presign.js, so that the library has no user interface and
 * the page uses nothing but its public API.
 */
import { Presign, PresignError } from "./presign.js";
import { keepKey } from "./key.js";
import { duration, size, words } from "./words.js";

/** The maximum number of simultaneous uploads. */
const MAX_ACTIVE = 3;
/** The requested lifetime of a copied link in seconds. */
const LINK_LIFETIME = 3600;
/** Milliseconds between two updates of the speed, and the period over which the speed is averaged. */
const SAMPLE_INTERVAL = 500, SAMPLE_PERIOD = 4000;
/** The number of characters at the end of a file name that are always displayed. */
const TAIL = 8;

const element = (id) => document.getElementById(id);
const key = element("key"), folder = element("folder"), replace = element("replace"), files = element("files");

/** All uploads in the order in which they were added. */
const uploads = [];
const isActive = ({ state }) => state === "signing" || state === "uploading";
const isFinished = ({ state }) => state === "done" || state === "cancelled";
const isFailed = ({ state }) => state === "failed";

/** The upload of one file, and its row in the list. */
class Upload {
  state = "waiting";
  #controller;
  #loaded = 0;
  /** Samples of the progress: pairs of time in milliseconds and bytes sent. */
  #samples = [];

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

  /** Reads the folder again, so that a retry uses the folder that the user has entered since. */
  #wait() {
    const segments = folder.value.split("/").map((segment) => segment.trim()).filter((segment) => segment !== "");
    this.path = [...segments, this.file.name].join("/");
    this.find(".path").textContent = this.path;
    // If the path is too long to display, the folder is truncated first and the end of the name never.
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
    this.#samples = [];
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
      // Even if displaying the error fails, this upload must end, so that a waiting one can start.
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

  /** Gets a new URL for each download, so that the button works while the page is open. */
  async download() {
    await this.#withURL({ filename: this.file.name, expiresIn: undefined }, (url) => {
      const link = document.createElement("a");
      link.href = url;
      link.rel = "noreferrer";
      link.click();
    });
  }

  async copy() {
    await this.#withURL({ expiresIn: LINK_LIFETIME }, async (url) => {
      const lifetime = duration(Number(new URL(url).searchParams.get("X-Amz-Expires")));
      const copied = await copyText(url);
      const note = `Anyone with this link can download the file for ${lifetime}.`;
      this.find(".link-note").textContent = copied ? `Copied. ${note}` : note;
      const field = this.find(".link input");
      field.value = url;
      field.setAttribute("aria-label", `Link to ${this.file.name}`);
      this.find(".link").hidden = false;
      if (!copied) field.select();
      announce(`${this.file.name}: link ${copied ? "copied" : "displayed"}, valid for ${lifetime}`);
    });
  }

  async #withURL(options, use) {
    this.find(".problem").hidden = true;
    try {
      await use(await service().downloadURL(this.path, options).catch((error) => {
        // A rule may allow only a shorter lifetime. Without expiresIn, the service uses one that the rule allows.
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

  /** Updates the displayed speed and remaining time. Called twice a second, so that the numbers stay readable. */
  updatePace(now = performance.now()) {
    this.#samples.push([now, this.#loaded]);
    while (this.#samples[0][0] < now - SAMPLE_PERIOD) this.#samples.shift();
    const [then, before] = this.#samples[0];
    const speed = (this.#loaded - before) / ((now - then) / 1000);
    this.find(".percent").textContent = `${Math.floor((100 * this.#loaded) / Math.max(this.file.size, 1))} %`;
    const left = (this.file.size - this.#loaded) / speed;
    this.find(".pace").textContent = speed > 0 ? `${size(speed)}/s · ${duration(left)} left` : "";
  }

  #fail(state, error) {
    // An error from outside the library is a bug in the page, so log it to the console too.
    if (!(error instanceof PresignError)) reportError(error);
    const { what, fix, isKey } = words(error, key.value !== "");
    this.find(".what").textContent = what;
    this.find(".fix").textContent = fix;
    this.find(".id").textContent = error.requestId ? `Request ${error.requestId}` : "";
    if (isKey) key.setAttribute("aria-invalid", "true");
    this.#show(state, `${what} ${fix}`);
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
    // If the focused button is now hidden, focus another one, so that keyboard users keep their position.
    if (hadFocus && document.activeElement === document.body) this.find("button:not([hidden])").focus();
    // Waiting and signing are too short to announce.
    if (news || (isNew && state !== "waiting" && state !== "signing")) announce(`${this.file.name}: ${state}. ${news}`);
    summarize();
  }
}

/** Creates a client with the current API key. */
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
  const free = MAX_ACTIVE - uploads.filter(isActive).length;
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

/** Announces text to screen readers after what they are reading. */
function announce(news) {
  const line = document.createElement("p");
  line.textContent = news;
  element("news").append(line);
  while (element("news").childElementCount > 20) element("news").firstElementChild.remove();
}

/** Returns false if the browser does not let the page write to the clipboard. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the dropped files. Folders are listed as files too, but cannot be read. */
function dropped({ items }) {
  const found = [...items].filter(({ kind }) => kind === "file");
  const isFolder = (item) => item.webkitGetAsEntry()?.isDirectory === true;
  if (found.some(isFolder)) announce("Folders cannot be uploaded. Drop the files in them.");
  // A file that was removed while it was dragged is null.
  return found.filter((item) => !isFolder(item)).map((item) => item.getAsFile()).filter((file) => file !== null);
}

keepKey(announce);
element("settings").addEventListener("submit", (event) => event.preventDefault());
files.addEventListener("change", () => {
  add(files.files);
  // Without this, choosing the same file again fires no event.
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
setInterval(() => {
  for (const upload of uploads) if (upload.state === "uploading") upload.updatePace();
}, SAMPLE_INTERVAL);
