/**
 * Loads private images and videos for plain tags: redirects a page's requests for PRESIGN/o/PATH to signed URLs.
 *
 * A service worker of the application runs `importScripts("https://presign.example.com/presign-worker.js")`;
 * `registerWorker` of presign.js registers it and adds the endpoint to its address.
 */
"use strict";
{
  const endpoint = new URL(location.href).searchParams.get("presign");
  const links = endpoint && new URL("o/", endpoint);
  const DESTINATIONS = ["image", "video", "audio", "track"];
  /** The milliseconds in which a page must respond, and the maximum number of URLs that are requested together. */
  const TIMEOUT = 30_000, BATCH = 100;
  /** What is known of each page, by client id. The browser forgets it when it stops the worker. */
  const pages = new Map();

  function pageOf(id) {
    if (!pages.has(id)) {
      for (const other of pages.keys()) clients.get(other).then((client) => client || pages.delete(other));
      pages.set(id, { id, urls: new Map(), last: Promise.resolve(), ask() {} });
    }
    return pages.get(id);
  }

  /** Returns a signed URL, or undefined if the page's user gets none. One batch is signed after the other. */
  async function urlOf(link, page) {
    if (!page.next || page.next.links.size >= BATCH) {
      const batch = { links: new Set() };
      // After a failure the requests go on to the service, whose responses show the reason.
      batch.urls = page.last = page.last.then(() => sign(batch, page)).catch(() => page.urls);
      page.next = batch;
    }
    const { next } = page;
    next.links.add(link);
    return (await next.urls).get(link)?.url;
  }

  async function sign(batch, page, refused) {
    // Asked each time, so that nothing is signed for a user who has signed out. More links join the batch meanwhile.
    const headers = await headersOf(page);
    if (page.next === batch) page.next = undefined;
    const user = JSON.stringify(headers), now = Date.now();
    if (user !== page.user) page.urls = new Map();
    page.user = user;
    const missing = [...batch.links].filter((link) => !(page.urls.get(link)?.until > now));
    for (const link of missing) page.urls.delete(link);
    if (!headers?.length || user === refused || missing.length === 0) return page.urls;
    const response = await fetch(new URL("presign/batch", endpoint), {
      method: "POST", headers: [...headers, ["content-type", "application/json"]],
      body: JSON.stringify({ requests: missing.map(fieldsOf) }),
    });
    if (response.status === 401 && !refused) return sign(batch, page, user);
    const { results } = await response.json();
    results.forEach(({ url, expiresIn }, index) => {
      // Not for the whole lifetime, because the browser has yet to follow the redirect.
      page.urls.set(missing[index], { url, until: now + expiresIn * 800 });
    });
    return page.urls;
  }

  /** Returns the headers of the page's requests to the service, or undefined if it does not respond. */
  async function headersOf(page) {
    const client = await clients.get(page.id);
    if (!client || page.isSilent) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(() => { page.isSilent = true; resolve(); }, TIMEOUT);
      page.ask = () => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => { clearTimeout(timer); resolve(data); };
        client.postMessage({ presign: endpoint }, [port2]);
      };
      page.ask();
    });
  }

  /** Returns the fields of `POST /presign` for a link; undefined for one without a valid path. */
  function fieldsOf(link) {
    const { pathname, searchParams } = new URL(link);
    try {
      const path = decodeURIComponent(pathname.slice(links.pathname.length));
      return path ? { ...Object.fromEntries(searchParams), path, method: "GET" } : undefined;
    } catch {
      return undefined;
    }
  }

  addEventListener("fetch", (event) => {
    const { request, clientId } = event, [link] = request.url.split("#");
    if (request.method !== "GET" || !DESTINATIONS.includes(request.destination) || !clientId) return;
    if (!links || !link.startsWith(links.href) || !fieldsOf(link)) return;
    event.respondWith(urlOf(link, pageOf(clientId)).then((url) => {
      if (!url) return fetch(request);
      // With `crossorigin`, a redirect would have the origin "null", which the CORS rules of buckets do not allow.
      return request.mode === "cors" ? fetch(new Request(url, request)) : Response.redirect(url, 307);
    }));
  });

  // A page that responds from now on. It may have been loaded before the worker was active.
  addEventListener("message", (event) => {
    if (event.data?.presign !== endpoint) return;
    const page = pageOf(event.source.id);
    page.isSilent = false;
    page.ask();
    // Not with a port, whose messages can overtake the new controller.
    event.waitUntil(clients.claim().then(() => event.source.postMessage({ presign: endpoint })));
  });
}
