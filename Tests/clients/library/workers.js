/** presign-worker.js in a service worker whose pages and service exist only here. */
import { expect } from "./expect.js";

const ENDPOINT = "https://presign.test/", LINKS = `${ENDPOINT}o/`;
const file = new URL("../presign-worker.js", import.meta.url);
/** The real one, because each test replaces it. */
const realFetch = globalThis.fetch.bind(globalThis);
const load = globalThis.process ? async () => (await import("node:fs/promises")).readFile(file, "utf8")
  : async () => (await realFetch(file)).text();

/** A worker, and the members with which a test changes its surroundings. */
class Worker {
  /** The batches that it has requested: the paths, or the whole requests with `keepsFields`. */
  batches = [];
  keepsFields = false;
  /** What pages respond, by client id; a page without an entry is silent. A function is called at each request. */
  pages = { a: [["authorization", "alice"]] };
  /** The response to a batch. */
  service = ({ requests }, headers) => ({
    status: 200, results: requests.map(({ path }) => ({ url: `https://s3.test/${path}?${headers}`, expiresIn: 60 })),
  });
  timers = [];
  asked = 0;
  #listeners = {};

  static async start(address = `https://app.test/worker.js?presign=${encodeURIComponent(ENDPOINT)}`) {
    const worker = new Worker();
    const names = ["location", "addEventListener", "clients", "fetch", "setTimeout", "clearTimeout"];
    new Function(...names, await load())(
      { href: address }, (type, listener) => { worker.#listeners[type] = listener; },
      { get: async (id) => worker.#client(id), claim: async () => {} }, (...request) => worker.#fetch(...request),
      (action) => worker.timers.push(action), () => {});
    return worker;
  }

  #client(id) {
    return {
      id,
      postMessage: (data, [port]) => {
        this.asked += 1;
        const response = typeof this.pages[id] === "function" ? this.pages[id]() : this.pages[id];
        if (response) port.postMessage(response);
      },
    };
  }

  async #fetch(request, init) {
    if (init?.method !== "POST") return { wentTo: request.url };
    const body = JSON.parse(init.body), headers = new Headers(init.headers);
    expect([String(request), headers.get("content-type")], [`${ENDPOINT}presign/batch`, "application/json"]);
    this.batches.push(body.requests.map((fields) => (this.keepsFields ? fields : fields.path)));
    const { status, ...content } = await this.service(body, headers.get("authorization"));
    return new Response(content.text ?? JSON.stringify(content), { status });
  }

  /** Requests a URL; returns where the request goes, or undefined if the worker does not handle it. */
  async load(url, members = {}) {
    let response;
    this.#listeners.fetch({
      clientId: "a", ...members, respondWith: (promise) => { response = promise; },
      request: { url, method: "GET", destination: "image", mode: "no-cors", ...members },
    });
    const found = await response;
    return found instanceof Response ? `${found.status} ${found.headers.get("location")}` : found?.wentTo;
  }

  async greet(id) {
    let done;
    const replies = [], source = { id, postMessage: (data) => replies.push(data) };
    this.#listeners.message({ data: { presign: ENDPOINT }, source, waitUntil: (promise) => { done = promise; } });
    await done;
    return replies;
  }

  message(data) { this.#listeners.message({ data, waitUntil: () => { throw new Error("not ignored"); } }); }
}

/** Waits until a condition holds. */
async function until(condition) {
  while (!condition()) await new Promise((resolve) => { setTimeout(resolve); });
}

export const tests = {
  async "a worker handles GET of images, videos, audio and tracks below /o/ of the endpoint, nothing else"() {
    const worker = await Worker.start();
    for (const destination of ["image", "video", "audio", "track"]) {
      expect(await worker.load(`${LINKS}a`, { destination }), "307 https://s3.test/a?alice");
    }
    for (const [url, members] of [
      [`${LINKS}a`, { method: "HEAD" }], [`${LINKS}a`, { method: "POST" }], [`${LINKS}a`, { destination: "" }],
      [`${LINKS}a`, { destination: "document" }], [`${LINKS}a`, { destination: "script" }],
      [`${LINKS}a`, { clientId: "" }], [LINKS, {}], [`${LINKS}%ff`, {}], [`${ENDPOINT}s/a`, {}], [`${ENDPOINT}o`, {}],
      ["https://presign.test.evil.test/o/a", {}], ["https://presign.test@evil.test/o/a", {}],
      ["https://evil.test/https://presign.test/o/a", {}], ["http://presign.test/o/a", {}],
      ["https://presign.test:8443/o/a", {}],
    ]) expect(await worker.load(url, members), undefined, url);
    expect(worker.batches.length, 1);
  },

  async "a worker without an endpoint in its address handles nothing"() {
    const worker = await Worker.start("https://app.test/worker.js");
    expect(await worker.load(`${LINKS}a`), undefined);
    worker.message({ presign: ENDPOINT });
  },

  async "a link becomes the fields of POST /presign, with its query and without its fragment"() {
    const worker = Object.assign(await Worker.start(), { keepsFields: true });
    await worker.load(`${LINKS}%C3%A4/a%20b.svg?store=archive&expiresIn=60&method=PUT&path=x#part`);
    expect(worker.batches, [[{ store: "archive", expiresIn: "60", method: "GET", path: "ä/a b.svg" }]]);
  },

  async "with crossorigin the worker fetches the URL itself"() {
    const worker = await Worker.start();
    expect(await worker.load(`${LINKS}a`, { mode: "cors", destination: "video" }), "https://s3.test/a?alice");
  },

  async "what is asked for during a batch shares the next one, of up to 100 links"() {
    const worker = await Worker.start();
    const load = (first, count) => Array.from({ length: count }, (_, index) => worker.load(`${LINKS}${first + index}`));
    let release;
    const held = new Promise((resolve) => { release = resolve; }), { service } = worker;
    worker.service = async (...request) => {
      await held;
      return service(...request);
    };
    const loads = [...load(0, 1), ...load(0, 1)];
    await until(() => worker.batches.length === 1);
    loads.push(...load(1, 80));
    await new Promise((resolve) => { setTimeout(resolve); });
    expect(worker.asked, 1, "the next batch waits");
    loads.push(...load(81, 80), ...load(1, 10));
    release();
    expect(new Set((await Promise.all(loads)).map((found) => found.split(" ")[0])).size, 1);
    expect(worker.batches.map(({ length }) => length), [1, 100, 60]);
  },

  async "a URL is used again while it lives, and by the same user of the same page only"() {
    const worker = await Worker.start();
    worker.pages.b = [["authorization", "bob"]];
    for (const fragment of ["", "#x", "#y"]) await worker.load(`${LINKS}a${fragment}`);
    expect(worker.batches, [["a"]]);
    expect(await worker.load(`${LINKS}a`, { clientId: "b" }), "307 https://s3.test/a?bob");
    expect(await worker.load(`${LINKS}a`), "307 https://s3.test/a?alice");
    expect(worker.batches.length, 2);
    worker.pages.a = [["authorization", "carol"]];
    expect(await worker.load(`${LINKS}a`), "307 https://s3.test/a?carol");
    worker.pages.a = [];
    expect(await worker.load(`${LINKS}a`), `${LINKS}a`, "signed out");
    worker.pages.a = [["authorization", "carol"]];
    await worker.load(`${LINKS}a`);
    expect(worker.batches.length, 4);
    worker.service = () => ({ status: 200, results: [{ url: "https://s3.test/short", expiresIn: 0 }] });
    for (let count = 0; count < 2; count += 1) await worker.load(`${LINKS}short`);
    expect(worker.batches.length, 6);
    worker.service = () => ({ status: 503 });
    expect(await worker.load(`${LINKS}short`), `${LINKS}short`, "not the expired one");
  },

  async "after 401 the page is asked once more, and a request without a URL goes on"() {
    const worker = await Worker.start(), { service } = worker;
    worker.service = (body, user) => (user === "alice" ? service(body, user) : { status: 401 });
    const tokens = ["old", "alice"];
    worker.pages.a = () => [["authorization", tokens.shift() ?? "old"]];
    expect(await worker.load(`${LINKS}a`), "307 https://s3.test/a?alice");
    expect([worker.asked, worker.batches.length], [2, 2]);
    expect(await worker.load(`${LINKS}b`), `${LINKS}b`);
    expect([worker.asked, worker.batches.length], [4, 3], "the same headers are not sent again");
    let count = 0;
    worker.pages.a = () => [["authorization", `old ${count += 1}`]];
    expect(await worker.load(`${LINKS}b`), `${LINKS}b`);
    expect(worker.batches.length, 5, "a second time only");
  },

  async "a request goes on if presign refuses it or cannot be reached, and the next one does not"() {
    const worker = await Worker.start(), { service } = worker;
    for (const failure of [
      () => ({ status: 503 }), () => ({ status: 200, text: "<html>" }), () => { throw new TypeError("unreachable"); },
      () => ({ status: 200, results: [{ error: { status: 403 } }] }),
    ]) {
      worker.service = failure;
      expect(await worker.load(`${LINKS}a`), `${LINKS}a`, String(failure));
    }
    worker.service = service;
    expect(await worker.load(`${LINKS}a`), "307 https://s3.test/a?alice");
  },

  async "a silent page delays its requests once, until it greets the worker"() {
    const worker = await Worker.start();
    delete worker.pages.a;
    const first = worker.load(`${LINKS}a`);
    await until(() => worker.timers.length === 1);
    worker.timers[0]();
    expect([await first, await worker.load(`${LINKS}a`), worker.asked], [`${LINKS}a`, `${LINKS}a`, 1]);
    worker.pages.a = [["authorization", "alice"]];
    expect(await worker.greet("a"), [{ presign: ENDPOINT }]);
    expect(await worker.load(`${LINKS}a`), "307 https://s3.test/a?alice");
  },

  async "a page that greets the worker is asked again at once"() {
    const worker = await Worker.start();
    delete worker.pages.a;
    const load = worker.load(`${LINKS}a`);
    await until(() => worker.asked === 1);
    worker.pages.a = [["authorization", "alice"]];
    await worker.greet("a");
    expect(await load, "307 https://s3.test/a?alice");
    for (const data of [undefined, null, "text", {}, { presign: "https://other.test/" }]) worker.message(data);
  },
};
