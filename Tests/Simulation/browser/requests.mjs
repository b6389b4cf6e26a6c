/**
 * `XMLHttpRequest` and `fetch` of a page, as far as presign.js uses them.
 *
 * @module requests
 */

/** Returns the class `XMLHttpRequest` of a page. */
export function requestClass(page, network) {
  return class XMLHttpRequest {
    upload = {};
    status = 0;
    responseText = "";
    #request;
    #headers = {};
    #exchange;
    #response;

    open(method, url) {
      this.#request = { method, url: new URL(url) };
    }

    setRequestHeader(name, value) {
      this.#headers[name.toLowerCase()] = value;
    }

    send(body) {
      const request = { ...this.#request, headers: this.#headers, body };
      this.#exchange = network.send(page, request, {
        onProgress: (loaded) => this.upload.onprogress?.({ loaded }),
        onSent: () => this.upload.onload?.(),
        onError: () => this.onerror?.(),
        onResponse: (response, isCut) => {
          if (isCut) return this.onerror?.();
          this.#response = response;
          this.status = response.status;
          this.responseText = request.method === "HEAD" ? "" : response.text ?? "";
          this.onprogress?.({});
          this.onload?.();
        },
      });
      // A body that cannot be read is a network error for the page.
      if (body?.isReadable === false) this.#exchange.fail(1);
    }

    /** Fires "abort" before it returns, as browsers do. */
    abort() {
      if (!this.#exchange || this.#response) return;
      this.#exchange.abort();
      this.onabort?.();
    }

    getAllResponseHeaders() {
      const hidden = page.hasETags ? [] : ["etag"];
      const headers = Object.entries(this.#response.headers ?? {}).filter(([name]) => !hidden.includes(name));
      return headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    }
  };
}

/** Returns the function `fetch` of a page. */
export function fetchFunction(page, network, random) {
  return (url, { method = "GET", headers, body, signal } = {}) => new Promise((resolve, reject) => {
    const end = () => {
      exchange?.abort();
      reject(signal.reason);
    };
    if (signal?.aborted) return reject(signal.reason);
    const sent = Object.fromEntries(new Headers(headers));
    const exchange = network.send(page, { method, url: new URL(url), headers: sent, body }, {
      onProgress: () => {}, onSent: () => {},
      onError: () => reject(new TypeError("Failed to fetch")),
      onResponse: (response, isCut) => resolve(new FetchResponse({ page, network, random, signal }, response, isCut)),
    });
    signal?.addEventListener("abort", end);
  });
}

class FetchResponse {
  #page;
  #network;
  #random;
  #signal;
  #content;
  #isCut;
  #isCancelled = false;

  constructor({ page, network, random, signal }, { status, headers, json, text, bytes }, isCut) {
    this.status = status;
    this.ok = status >= 200 && status < 300;
    const isVisible = ([name]) => page.hasETags || name !== "etag";
    this.headers = new Headers(Object.entries(headers ?? {}).filter(isVisible));
    this.#page = page;
    this.#network = network;
    this.#random = random;
    this.#signal = signal;
    this.#content = bytes?.() ?? new TextEncoder().encode(json ? JSON.stringify(json) : text ?? "");
    this.#isCut = isCut;
    this.body = { getReader: () => this.#reader(), cancel: async () => { this.#isCancelled = true; } };
  }

  text() {
    return this.#page.later(() => {
      this.#signal?.throwIfAborted();
      if (this.#isCut || !this.#network.isOnline) throw new TypeError("network error");
      return new TextDecoder().decode(this.#content);
    });
  }

  /** Delivers the content in pieces. One that is cut ends with an error, or never. */
  #reader() {
    let offset = 0;
    const end = this.#isCut ? this.#random.below(this.#content.length) : this.#content.length;
    const isStuck = this.#isCut && this.#random.chance(0.3);
    const read = () => {
      this.#signal?.throwIfAborted();
      if (!this.#network.isOnline || (offset >= end && this.#isCut)) throw new TypeError("network error");
      if (offset >= end || this.#isCancelled) return { done: true };
      const value = this.#content.subarray(offset, offset += this.#random.integer(1, end - offset));
      return { done: false, value };
    };
    return {
      read: () => (offset >= end && isStuck ? this.#untilAborted() : this.#page.later(read)),
      cancel: async () => { this.#isCancelled = true; },
    };
  }

  #untilAborted() {
    return new Promise((_, reject) => {
      this.#signal?.addEventListener("abort", () => reject(this.#signal.reason));
    });
  }
}
