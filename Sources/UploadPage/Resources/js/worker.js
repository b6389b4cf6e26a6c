/**
 * The application's service worker that runs presign-worker.js.
 *
 * @module worker
 */
import { isText } from "./errors.js";
import { TIMEOUT } from "./service.js";

/** The service that responds to workers of an endpoint: that of the latest registration. */
const services = new Map();

/**
 * Registers a service worker, and gives it the headers of requests to the service whenever it asks. Waits until it
 * controls this page.
 *
 * @param {import("./service.js").Service} service
 * @param {string|URL} script
 * @param {object} [options] `WorkerOptions` in presign.d.ts.
 */
export async function registerWorker(service, script, { scope } = {}) {
  if (!isText(script) && !(script instanceof URL)) {
    throw new TypeError("script: must be the address of the application's service worker, such as /worker.js");
  }
  const { serviceWorker: container } = navigator;
  if (!container) {
    throw new DOMException("no service workers: open the page over https or on localhost", "NotSupportedError");
  }
  const url = new URL(script, location.href);
  const folder = new URL(scope ?? new URL(".", url), location.href);
  if (!location.href.startsWith(folder.href)) {
    throw new TypeError(`scope: this page is not below ${folder}; serve ${url} from a folder of the page`);
  }
  url.searchParams.set("presign", service.endpoint);
  if (services.size === 0) container.addEventListener("message", respond);
  services.set(service.endpoint, service);
  container.startMessages();
  for (const place of [folder, location]) await checkFree(place.href, url, container);
  await container.register(url, { scope: folder.href });
  await greet(await container.ready, url.href, service.endpoint, container);
}

/** Throws an error if a worker with another script is registered for a page. */
async function checkFree(page, url, container) {
  const { active, waiting, installing } = await container.getRegistration(page) ?? {};
  for (const { scriptURL } of [active, waiting, installing].filter(Boolean)) {
    const other = new URL(scriptURL);
    if (other.origin + other.pathname === url.origin + url.pathname) continue;
    throw new DOMException(`${page} has the service worker ${other}: run importScripts(".../presign-worker.js") in ` +
      "that one and register it here, or choose another scope", "InvalidStateError");
  }
}

/** Responds to a worker that asks for the headers. Without them the request goes on, and the service says why. */
async function respond({ data, ports: [port] }) {
  const service = port && services.get(data?.presign);
  if (service) port.postMessage(await service.headers().catch(() => undefined));
}

/** Tells the worker with this script that this page responds, and waits until it has taken control. */
async function greet(registration, script, endpoint, container) {
  const end = new AbortController(), { signal } = end;
  const send = () => {
    // A message to the worker that is being replaced can keep it active.
    const { active } = registration;
    if (active?.scriptURL === script) active.postMessage({ presign: endpoint });
  };
  // A new version may replace the active one, which need not respond.
  const follow = () => {
    for (const worker of [registration.installing, registration.waiting]) {
      worker?.addEventListener("statechange", send, { signal });
    }
  };
  let timer;
  try {
    await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new DOMException(`${script} does not respond: it must run ` +
        `importScripts("${endpoint}presign-worker.js"), and tabs with an earlier version must be closed`,
      "TimeoutError")), TIMEOUT * 1000);
      container.addEventListener("message", ({ data, ports }) => {
        if (data?.presign === endpoint && ports.length === 0) resolve();
      }, { signal });
      registration.addEventListener("updatefound", follow, { signal });
      follow();
      send();
    });
  } finally {
    clearTimeout(timer);
    end.abort();
  }
}
