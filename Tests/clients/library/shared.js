/** The rules that presign.js and PresignClient share: the cases in `Tests/Cases/transfers.json`, which both read. */
import { Presign, PresignError } from "../presign.js";
import { mayPass, serviceError, storageError } from "../js/errors.js";
import { MAX_PARTS, MAX_PUT_SIZE, MAX_SINGLE_SIZE, PART_SIZE, partSize } from "../js/parts.js";
import { Retry } from "../js/retry.js";
import cases from "./cases.js";
import { expect } from "./expect.js";

const upload = ({ service }, size) =>
  new Presign({ endpoint: service }).upload(new Blob([new Uint8Array(size)]), { path: "a" });

/** The seconds that are waited for before each attempt, without jitter. */
async function delays({ error: { source, status, retryAfter }, isReached, isPersistent, retries }, limit) {
  const waited = [], { setTimeout } = globalThis, { random } = Math;
  globalThis.setTimeout = (action, delay) => {
    waited.push(delay / 1000);
    return setTimeout(action, 0);
  };
  Math.random = () => 0.5;
  try {
    const retry = new Retry({ retries, isReached: () => isReached, isPersistent: () => isPersistent });
    const error = new PresignError("", { source, status, retryAfter, retryable: true });
    while (waited.length < limit) await retry.after(error);
  } catch (error) {
    if (!(error instanceof PresignError)) throw error;
  } finally {
    Object.assign(globalThis, { setTimeout });
    Math.random = random;
  }
  return waited;
}

export const tests = {
  async "limits"() {
    const { part, maxSingle, maxPut, maxParts } = cases.sizes;
    expect([PART_SIZE, MAX_SINGLE_SIZE, MAX_PUT_SIZE, MAX_PARTS], [part, maxSingle, maxPut, maxParts]);
  },

  async "a small file is sent without asking first"(world) {
    const asked = () => world.asked.filter(({ path }) => path === "/permissions").length;
    await upload(world, cases.sizes.maxUnasked);
    expect(asked(), 0);
    await upload(world, cases.sizes.maxUnasked + 1);
    expect(asked(), 1);
  },

  async "the size of the parts follows from the file and the rule"() {
    for (const { size, limits, partSize: wanted } of cases.parts) {
      let found;
      try {
        found = partSize(size, limits, false);
      } catch ({ code }) {
        found = code === "constraint" ? null : code;
      }
      expect(found, wanted, `${size} bytes, ${JSON.stringify(limits)}:`);
    }
  },

  async "one PUT or parts"(world) {
    for (const { actions, size, isMultipart } of cases.plans) {
      world.actions = () => actions;
      world.sent = [];
      await upload(world, size);
      expect(world.with("POST").length > 0, isMultipart, `${size} bytes, ${JSON.stringify(actions)}:`);
    }
  },

  async "what a response means"() {
    for (const { from, status, sent, ...wanted } of cases.responses) {
      const text = sent ? `<Error><Code>${sent}</Code></Error>` : "<html>";
      const error = from === "service"
        ? serviceError(status, null, sent && { code: sent, detail: "" })
        : storageError({ status, text, header: () => null });
      const { source, code, retryable: isRetryable, ambiguous: isAmbiguous } = error;
      expect(source, from);
      expect({ code, isRetryable, isAmbiguous, mayPass: mayPass(error) }, wanted, `${from}, ${status}:`);
    }
  },

  async "codes after which a URL is renewed"(world) {
    for (const code of cases.renewingCodes) {
      world.asked = [];
      let attempts = 0;
      world.onStorage = () => {
        attempts += 1;
        return attempts === 1 ? { status: 400, text: `<Error><Code>${code}</Code></Error>` } : undefined;
      };
      await upload(world, 1);
      expect([world.asked.length, attempts], [2, 2], code);
    }
  },

  async "how often and how long is waited"() {
    for (const one of cases.retries) {
      const found = await delays(one, 12);
      const isEqual = found.length === one.delays.length
        && found.every((delay, index) => Math.abs(delay - one.delays[index]) < 0.001);
      expect(isEqual, true, `${JSON.stringify(one)}, ${found}:`);
    }
  },
};
