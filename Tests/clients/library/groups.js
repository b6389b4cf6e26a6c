/** Several files with one queue. */
import { Presign } from "../presign.js";
import { expect, failure } from "./expect.js";
import { settle } from "./world.js";

const file = (name, content = name) => new File([content], name);
const client = ({ service }) => new Presign({ endpoint: service });

export const tests = {
  async "files with the same path are refused before anything is sent"(world) {
    const error = await failure(() => client(world).uploadAll(["a", "b", "a", "b", "c"].map((name) => file(name)), {}));
    expect([error.code, error.message], ["DuplicatePath", 'several files have the path "a", "b"']);
    await settle();
    expect([world.asked.length, world.sent.length], [0, 0]);
  },

  async "an error names at most five duplicates"(world) {
    const names = Array.from({ length: 8 }, (_, index) => `${index}`);
    const error = await failure(() => client(world).uploadAll([...names, ...names].map((name) => file(name))));
    expect(error.message, 'several files have the path "0", "1", "2", "3", "4" and 3 others');
  },

  async "a file that is added must not have the path of one that is being uploaded"(world) {
    const group = client(world).uploadAll([file("a")]);
    expect((await failure(() => group.add([file("a", "other")]))).code, "DuplicatePath");
    expect(group.transfers.length, 1);
    await group;
    group.add([file("a", "later")]);
    await group;
    expect(await world.objects.get("a").text(), "later");
  },

  async "a Blob needs a name or a function"(world) {
    const blobs = [new Blob(["a"]), new Blob(["b"])];
    expect((await failure(() => client(world).uploadAll(blobs, { path: "folder" }))).name, "TypeError");
    expect((await failure(() => client(world).uploadAll(blobs, { path: () => "" }))).name, "TypeError");
    const results = await client(world).uploadAll(blobs, { path: (blob) => `blob-${blobs.indexOf(blob)}` });
    expect(results.map(({ status }) => status), ["fulfilled", "fulfilled"]);
    expect([...world.objects.keys()], ["blob-0", "blob-1"]);
  },

  async "awaiting a group waits for files that are added later"(world) {
    const group = client(world).uploadAll([file("a")]);
    group.transfers[0].result.then(() => group.add([file("b")]));
    expect((await group).map(({ value }) => value.path), ["a", "b"]);
    expect((await group.result).length, 2);
  },

  async "progress and counts add up, also after failures and further attempts"(world) {
    world.onStorage = ({ path }) =>
      (path === "b" ? { status: 400, text: "<Error><Code>Bad</Code></Error>" } : undefined);
    const group = client(world).uploadAll(["a", "b", "ccc"].map((name) => file(name)));
    await group;
    const { done, failed, waiting, uploading } = group.counts;
    expect([done, failed, waiting, uploading, group.progress.loaded, group.progress.total], [2, 1, 0, 0, 4, 5]);
    world.onStorage = ({ path }) =>
      (path === "d" ? { status: 503, text: "<Error><Code>SlowDown</Code></Error>" } : undefined);
    const [transfer] = group.add([file("d")], { retries: 0 });
    await group;
    world.onStorage = () => undefined;
    transfer.resume();
    await group;
    expect([group.counts.done, group.counts.failed, group.progress.loaded, group.progress.total], [3, 1, 5, 6]);
  },
};
