/** One upload: what it keeps, and how it continues. */
import { Presign } from "../presign.js";
import { expect, failure } from "./expect.js";
import { settle } from "./world.js";

const client = ({ service }) => new Presign({ endpoint: service });
const file = (size = 9) => new File([new Uint8Array(size)], "a.bin");

export const tests = {
  async "a caller's signal keeps no listeners of uploads that have ended"(world) {
    const { signal } = new AbortController();
    const { addEventListener, removeEventListener } = signal, listeners = new Set();
    signal.addEventListener = (type, listener, options) => {
      listeners.add(listener);
      addEventListener.call(signal, type, listener, options);
    };
    signal.removeEventListener = (type, listener) => {
      listeners.delete(listener);
      removeEventListener.call(signal, type, listener);
    };
    const presign = client(world);
    for (let count = 0; count < 20; count += 1) await presign.upload(file(), { path: `${count}`, signal });
    world.onStorage = () => ({ status: 400, text: "<Error><Code>Bad</Code></Error>" });
    await failure(presign.upload(file(), { path: "failed", signal }));
    await presign.upload(file(), { path: "cancelled", signal }).cancel();
    expect(listeners.size, 0);
  },

  async "a signal still cancels, also an upload that was resumed after a failure"(world) {
    const controller = new AbortController(), { signal } = controller;
    world.onStorage = () => ({ status: 503, text: "<Error><Code>SlowDown</Code></Error>" });
    const transfer = client(world).upload(file(), { path: "a", signal, retries: 0 });
    await failure(transfer);
    world.sending = () => new Promise(() => {});
    transfer.resume();
    await settle();
    controller.abort();
    expect([(await failure(transfer)).name, transfer.state], ["AbortError", "cancelled"]);
  },

  async "a Blob without a name, of which the storage lists the first parts only, sends no part twice"(world) {
    const sent = [];
    world.actions = () => ({ get: {}, multipart: { partSize: 5 * 1024 ** 2 } });
    world.onStorage = ({ method, query }) => {
      const number = Number(query.get("partNumber")), id = query.get("uploadId");
      if (method === "PUT") sent.push(number);
      if (method !== "GET" || !id) return undefined;
      const first = [...world.uploads.get(id)].filter(([known]) => known <= 2).map(([known, { size }]) =>
        `<Part><PartNumber>${known}</PartNumber><ETag>"${known}"</ETag><Size>${size}</Size></Part>`);
      return { text: `<R>${first.join("")}<IsTruncated>true</IsTruncated></R>` };
    };
    world.sending = ({ query }) => (query.get("partNumber") === "4" ? new Promise(() => {}) : undefined);
    const transfer = client(world).upload(new Blob([new Uint8Array(20e6)]), { path: "a", concurrency: 1 });
    while (!sent.includes(3)) await settle();
    await settle();
    transfer.pause();
    world.sending = () => undefined;
    transfer.resume();
    await transfer;
    expect(sent.sort(), [...new Set(sent)].sort());
    expect(world.objects.get("a").size, 20e6);
  },

  async "the result is a promise that an async function can pass on"(world) {
    const begin = async () => {
      const transfer = client(world).upload(file(), { path: "a" });
      return { transfer, result: transfer.result };
    };
    const { transfer, result } = await begin();
    expect(transfer.state, "uploading");
    expect(result instanceof Promise, true);
    expect((await result).path, (await transfer).path);
  },

  async "an upload that continues after a pause asks for the parts first"(world) {
    const received = [];
    // The response to the second part is lost when the upload is paused.
    world.onStorage = ({ method, query }) => {
      if (method === "PUT") received.push(query.get("partNumber"));
    };
    let transfer;
    world.sending = async ({ method, query }) => {
      if (method !== "PUT" || query.get("partNumber") !== "2") return;
      if (transfer.state === "paused" || received.includes("2")) return;
      world.uploads.get(query.get("uploadId")).set(2, new Blob([new Uint8Array(5e6)]));
      // The first part is lost.
      await settle();
      world.uploads.get(query.get("uploadId")).delete(1);
      transfer.pause();
      await settle();
    };
    const size = 20e6;
    transfer = client(world).upload(file(size), { path: "a", concurrency: 1, multipart: true });
    while (transfer.state !== "paused") await settle();
    await settle();
    world.sending = () => undefined;
    const before = world.sent.length;
    transfer.resume();
    await transfer;
    const first = world.sent[before];
    expect([first.method, first.query.has("uploadId"), first.query.has("partNumber")], ["GET", true, false]);
    expect(world.objects.get("a").size, size);
    expect(received.filter((number) => number === "1").length, 2, "the lost part is sent again:");
  },

  async "an upload that was completed while it was paused has succeeded"(world) {
    let transfer, isFirst = true;
    world.onStorage = async ({ method, query }) => {
      if (method !== "POST" || !query.has("uploadId") || !isFirst) return;
      isFirst = false;
      // The storage completes the upload, and the page pauses before the response.
      world.objects.set("a", file(20e6));
      world.uploads.delete(query.get("uploadId"));
      transfer.pause();
    };
    transfer = client(world).upload(file(20e6), { path: "a" });
    while (transfer.state !== "paused") await settle();
    // Only an object of several parts has such an ETag.
    world.onStorage = ({ method }) => (method === "HEAD"
      ? { headers: { etag: '"x-4"', "content-length": String(20e6) } } : undefined);
    transfer.resume();
    await transfer;
    expect(world.with("PUT").length, 4);
  },
};
