/**
 * A service and a storage without a network, so that tests of presign.js run in Node.js and in browsers, fast and with
 * responses that real servers do not give on demand.
 */

const { fetch, XMLHttpRequest, setTimeout } = globalThis;
const real = { fetch, XMLHttpRequest, setTimeout };
const setRealTimeout = setTimeout.bind(globalThis);

/** Waits a little, so that everything that can happen without an event has happened. */
export const settle = () => new Promise((resolve) => { setRealTimeout(resolve, 20); });

export class World {
  service = "https://presign.test";
  storage = "https://storage.test";
  /** What `GET /permissions` grants; a function of the path. */
  actions = () => ({ get: {}, write: {}, multipart: {}, list: {} });
  /** The requests to the service: `{path, fields}`, and the number of URLs that were signed in each batch. */
  asked = [];
  /** The requests to the storage: `{method, path, query, headers, size}`. */
  sent = [];
  /** Objects by path. */
  objects = new Map();
  /** The parts of multipart uploads, by upload id. */
  uploads = new Map();
  /** Replaces responses of the storage: returns `{status, text, headers}`, or undefined for the usual one. */
  onStorage = () => undefined;
  /** Replaces responses of the service: returns `{status, json}` or undefined. */
  onService = () => undefined;
  /** Replaces results in a batch: returns one or undefined. */
  onItem = () => undefined;
  /** Whether the storage responds to a request; else it fails like one without a connection. */
  isReachable = () => true;
  /**
   * Called before the bytes of a request are sent; `progress(loaded)` and `sent()` make known how many are before the
   * response.
   */
  sending = () => undefined;
  /** The requests that are being sent, and the most at one time. */
  now = 0;
  most = 0;

  constructor() {
    const world = this;
    globalThis.fetch = (url, options) => world.#fetch(new URL(url), options);
    globalThis.XMLHttpRequest = class extends FakeRequest {
      get world() { return world; }
    };
  }

  /** Ends the world. */
  static end() {
    Object.assign(globalThis, real);
  }

  /** Makes all delays shorter by this factor. */
  hurry(factor) {
    globalThis.setTimeout = (action, delay, ...rest) => setRealTimeout(action, delay / factor, ...rest);
  }

  /** The requests to the storage with this method. */
  with(method) { return this.sent.filter((request) => request.method === method); }

  async #fetch(url, { method = "GET", body, headers, signal } = {}) {
    await settleOrAbort(signal);
    if (url.origin === this.storage && url.pathname.startsWith("/bucket/")) {
      const { status, text, headers: responseHeaders } = await this.store({ method, url, headers });
      return new Response(text, { status, headers: responseHeaders });
    }
    const fields = body === undefined ? undefined : JSON.parse(body);
    const request = { path: url.pathname, query: url.searchParams, fields };
    this.asked.push(request);
    const replaced = await this.onService(request);
    const { status = 200, json = this.#answer(request) } = replaced ?? {};
    return new Response(JSON.stringify(json), { status, headers: { "content-type": "application/json" } });
  }

  #answer({ path, query, fields }) {
    if (path === "/permissions") return { caller: {}, actions: this.actions(query.get("path")) };
    if (path === "/presign") return this.grant(fields);
    return { results: fields.requests.map((one) => this.onItem(one) ?? this.grant(one)) };
  }

  grant({ path = "", method = "GET", contentType, ifNoneMatch, ...query }) {
    const url = new URL(`/bucket/${path}`, this.storage);
    for (const name of ["uploadId", "partNumber", "prefix", "delimiter", "continuationToken"]) {
      if (query[name] !== undefined) url.searchParams.set(name, query[name]);
    }
    const headers = {};
    if (contentType) headers["content-type"] = contentType;
    if (ifNoneMatch) headers["if-none-match"] = ifNoneMatch;
    return { url: url.href, method, headers, key: path, bucket: "bucket", expiresIn: 60 };
  }

  /** The storage's response to a request: `{status, text, headers}`. */
  async store({ method, url, headers, body }) {
    const path = decodeURIComponent(url.pathname.slice("/bucket/".length));
    const request = { method, path, query: url.searchParams, headers: { ...headers }, size: body?.size };
    this.sent.push(request);
    const replaced = await this.onStorage(request);
    if (replaced) return { status: 200, text: "", headers: {}, ...replaced };
    return { headers: {}, text: "", status: 200, ...this.#stored(request, body) };
  }

  #stored({ method, path, query }, body) {
    const id = query.get("uploadId");
    if (query.has("prefix")) return this.#listed(query);
    if (method === "POST" && !id) {
      this.uploads.set(`upload-${this.uploads.size}`, new Map());
      return { text: `<R><UploadId>upload-${this.uploads.size - 1}</UploadId></R>` };
    }
    if (id && !this.uploads.has(id)) return { status: 404, text: "<Error><Code>NoSuchUpload</Code></Error>" };
    const parts = this.uploads.get(id);
    if (method === "PUT" && id) {
      parts.set(Number(query.get("partNumber")), body);
      return { headers: { etag: `"${query.get("partNumber")}"` } };
    }
    if (method === "GET" && id) {
      const items = [...parts].map(([number, { size }]) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>"${number}"</ETag><Size>${size}</Size></Part>`);
      return { text: `<R>${items.join("")}</R>` };
    }
    if (method === "POST") {
      this.objects.set(path, new Blob([...parts].sort(([a], [b]) => a - b).map(([, part]) => part)));
      this.uploads.delete(id);
      return { text: '<R><ETag>"done"</ETag></R>' };
    }
    if (method === "DELETE") this.uploads.delete(id);
    if (method === "PUT") this.objects.set(path, body);
    const object = this.objects.get(path);
    if (method === "PUT") return { headers: { etag: '"one"' } };
    if (!object) return { status: 404, text: "<Error><Code>NoSuchKey</Code></Error>" };
    const head = { etag: '"one"', "content-length": String(object.size) };
    return method === "HEAD" ? { headers: head } : { headers: head, text: object };
  }

  #listed(query) {
    const items = [...this.objects.keys()].filter((path) => path.startsWith(query.get("prefix")))
      .map((path) => `<Contents><Key>${path}</Key><Size>1</Size></Contents>`);
    return { text: `<R><Prefix>${query.get("prefix")}</Prefix>${items.join("")}</R>` };
  }
}

async function settleOrAbort(signal) {
  await null;
  signal?.throwIfAborted();
}

/** An XMLHttpRequest whose response comes from the world. */
class FakeRequest extends EventTarget {
  upload = {};
  status = 0;
  responseText = "";
  #headers = {};
  #responseHeaders = {};
  #isAborted = false;

  open(method, url) { Object.assign(this, { method, url: new URL(url) }); }
  setRequestHeader(name, value) { this.#headers[name.toLowerCase()] = value; }

  getAllResponseHeaders() {
    return Object.entries(this.#responseHeaders).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  }

  abort() {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.onabort?.();
  }

  async send(body) {
    const { world } = this;
    world.now += 1;
    world.most = Math.max(world.most, world.now);
    let isSent = false;
    const sent = () => {
      if (isSent || this.#isAborted) return;
      isSent = true;
      world.now -= 1;
      if (body?.size) this.upload.onprogress?.({ loaded: body.size });
      this.upload.onload?.();
    };
    try {
      const { method, url } = this;
      const isReachable = await world.isReachable({ method, url });
      if (!isReachable) throw new TypeError("unreachable");
      const progress = (loaded) => { if (!this.#isAborted) this.upload.onprogress?.({ loaded }); };
      await world.sending({ method, query: url.searchParams, sent, progress });
      sent();
      const { status, text, headers } = await world.store({ method, url, headers: this.#headers, body });
      if (this.#isAborted) return;
      Object.assign(this, { status, responseText: typeof text === "string" ? text : "" });
      this.#responseHeaders = headers;
      this.onload?.();
    } catch {
      if (!this.#isAborted) this.onerror?.();
    } finally {
      if (!isSent) world.now -= 1;
    }
  }
}
