/** How many parts a file has, and how many are sent at one time. */
import { Line } from "../js/line.js";
import { Presign } from "../presign.js";
import { expect, failure } from "./expect.js";
import { settle } from "./world.js";

const MIB = 1024 ** 2;

/** The sizes of the parts and the most at one time. */
async function sent(world, size, options = {}) {
  const held = [];
  // The storage gets the parts that are sent at the same time before it responds to the first.
  world.sending = async ({ method }) => {
    if (method !== "PUT") return;
    const turn = new Promise((resolve) => { held.push(resolve); });
    settle().then(() => held.splice(0).forEach((go) => go()));
    await turn;
  };
  const client = new Presign({ endpoint: world.service });
  await client.upload(new Blob([new Uint8Array(size)]), { path: "a", ...options });
  expect(world.objects.get("a").size, size);
  return { sizes: world.with("PUT").map((request) => request.size), most: world.most };
}

/** Tries a line with six parts: `rates` are bytes per millisecond of two measurements of all, and of the one of few. */
async function tried(world, rates, reduction = { parts: 6, cost: 0.03 }) {
  world.hurry(100);
  const line = new Line(), calls = [];
  const [first, second, few] = rates, seen = [0, 200 * first, 0, 200 * second, 0, 800 * few];
  await line.tryFew({
    get sent() { return seen.shift(); }, isOver: false, reduction, partSize: 5 * MIB,
    reduce: () => calls.push(`reduce, ${line.isFull}`), fill: () => calls.push("fill"),
  });
  return [calls, line.isFull];
}

export const tests = {
  async "60 MB are parts of 5 MiB over six connections"(world) {
    const { sizes, most } = await sent(world, 60e6);
    expect([sizes, most], [[...Array.from({ length: 11 }, () => 5 * MIB), 60e6 - 55 * MIB], 6]);
  },

  async "five connections where the service and the storage share an origin"(world) {
    world.storage = world.service;
    expect((await sent(world, 60e6)).most, 5);
  },

  async "the caller's limit holds"(world) {
    expect((await sent(world, 60e6, { concurrency: 3 })).most, 3);
  },

  async "300 MB need one request to the service for two rounds of parts, and three others"(world) {
    const { sizes } = await sent(world, 300e6);
    expect(sizes.length, 58);
    expect(world.asked.map(({ path }) => path), [
      "/permissions", "/presign", ...Array.from({ length: 5 }, () => "/presign/batch"), "/presign",
    ]);
  },

  async "the next part starts when the bytes of the last are sent, and at most one waits for its response"(world) {
    const held = [];
    world.sending = async ({ method, query, sent: tell }) => {
      if (method !== "PUT") return;
      tell();
      await new Promise((resolve) => { held.push([Number(query.get("partNumber")), resolve]); });
    };
    const client = new Presign({ endpoint: world.service });
    const transfer = client.upload(new Blob([new Uint8Array(60e6)]), { path: "a", concurrency: 1 });
    for (let wait = 0; wait < 50 && held.length < 2; wait += 1) await settle();
    await settle();
    expect(held.map(([number]) => number), [1, 2]);
    const all = setInterval(() => held.splice(0).forEach(([, go]) => go()), 5);
    await transfer;
    clearInterval(all);
    expect(world.with("PUT").length, 12);
  },

  async "few parts at a time where they are as fast as all"(world) {
    const tries = ["reduce, true", "fill"];
    const cases = [
      ["a full line", [[4000, 4000, 3900], undefined], [tries, true]],
      ["slow connections", [[4000, 4000, 1333], undefined], [tries, false]],
      ["parts that are fast", [[6300, 6300, 6300], undefined], [[], false]],
      ["connections that are getting faster", [[2000, 4000, 4000], undefined], [[], false]],
      ["parts of which too much is sent", [[4000, 4000, 4000], { parts: 6, cost: 0.05 }], [[], false]],
      ["two parts", [[1000, 1000, 1000], { parts: 2, cost: 0 }], [[], false]],
    ];
    for (const [text, input, wanted] of cases) expect(await tried(world, ...input), wanted, `${text}:`);
  },

  async "a part with a checksum has at most 64 MiB, because it is read into memory"() {
    const { partSize } = await import("../js/parts.js");
    expect(partSize(640_000 * MIB, {}, true), 64 * MIB);
    const error = await failure(() => partSize(640_001 * MIB, {}, true));
    expect(error.code, "constraint");
  },
};
