/** The names of options, which every method checks, and lists of paths. */
import { Presign, SignIn, uppyOptions } from "../presign.js";
import { expect, failure } from "./expect.js";

const client = ({ service }) => new Presign({ endpoint: service });
const file = new File(["x"], "a");

export const tests = {
  async "every method refuses an unknown option with the nearest one"(world) {
    const presign = client(world), group = presign.uploadAll([]);
    const calls = {
      Presign: [(options) => new Presign({ endpoint: world.service, ...options }), "apikey", "apiKey"],
      upload: [(options) => presign.upload(file, { path: "a", ...options }), "onprogress", "onProgress"],
      uploadAll: [(options) => presign.uploadAll([file], options), "concurency", "concurrency"],
      download: [(options) => presign.download("a", options), "onProgres", "onProgress"],
      downloadURL: [(options) => presign.downloadURL("a", options), "expires", "expiresIn"],
      share: [(options) => presign.share("a", options), "contenttype", "contentType"],
      list: [(options) => presign.list("", options), "delimeter", "delimiter"],
      head: [(options) => presign.head("a", options), "versionID", "versionId"],
      remove: [(options) => presign.remove("a", options), "singal", "signal"],
      caller: [(options) => presign.caller(options), "timeOut", "timeout"],
      permissions: [(options) => presign.permissions("a", options), "retrys", "retries"],
      sign: [(options) => presign.sign({ path: "a" }, options), "Signal", "signal"],
      registerWorker: [(options) => presign.registerWorker("/worker.js", options), "scopes", "scope"],
      uppyOptions: [(options) => uppyOptions(presign, options), "partsize", "partSize"],
      SignIn: [(options) => new SignIn({ issuer: "https://id.test", ...options }), "clientId", "clientID"],
    };
    const methods = Object.getOwnPropertyNames(Presign.prototype).filter((name) => name !== "constructor");
    expect(methods.filter((name) => name !== "transfers" && !(name in calls)), []);
    for (const [method, [call, typo, nearest]] of Object.entries(calls)) {
      const error = await failure(async () => call({ [typo]: undefined }));
      expect([error.name, error.message], [
        "TypeError", `${method}: unknown option \`${typo}\`; did you mean \`${nearest}\`?`,
      ]);
    }
    expect((await failure(() => group.add([file], { onstage: 1 }))).message,
      "upload: unknown option `onstage`; did you mean `onStage`?");
    expect((await failure(presign.remove("a", { recursive: true }))).message,
      "remove: unknown option `recursive`; the options are signal, retries, timeout");
    expect([world.asked.length, world.sent.length], [0, 0]);
  },

  async "all known options are accepted"(world) {
    const wait = { signal: new AbortController().signal, retries: 1, timeout: 9 }, presign = client(world);
    await presign.upload(file, {
      ...wait, path: "a", contentType: "text/plain", metadata: { a: "b" }, cacheControl: "no-cache",
      contentDisposition: "inline", contentEncoding: "identity", contentLanguage: "en", storageClass: "STANDARD",
      tagging: { a: "b" }, serverSideEncryption: "AES256", kmsKeyId: "a", acl: "private", overwrite: true,
      expiresIn: 60, concurrency: 1, checksum: false, multipart: false, onProgress() {}, onStage() {},
    });
    await presign.download("a", { ...wait, onProgress() {}, to: undefined });
    await presign.list("", { ...wait, delimiter: "/", maxKeys: 1, startAfter: "a", continuationToken: "b" });
    await presign.head("a", { ...wait, versionId: "1" });
    for (const call of [() => presign.remove("a", wait), () => presign.permissions("a", wait),
      () => presign.caller(wait), () => presign.sign({ path: "a" }, wait)]) await call();
    world.onService = () => ({ json: { url: "https://presign.test/o/a", id: "1" } });
    await presign.share("a", {
      ...wait, method: "PUT", expiresIn: 60, contentType: "text/*", contentLength: 9, ifNoneMatch: "*",
    });
  },

  async "downloadURL signs a list of paths with one request"(world) {
    const urls = await client(world).downloadURL(["a", "b", "a"], { expiresIn: 60, filename: "x" });
    expect(urls.map((url) => new URL(url).pathname), ["/bucket/a", "/bucket/b", "/bucket/a"]);
    expect(world.asked.map(({ path, fields }) => [path, fields.requests.map(({ expiresIn }) => expiresIn)]),
      [["/presign/batch", [60, 60, 60]]]);
    expect(await client(world).downloadURL([]), []);
    const paths = Array.from({ length: 1001 }, () => "a");
    expect((await failure(client(world).downloadURL(paths))).message, "path: must be at most 1000 paths");
    expect(world.asked.length, 1);
  },

  async "a path of a list that a rate limit refuses is signed again, one that a rule refuses fails"(world) {
    world.onItem = ({ path }) => (path === "b"
      ? { error: { status: 429, code: "rate-limited", detail: "too many", retryAfter: 0 } } : undefined);
    expect((await client(world).downloadURL(["a", "b"])).length, 2);
    expect(world.asked.map(({ path }) => path), ["/presign/batch", "/presign"]);
    world.onItem = ({ path }) =>
      (path === "b" ? { error: { status: 403, code: "forbidden", detail: "no" } } : undefined);
    expect((await failure(client(world).downloadURL(["a", "b"]))).code, "forbidden");
  },
};
