/** How often presign.js asks the service and the storage before it sends bytes. */
import { Presign } from "../presign.js";
import { expect, failure } from "./expect.js";

const client = ({ service }) => new Presign({ endpoint: service });
const file = (name, size) => new File([new Uint8Array(size)], name);
const small = (count) => Array.from({ length: count }, (_, index) => file(`${index}.txt`, 3));
const paths = (world, path) => world.asked.filter((request) => request.path === path);
const refusal = (code, status) => ({ error: { code, status, detail: code } });

export const tests = {
  async "small files are signed in batches"(world) {
    const results = await client(world).uploadAll(small(500), { path: "folder" });
    expect(results.every(({ status }) => status === "fulfilled"), true);
    expect([world.objects.size, world.sent.length, paths(world, "/presign").length], [500, 500, 0]);
    const batches = paths(world, "/presign/batch").map(({ fields }) => fields.requests.length);
    expect(batches.reduce((sum, count) => sum + count, 0), 500, "signed:");
    expect(batches.length <= 12, true, `batches ${batches}:`);
  },

  async "the end of an upload does not end the batch of the others"(world) {
    const group = client(world).uploadAll(small(20));
    group.transfers[0].cancel();
    const statuses = (await group).map(({ status }) => status);
    expect(statuses.filter((status) => status === "fulfilled").length, 19);
    expect(world.objects.has("0.txt"), false);
  },

  async "a file that the service refuses in a batch fails alone; a rate limit is waited for"(world) {
    world.onItem = ({ path }) => ({ "3.txt": refusal("forbidden", 403), "5.txt": refusal("rate-limited", 429) })[path];
    const results = await client(world).uploadAll(small(20));
    expect(results.flatMap(({ reason }, index) => (reason ? [index, reason.code] : [])), [3, "forbidden"]);
    expect(paths(world, "/presign").map(({ fields }) => fields.path), ["5.txt"]);
  },

  async "a batch that is refused as a whole does not fail files that are allowed alone"(world) {
    world.onService = ({ path }) => (path === "/presign/batch" ? { status: 413, json: {} } : undefined);
    const results = await client(world).uploadAll(small(3));
    expect(results.map(({ status }) => status), ["fulfilled", "fulfilled", "fulfilled"]);
  },

  async "permissions are asked for once per folder and type"(world) {
    const files = ["a.bin", "b.bin", "c.bin", "c.txt"].map((name) => file(name, 300_000));
    const presign = client(world);
    await presign.uploadAll(files, { path: "x" });
    await presign.uploadAll([files[0]], { path: "y" });
    const asked = paths(world, "/permissions").map(({ query }) => query.get("path"));
    expect(asked, ["x/a.bin", "x/c.txt", "y/a.bin"]);
    expect(world.objects.size, 5);
  },

  async "permissions are asked for again when the caller changes"(world) {
    let key = "first";
    const presign = new Presign({ endpoint: world.service, headers: () => ({ authorization: key }) });
    await presign.upload(file("a.bin", 300_000), { path: "a.bin" });
    key = "second";
    await presign.upload(file("b.bin", 300_000), { path: "b.bin" });
    expect(paths(world, "/permissions").length, 2);
  },

  async "a plan by the permissions of another file is replaced when it is refused"(world) {
    // Parts only for names that begin with "large".
    const mayParts = (path) => path.includes("large");
    world.actions = (path) => (mayParts(path) ? { write: {}, multipart: {} } : { write: {} });
    world.onService = ({ fields }) => (fields?.method === "POST" && !mayParts(fields.path)
      ? { status: 403, json: refusal("forbidden", 403).error } : undefined);
    const presign = client(world);
    await presign.upload(file("large.bin", 20e6), { path: "large.bin" });
    await presign.upload(file("other.bin", 20e6), { path: "other.bin" });
    expect(world.objects.get("other.bin").size, 20e6);
    expect(paths(world, "/permissions").length, 2);
  },

  async "the size limit of another file is not applied without asking"(world) {
    world.actions = (path) => ({ write: {}, multipart: { maxSize: path.includes("small") ? 30e6 : 100e6 } });
    const presign = client(world);
    await presign.upload(file("small.bin", 20e6), { path: "small.bin" });
    await presign.upload(file("large.bin", 40e6), { path: "large.bin" });
    expect(world.objects.get("large.bin").size, 40e6);
    const error = await failure(presign.upload(file("small-2.bin", 40e6), { path: "small-2.bin" }));
    expect(error.code, "constraint");
  },

  async "a name that the listing of the folder lacks is not asked for, and never replaced"(world) {
    const presign = client(world);
    const upload = (path) => presign.upload(file("x", 300_000), { path, overwrite: false });
    await upload("folder/before.bin");
    expect(world.with("HEAD").length, 1, "without a listing");
    await presign.list("folder/", { delimiter: "/" });
    await upload("folder/new.bin");
    expect([world.with("HEAD").length, world.with("PUT").at(-1).headers["if-none-match"]], [1, "*"]);
    for (const path of ["folder/before.bin", "folder/new.bin"]) {
      expect((await failure(upload(path))).code, "PreconditionFailed", path);
    }
    await upload("elsewhere/new.bin");
    expect(world.with("HEAD").length, 4, "listed, uploaded and of another folder");
  },

  async "only a complete listing shows that a name is absent"() {
    const { LastListing } = await import("../js/listed.js");
    const listing = new LastListing();
    const page = (paths, continuationToken) => ({
      objects: paths.map((path) => ({ path })), folders: ["a/folder/"], continuationToken,
    });
    const found = () => ["a/1", "a/3", "a/folder/1", "a/other/1", "b"].filter((path) => listing.lacks(path));
    expect(found(), []);
    listing.add("a/", { delimiter: "/" }, page(["a/1"], "token"));
    expect(found(), [], "one of two pages:");
    listing.add("a/", { delimiter: "/", continuationToken: "other" }, page(["a/9"]));
    expect(found(), [], "a page of another listing:");
    listing.add("a/", { delimiter: "/", continuationToken: "token" }, page(["a/2"]));
    expect(found(), ["a/3", "a/other/1"]);
    listing.add("", { startAfter: "a/2" }, page(["b"]));
    expect(found(), ["a/3", "a/other/1"], "a listing that starts in the middle:");
    listing.include("a/3");
    expect(found(), ["a/other/1"]);
  },
};
