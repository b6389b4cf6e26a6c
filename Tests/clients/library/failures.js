/** Servers that do not respond. */
import { Service } from "../js/service.js";
import { Presign } from "../presign.js";
import { expect, failure } from "./expect.js";
import { settle } from "./world.js";

const client = ({ service }) => new Presign({ endpoint: service });
const file = (size = 9) => new File([new Uint8Array(size)], "a.bin");

/** Makes the storage unreachable for a number of attempts of a method. Returns the number of attempts. */
function cut(world, method, times) {
  const state = { attempts: 0 };
  world.isReachable = (request) => {
    if (request.method !== method) return true;
    state.attempts += 1;
    return state.attempts > times;
  };
  return state;
}

export const tests = {
  async "an upload waits for a storage that has succeeded before, longer than a minute"(world) {
    world.hurry(10_000);
    const presign = client(world);
    await presign.upload(file(), { path: "first" });
    const state = cut(world, "PUT", 30);
    await presign.upload(file(), { path: "a" });
    expect([state.attempts, world.objects.has("a")], [31, true]);
  },

  async "the same for the service, also behind a gateway"(world) {
    world.hurry(10_000);
    const presign = client(world);
    await presign.upload(file(), { path: "first" });
    let attempts = 0;
    world.onService = () => {
      attempts += 1;
      if (attempts > 30) return undefined;
      if (attempts % 2 === 0) return { status: 502, json: {} };
      throw new TypeError("unreachable");
    };
    await presign.upload(file(), { path: "a" });
    expect([attempts, world.objects.has("a")], [31, true]);
  },

  async "cancelling ends the wait"(world) {
    const presign = client(world);
    await presign.upload(file(), { path: "first" });
    const state = cut(world, "PUT", Infinity);
    const transfer = presign.upload(file(), { path: "a" });
    await settle();
    await transfer.cancel();
    expect([(await failure(transfer)).name, state.attempts], ["AbortError", 1]);
  },

  async "a storage that never succeeded, perhaps because of its CORS rules, gets three retries"(world) {
    world.hurry(10_000);
    const state = cut(world, "PUT", Infinity);
    expect((await failure(client(world).upload(file(), { path: "a" }))).code, "NetworkError");
    expect(state.attempts, 4);
  },

  async "success with another method proves less, because CORS rules can allow some methods only"(world) {
    world.hurry(10_000);
    const presign = client(world), state = cut(world, "PUT", Infinity);
    await presign.list("");
    expect((await failure(presign.upload(file(), { path: "a" }))).code, "NetworkError");
    expect(state.attempts, 9);
  },

  async "the caller's number of retries holds"(world) {
    world.hurry(10_000);
    const presign = client(world);
    await presign.upload(file(), { path: "first" });
    const state = cut(world, "PUT", Infinity);
    await failure(presign.upload(file(), { path: "a", retries: 2 }));
    expect(state.attempts, 3);
  },

  async "an upload tells that it retries, until bytes are sent again"(world) {
    world.hurry(100);
    const presign = client(world);
    await presign.upload(file(), { path: "first" });
    cut(world, "PUT", 6);
    const stages = [], seen = [];
    const transfer = presign.upload(file(), { path: "a", onStage: (stage) => stages.push(stage) });
    transfer.addEventListener("statechange", () => seen.push(`${transfer.state} ${transfer.stage}`));
    await transfer;
    expect(stages, ["signing", "uploading", "pausing", "uploading"]);
    expect(seen, ["uploading pausing", "uploading uploading", "done uploading"]);
  },

  async "an upload in parts tells it too, while they are sent and while they are combined"(world) {
    world.hurry(100);
    // Without a name, it needs no lock, whose wait is shortened too.
    const blob = new Blob([new Uint8Array(20e6)]);
    const presign = client(world), seen = [];
    await presign.upload(blob, { path: "first" });
    for (const method of ["PUT", "POST"]) {
      let attempts = 0;
      world.isReachable = ({ method: own, url }) => {
        if (own !== method || !url.searchParams.has("uploadId")) return true;
        attempts += 1;
        return attempts > 20;
      };
      // One part at a time: another part could fail last after one has succeeded.
      const transfer = presign.upload(blob, { path: method, concurrency: 1 });
      transfer.addEventListener("statechange", () => seen.push(`${transfer.state} ${transfer.stage}`));
      await transfer;
    }
    expect(seen, ["uploading pausing", "uploading uploading", "done uploading", "uploading pausing", "done pausing"]);
  },

  async "files that wait for one batch all tell that it is retried"(world) {
    world.hurry(100);
    const presign = client(world);
    await presign.upload(file(), { path: "first" });
    let attempts = 0;
    world.onService = () => {
      attempts += 1;
      if (attempts < 5) throw new TypeError("unreachable");
    };
    const files = Array.from({ length: 4 }, (_, index) => new File(["x"], `${index}`)), pausing = new Set();
    const group = presign.uploadAll(files);
    for (const transfer of group.transfers) {
      transfer.addEventListener("statechange", () => { if (transfer.stage === "pausing") pausing.add(transfer.path); });
    }
    await group;
    expect(pausing.size, 4);
  },

  async "the folders at which the caller can start are asked for again after a failure"(world) {
    world.hurry(100);
    let attempts = 0;
    world.onService = ({ path, query }) => {
      attempts += 1;
      if (attempts === 1) throw new TypeError("unreachable");
      if (attempts === 2) return { status: 503, json: {} };
      expect([path, query.has("path")], ["/permissions", false]);
      return { json: { roots: ["a/"], rootsTruncated: true } };
    };
    expect(await new Service({ endpoint: world.service }).roots(), { folders: ["a/"], areTruncated: true });
    expect(attempts, 3);
  },

  async "a database that never responds does not stop an upload"(world) {
    const own = Object.getOwnPropertyDescriptor(globalThis, "indexedDB");
    const locks = globalThis.navigator?.locks;
    Object.defineProperty(globalThis, "indexedDB", { configurable: true, value: { open: () => ({}) } });
    if (!locks) {
      const request = (_, __, body) => Promise.resolve(body());
      Object.defineProperty(globalThis, "navigator", { configurable: true, value: { locks: { request } } });
    }
    try {
      // A copy of the modules, because the database is opened once.
      const { Presign: Fresh } = await import("../fresh/presign.js");
      world.hurry(10);
      await new Fresh({ endpoint: world.service }).upload(file(20e6), { path: "a" });
      expect(world.objects.get("a").size, 20e6);
    } finally {
      if (own) Object.defineProperty(globalThis, "indexedDB", own);
      else delete globalThis.indexedDB;
      if (!locks) delete globalThis.navigator;
    }
  },
};
