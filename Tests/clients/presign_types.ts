/** Uses every part of presign.d.ts as a page would. Compiled with the strictest options of tsc, never run. */
import { Presign, PresignError, SignIn, uppyOptions } from "./presign.js";
import type { Progress, Transfer, TransferStage, TransferState, UploadResult } from "./presign.js";

const presign = new Presign({ endpoint: "https://presign.example.com", headers: async () => ({ authorization: "x" }) });

export async function uploadOne(file: File, isReplacing: boolean, limit?: number): Promise<string | null> {
  const transfer: Transfer = presign.upload(file, {
    path: "a", overwrite: isReplacing ? undefined : false, concurrency: limit, checksum: true,
    metadata: { a: "b" }, retries: 1, signal: new AbortController().signal,
    onProgress: ({ loaded, total, speed, secondsLeft }: Progress): number =>
      loaded + total + speed + (secondsLeft ?? 0),
  });
  transfer.addEventListener("progress", (event) => {
    const { loaded }: Progress = event.target.progress;
    return loaded;
  });
  transfer.addEventListener("statechange", ({ target }) => {
    const state: TransferState = target.state;
    return state;
  });
  const stage: TransferStage | undefined = transfer.stage, error: PresignError | undefined = transfer.error;
  if (stage === "pausing" && error?.retryAfter === undefined) transfer.pause();
  const keeps: boolean | undefined = transfer.isMultipart;
  if (keeps && transfer.state === "pausing") return null;
  if (transfer.isResumable && !transfer.isFinished) transfer.resume();
  try {
    return (await transfer).etag ?? (await transfer.result).etag;
  } catch (error) {
    if (error instanceof PresignError && error.source === "storage") return error.fields[0]?.name ?? error.code;
    await transfer.cancel();
    throw error;
  }
}

export async function uploadMany(files: FileList): Promise<UploadResult[]> {
  const group = presign.uploadAll(files, { path: (file) => `folder/${file.name}`, concurrency: 2 });
  const waiting: number = group.counts.waiting + group.transfers.length + group.progress.loaded;
  const results = waiting > 1 ? await group : await group.result;
  return results.flatMap((result) => (result.status === "fulfilled" && waiting > 0 ? [result.value] : []));
}

export async function others(file: File): Promise<void> {
  for (const unfinished of await presign.transfers()) {
    if (unfinished.file.size === file.size) await unfinished.resume(file, { retries: 2 });
    else await unfinished.cancel();
  }
  const blob: Blob = await presign.download("a", { onProgress: ({ loaded, total }) => loaded / (total ?? loaded) });
  const nothing: undefined = await presign.download("a", { to: new WritableStream<Uint8Array>() });
  // A FileSystemFileHandle, whose type old compilers do not have completely.
  await presign.download("a", { to: { createWritable: async () => new WritableStream() } });
  const url: string = await presign.downloadURL("a", { filename: "a.txt", expiresIn: blob.size });
  const [first]: string[] = await presign.downloadURL(["a", "b"] as const, { expiresIn: 60, retries: 1 });
  const listed = await presign.list("a/", { delimiter: "/", continuationToken: nothing });
  const { objects, folders, continuationToken } = listed;
  const size: number | null | undefined = (await presign.head(objects[0].path))?.size;
  await presign.remove(folders[0] + first + url + continuationToken + size);
  await presign.registerWorker(new URL("https://app.example.com/worker.js"), { scope: size ? "/a/" : undefined });
  const user: string | undefined = (await presign.caller({ retries: 1 })).identity;
  const partSize: number | undefined = (await presign.permissions("a")).multipart?.partSize;
  const { signRequest } = uppyOptions(presign, { path: ({ name }) => `${user}/${name}`, partSize, form: true });
  const { headers } = await signRequest({ method: "PUT", key: (await presign.sign({ path: "a" })).key });
  // @ts-expect-error: a path is required.
  presign.upload(file, { overwrite: headers.a === "b" });
}

export async function user(): Promise<string | undefined> {
  const signIn = new SignIn({
    issuer: "https://id.example.com", authorizationEndpoint: "https://id.example.com/a", clientID: "files",
    tokenEndpoint: "https://id.example.com/t", scopes: ["openid"] as const, token: "access", audience: undefined,
  });
  const client = new Presign({ endpoint: "https://presign.example.com", headers: signIn.headers });
  const place: string | undefined = await signIn.complete();
  if (!signIn.user) await signIn.start(place ?? "");
  if (await signIn.renew()) await client.remove("a");
  signIn.signOut();
  const name: unknown = signIn.user?.["name"];
  return typeof name === "string" ? name : undefined;
}
