/** The oldest supported browsers: Safari 15.4, Chrome 100, Edge 100 and Firefox 100, of March to May 2022. */
import { expect } from "./expect.js";
import { World } from "./world.js";

/** What presign.js must not need: it came to one of the browsers later. */
const LATER = [
  [URL, "canParse", "parse"], [String.prototype, "toWellFormed", "isWellFormed"],
  [Array.prototype, "findLast", "findLastIndex", "toSorted", "toReversed", "toSpliced", "with"],
  [Array, "fromAsync"], [Promise, "withResolvers", "try"], [AbortSignal, "any", "timeout"], [Response, "json"],
  [Object, "groupBy"], [Map, "groupBy"], [Set.prototype, "union", "difference", "intersection", "isSubsetOf"],
  [globalThis.ReadableStream?.prototype ?? {}, Symbol.asyncIterator], [globalThis.ReadableStream ?? {}, "from"],
  [Blob.prototype, "bytes"], [Response.prototype, "bytes"], [Uint8Array.prototype, "toBase64", "toHex"],
  [Uint8Array, "fromBase64"], [globalThis.Iterator?.prototype ?? {}, "map", "filter", "take", "toArray", "forEach"],
  [globalThis, "CompressionStream", "FileSystemHandle", "showSaveFilePicker", "scheduler"],
];

/** Node.js itself needs some of them. */
export const tests = globalThis.process ? {} : {
  async "uploads, lists and downloads without what the oldest browsers lack"() {
    const removed = [];
    for (const [owner, ...names] of LATER) {
      for (const name of names) {
        const descriptor = Object.getOwnPropertyDescriptor(owner, name);
        if (descriptor?.configurable) {
          removed.push([owner, name, descriptor]);
          delete owner[name];
        }
      }
    }
    try {
      const world = new World();
      const { Presign, uppyOptions } = await import("../oldest/presign.js");
      const presign = new Presign({ endpoint: world.service });
      await presign.upload(new File(["x"], "small"), { path: "folder/small" });
      await presign.upload(new File([new Uint8Array(20e6)], "large"), { path: "folder/large", overwrite: false });
      await presign.uploadAll(["a", "b"].map((name) => new File([name], name)), { path: "folder" });
      expect((await presign.list("folder/")).objects.length, 4);
      expect(await (await presign.download("folder/small")).text(), "x");
      await presign.downloadURL("a", { filename: "lone \ud800 surrogate" });
      expect((await presign.head("folder/large")).size, 20e6);
      await uppyOptions(presign).signRequest({ method: "PUT", key: "a" });
      expect(await new Promise((resolve) => {
        try { resolve(String(new Presign({ endpoint: "no URL" }))); } catch (error) { resolve(error.name); }
      }), "TypeError");
    } finally {
      for (const [owner, name, descriptor] of removed) Object.defineProperty(owner, name, descriptor);
    }
    expect(removed.length > 5, true, "removed:");
  },
};
