/** Pauses: what they complete, what they end, and what is shown. */
import { Presign } from "../presign.js";
import { Meter } from "../js/progress.js";
import { expect, failure } from "./expect.js";
import { settle } from "./world.js";

const PART = 5 * 1024 ** 2;
const client = ({ service }) => new Presign({ endpoint: service });

/** Starts an upload of 8 parts, of which two are sent: the first almost completely, the second hardly. */
async function begin(world) {
  const held = new Map(), states = [];
  world.sending = async ({ method, query, progress }) => {
    const number = Number(query.get("partNumber"));
    if (method !== "PUT") return;
    await settle();
    progress(number === 1 ? PART - 1 : 1);
    await new Promise((resolve) => { held.set(number, resolve); });
  };
  const transfer = client(world).upload(new Blob([new Uint8Array(8 * PART)]), { path: "a", concurrency: 2 });
  transfer.addEventListener("statechange", () => states.push(transfer.state));
  while (held.size < 2) await settle();
  const numbers = () => world.with("PUT").map(({ query }) => Number(query.get("partNumber")));
  return { transfer, held, states, numbers };
}

const becomes = async (transfer, state) => { while (transfer.state !== state) await settle(); };

/** Lets all parts through. */
function release(world, held) {
  world.sending = () => undefined;
  held.forEach((go) => go());
}

export const tests = {
  async "a pause completes a part that ends soon, ends the others, and shows what is kept"(world) {
    const { transfer, held, states, numbers } = await begin(world);
    transfer.pause();
    expect([transfer.state, transfer.isResumable, transfer.isMultipart], ["pausing", true, true]);
    await settle();
    expect(transfer.state, "pausing");
    held.get(1)();
    await becomes(transfer, "paused");
    expect([states, transfer.progress], [
      ["pausing", "paused"], { loaded: PART, total: 8 * PART, speed: 0, secondsLeft: null },
    ]);
    release(world, held);
    transfer.resume();
    await transfer;
    expect(numbers(), [1, 2, 3, 4, 5, 6, 7, 8]);
    expect(world.objects.get("a").size, 8 * PART);
  },

  async "a pause ends after 20 seconds also if a part does not"(world) {
    const { transfer, numbers } = await begin(world);
    world.hurry(100);
    transfer.pause();
    await becomes(transfer, "paused");
    expect([transfer.progress.loaded, numbers()], [0, []]);
    await transfer.cancel();
  },

  async "a part that fails while the upload pauses is not sent again"(world) {
    const { transfer, held } = await begin(world);
    world.onStorage = ({ method }) => (method === "PUT" ? { status: 503, text: "<Error><Code>SlowDown</Code></Error>" }
      : undefined);
    transfer.pause();
    held.get(1)();
    await becomes(transfer, "paused");
    expect([transfer.progress.loaded, world.with("PUT").length], [0, 1]);
    await transfer.cancel();
  },

  async "an upload that is resumed while it pauses sends no part twice"(world) {
    const { transfer, held, states, numbers } = await begin(world);
    transfer.pause();
    transfer.resume();
    expect(transfer.state, "uploading");
    await settle();
    release(world, held);
    await transfer;
    expect([states, numbers()], [["pausing", "uploading", "done"], [1, 2, 3, 4, 5, 6, 7, 8]]);
  },

  async "a second pause ends what the first one has waited for"(world) {
    const { transfer, held, states } = await begin(world);
    transfer.pause();
    transfer.resume();
    transfer.pause();
    expect(transfer.state, "pausing");
    held.get(1)();
    await becomes(transfer, "paused");
    expect([states, transfer.progress.loaded], [["pausing", "uploading", "pausing", "paused"], PART]);
    await transfer.cancel();
  },

  async "an upload that is cancelled while it pauses ends at once"(world) {
    const { transfer, held, numbers } = await begin(world);
    transfer.pause();
    transfer.resume();
    const error = failure(transfer.result);
    await transfer.cancel();
    expect([(await error).name, transfer.state, world.uploads.size], ["AbortError", "cancelled", 0]);
    release(world, held);
    await settle();
    expect(numbers().every((number) => number <= 2), true, "no other part is sent:");
  },

  async "a listener that pauses and one that resumes at every event cause no loop"(world) {
    const { transfer, held } = await begin(world);
    const pause = () => { if (transfer.progress.loaded >= PART) transfer.pause(); };
    transfer.addEventListener("progress", pause);
    held.get(1)();
    await becomes(transfer, "paused");
    transfer.removeEventListener("progress", pause);
    transfer.addEventListener("statechange", () => transfer.resume());
    release(world, held);
    transfer.resume();
    await transfer;
    expect(world.objects.get("a").size, 8 * PART);
  },

  async "a file in one PUT starts again after a pause"(world) {
    let isHeld = false;
    world.sending = async ({ progress }) => {
      progress(5);
      isHeld = true;
      await new Promise(() => {});
    };
    const transfer = client(world).upload(new Blob(["123456789"]), { path: "a" });
    while (!isHeld) await settle();
    transfer.pause();
    expect([transfer.state, transfer.isMultipart, transfer.progress.loaded], ["paused", false, 0]);
    world.sending = () => undefined;
    transfer.resume();
    await transfer;
    expect(world.objects.get("a").size, 9);
  },

  async "a group waits for the parts of its uploads, and counts them as active"(world) {
    const group = client(world).uploadAll([1, 2].map((name) => new File([new Uint8Array(8 * PART)], `${name}`)), {
      concurrency: 1,
    });
    let release;
    world.sending = async ({ method, query, progress }) => {
      if (method !== "PUT" || !query.has("partNumber")) return;
      await settle();
      progress(PART - 1);
      await new Promise((resolve) => { release = resolve; });
    };
    while (!release) await settle();
    group.transfers[0].pause();
    expect([group.counts.pausing, group.counts.uploading, group.counts.waiting], [1, 0, 1]);
    release();
    await becomes(group.transfers[1], "uploading");
    expect([group.counts.paused, group.progress.loaded], [1, PART]);
    await group.cancel();
  },

  async "the speed is 0 for three seconds, then that of the line"() {
    const meter = new Meter(), at = (seconds, loaded) => meter.progress(loaded, 100e6, 1000 * seconds);
    // Buffers take 15 MB at once.
    const found = [0, 0.1, 0.5, 1, 2, 2.9].map((seconds) => at(seconds, 15e6 + 4e6 * seconds));
    expect(found.every(({ speed, secondsLeft }) => speed === 0 && secondsLeft === null), true);
    const { speed, secondsLeft } = at(3, 27e6);
    expect([Math.round(speed), Math.round(secondsLeft)], [4e6, 18]);
    meter.reset();
    expect(at(10, 50e6).speed, 0);
    expect(at(12, 58e6).speed, 0);
    expect(Math.round(at(13, 62e6).speed), 4e6);
  },
};
