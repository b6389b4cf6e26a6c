/** The types of presign.js, also for projects with `exactOptionalPropertyTypes`. */

/** The options of a client. */
export interface PresignOptions {
  /** The base URL of the service, to which `/presign` is appended. */
  endpoint: string | URL;
  /** Sent as `Authorization: Bearer`. Anyone who opens the page can read a key in it. */
  apiKey?: string | undefined;
  /** Returns the headers for each request to the service, for example with a token that expires. */
  headers?: (() => HeadersInit | Promise<HeadersInit>) | undefined;
  /** The name of a configured store. Default: the default store. */
  store?: string | undefined;
}

/** The options of requests that can be aborted. */
export interface RequestOptions {
  /** Aborts the request. The promise is then rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * The maximum number of retries of one request. Default: 8, but an upload waits without a limit for a server that has
   * succeeded before and does not respond any more.
   */
  retries?: number | undefined;
  /** Seconds without progress after which an attempt fails. Default: 60. */
  timeout?: number | undefined;
}

/** Headers and settings that the storage keeps with an object. */
export interface ObjectOptions {
  /** Default: the file's type, or application/octet-stream. */
  contentType?: string | undefined;
  metadata?: Record<string, string> | undefined;
  cacheControl?: string | undefined;
  contentDisposition?: string | undefined;
  contentEncoding?: string | undefined;
  contentLanguage?: string | undefined;
  storageClass?: string | undefined;
  tagging?: Record<string, string> | undefined;
  serverSideEncryption?: "AES256" | "aws:kms" | undefined;
  kmsKeyId?: string | undefined;
  /** With `public-read` everyone can read the object without a URL. */
  acl?: "private" | "public-read" | "bucket-owner-full-control" | undefined;
}

/** The options that all files of `uploadAll` share. */
export interface SharedUploadOptions extends ObjectOptions, RequestOptions {
  /** `false` never replaces an existing object. A rule can also require that. */
  overwrite?: boolean | undefined;
  /** The lifetime of the URLs in seconds. Default: the service's default. */
  expiresIn?: number | undefined;
  /**
   * The number of files or parts that are sent to the storage at the same time. Default: 6, the number of connections
   * that browsers open to a host over HTTP/1.1; 5 if the storage and the service have the same origin.
   */
  concurrency?: number | undefined;
  /** Sends a SHA-256 with the file or with each part. Default: if the rule requires it. */
  checksum?: boolean | undefined;
  /**
   * `true` always sends parts, `false` never. Default: parts for files above 16 MiB or the rule's part size. They have
   * 5 MiB or the rule's size, and more if the file needs more than 10,000.
   */
  multipart?: boolean | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Receives what happens, for a status line. */
  onStage?: ((stage: TransferStage) => void) | undefined;
}

/** The options of `upload`. */
export interface UploadOptions extends SharedUploadOptions {
  /** The path of the object. */
  path: string;
}

/** The options of `uploadAll`. */
export interface UploadAllOptions extends SharedUploadOptions {
  /** A folder, or a function that returns the path of a file. Default: the file's name or relative path. */
  path?: (string | ((file: File) => string)) | undefined;
}

export interface UploadResult {
  path: string;
  key: string;
  bucket: string;
  /** null if the storage's CORS rules do not expose it. */
  etag: string | null;
}

export interface Progress {
  /** The bytes that the storage has or that were sent. While the state is "paused": those that are kept. */
  loaded: number;
  total: number;
  /** Bytes per second over the last five seconds; 0 in the first three seconds after a start or `resume()`. */
  speed: number;
  /** null while the speed is 0. */
  secondsLeft: number | null;
}

/** The stage "pausing" lasts from a failure until bytes are sent again. */
export type TransferStage = "signing" | "uploading" | "pausing";

/** "pausing" lasts from `pause()` until the parts in flight have ended that need at most 10 seconds. */
export type TransferState =
  "waiting" | "uploading" | "offline" | "pausing" | "paused" | "done" | "failed" | "cancelled";

interface TransferEvents<Target> {
  addEventListener(
    type: "statechange" | "progress", listener: (event: Event & { readonly target: Target }) => void,
    options?: boolean | AddEventListenerOptions): void;
}

/** A running upload. It can be awaited like `result`. */
export interface Transfer extends Omit<EventTarget, "addEventListener">, Promise<UploadResult>,
  TransferEvents<Transfer> {
  /**
   * The promise of the result; another one after `resume()` of a failed transfer. An async function that returns the
   * transfer itself waits for its end.
   */
  readonly result: Promise<UploadResult>;
  readonly file: Blob;
  readonly path: string;
  readonly state: TransferState;
  /** What happens while the state is "uploading". "statechange" fires also when "pausing" begins and ends. */
  readonly stage: TransferStage | undefined;
  readonly progress: Progress;
  /** The error of a failed upload. */
  readonly error: PresignError | undefined;
  /** Whether it is done, failed or cancelled. */
  readonly isFinished: boolean;
  /** Whether `resume()` continues it: it is paused or pausing, or failed for a reason that may pass. */
  readonly isResumable: boolean;
  /**
   * Whether the file goes in parts; undefined until that is decided. Without parts it starts again after a pause or a
   * reload.
   */
  readonly isMultipart: boolean | undefined;
  /**
   * Stops sending. Complete parts stay at the storage; parts that need at most 10 seconds are completed first, while
   * the state is "pausing".
   */
  pause(): void;
  /** Continues with the parts that the storage has. After a failure, await the transfer again. */
  resume(): void;
  /** Rejects the transfer with an AbortError at once. The returned promise waits until the parts are removed. */
  cancel(): Promise<void>;
}

/** Several uploads with one queue. It can be awaited like `result`. */
export interface TransferGroup extends Omit<EventTarget, "addEventListener">,
  PromiseLike<PromiseSettledResult<UploadResult>[]>, TransferEvents<TransferGroup> {
  /** What `Promise.allSettled` gives, in the order of the files, when all have ended, also those added later. */
  readonly result: Promise<PromiseSettledResult<UploadResult>[]>;
  readonly transfers: readonly Transfer[];
  readonly progress: Progress;
  /** The number of transfers in each state. */
  readonly counts: Readonly<Record<TransferState, number>>;
  /**
   * Adds files to the queue. The options replace those of `uploadAll`. Returns the uploads of these files. Throws
   * "DuplicatePath" if a file has the path of another one, or of one that is being uploaded.
   */
  add(files: Iterable<File> | ArrayLike<File>, options?: UploadAllOptions): Transfer[];
  pause(): void;
  resume(): void;
  cancel(): Promise<void>;
}

/** An upload that an earlier visit of the page has left unfinished. */
export interface UnfinishedUpload {
  readonly path: string;
  readonly file: { readonly name: string; readonly size: number; readonly lastModified: number };
  readonly createdAt: Date;
  /** The bytes that the storage has. */
  readonly loaded: number;
  readonly total: number;
  /** Continues with the same file, which the user must choose again. Throws "FileChanged" for another file. */
  resume(file: File, options?: Partial<UploadOptions>): Transfer;
  /** Removes the parts from the storage. */
  cancel(): Promise<void>;
}

/** Receives a download: a stream, or a file that the user has chosen with `showSaveFilePicker`. */
export type DownloadTarget = WritableStream<Uint8Array> | { createWritable(): Promise<WritableStream> };

export interface DownloadOptions extends RequestOptions {
  /** Receives the content, which is then not kept in memory. Closed at the end, aborted after a failure. */
  to?: DownloadTarget | undefined;
  onProgress?: ((progress: { loaded: number; total: number | null }) => void) | undefined;
}

export interface DownloadURLOptions extends RequestOptions {
  /** The lifetime of the URL in seconds. Default: the service's default. */
  expiresIn?: number | undefined;
  /** Makes browsers save the object under this name instead of displaying it. */
  filename?: string | undefined;
}

export interface ShareOptions extends RequestOptions {
  /** What the link is for. Default: "GET". */
  method?: "GET" | "PUT" | undefined;
  /** The lifetime of the link in seconds. Default: 7 days, or the maximum of the rule if that is less. */
  expiresIn?: number | undefined;
  /** With PUT: the type that uploads must have, or a range such as "image/*". */
  contentType?: string | undefined;
  /** With PUT: the maximum size of an upload in bytes. */
  contentLength?: number | undefined;
  /** With PUT: uploads must not replace an object. They must send the header `If-None-Match: *`. */
  ifNoneMatch?: "*" | undefined;
}

/** A link that anyone can open. */
export interface ShareLink {
  url: string;
  /** Names the link in logs and when an operator revokes it. */
  id: string;
  method: "GET" | "PUT";
  expiresIn: number;
  /** RFC 3339, in UTC. */
  expiresAt: string;
}

export interface ListOptions extends RequestOptions {
  /** Groups the paths that continue behind the prefix up to this text, usually "/". */
  delimiter?: string | undefined;
  /** The maximum number of entries of a page, 1 to 1000. */
  maxKeys?: number | undefined;
  /** Lists only what follows this path. */
  startAfter?: string | undefined;
  /** Of the previous page. */
  continuationToken?: string | undefined;
}

export interface ObjectList {
  objects: { path: string; key: string; size: number; etag: string | null; lastModified: Date }[];
  /** The prefixes that the delimiter has grouped. */
  folders: string[];
  /** undefined on the last page. */
  continuationToken: string | undefined;
}

export interface ObjectInfo {
  path: string;
  size: number | null;
  contentType: string | null;
  etag: string | null;
  lastModified: Date | null;
}

export interface ActionPermission {
  expiresIn: { default: number; max: number };
}

export interface WritePermission extends ActionPermission {
  types?: string[];
  maxSize?: number;
  checksum?: string;
  overwrite?: boolean;
  accept?: string[];
  set?: Record<string, unknown>;
}

/** What the caller may do at a path. An action that is not allowed is absent. */
export interface Permissions {
  get?: ActionPermission & { overrides?: string | string[]; versions?: boolean; share?: number };
  list?: ActionPermission;
  write?: WritePermission;
  delete?: ActionPermission;
  multipart?: WritePermission & { partSize?: number };
}

/** Who the service takes the caller for. */
export interface Caller {
  scheme: "guest" | "apiKey" | "jwt" | "mutualTLS" | "proxy";
  /** The id of the API key. */
  apiKey?: string;
  /** The value of `{identity}` in the access rules. */
  identity?: string;
}

/** The response of `POST /presign`. */
export interface Signed {
  url: string;
  method: string;
  /** The headers that the page must set. */
  headers: Record<string, string>;
  /** The fields of a form (`form: true`), which precede its file. */
  fields?: Record<string, string>;
  key: string;
  bucket: string;
  region: string;
  expiresIn: number;
  /** RFC 3339, in UTC. */
  expiresAt: string;
  limitedBy?: "credentials";
}

export interface WorkerOptions {
  /** The folder of the pages that the worker serves. Default: that of its script. */
  scope?: string | URL | undefined;
}

/** A client for a presign service. All methods refuse unknown options with a TypeError that names the nearest one. */
export class Presign {
  constructor(options: PresignOptions);
  /** Uploads a file: in one request if it is small, otherwise in parts. */
  upload(file: Blob, options: UploadOptions): Transfer;
  /** Uploads several files with one queue. Throws "DuplicatePath" if several have the same path. */
  uploadAll(files: Iterable<File> | ArrayLike<File>, options?: UploadAllOptions): TransferGroup;
  /** Returns the uploads that an earlier visit of this page has left unfinished. */
  transfers(): Promise<UnfinishedUpload[]>;
  /** Downloads an object to a file or stream. Continues an interrupted download. */
  download(path: string, options: DownloadOptions & { to: DownloadTarget }): Promise<undefined>;
  /** Downloads an object into memory. Continues an interrupted download. */
  download(path: string, options?: DownloadOptions & { to?: undefined }): Promise<Blob>;
  /** Returns a URL that downloads an object. */
  downloadURL(path: string, options?: DownloadURLOptions): Promise<string>;
  /** Returns a URL for each path, in the same order, with one request. At most 1,000 paths. */
  downloadURL(paths: readonly string[], options?: DownloadURLOptions): Promise<string[]>;
  /** Makes a short link that anyone can open until it ends or is revoked, where the rules allow it. */
  share(path: string, options?: ShareOptions): Promise<ShareLink>;
  /** Lists one page of the objects whose paths begin with a prefix, which is empty or ends in "/". */
  list(prefix?: string, options?: ListOptions): Promise<ObjectList>;
  /** Returns the size, type, ETag and date of an object, or null if it does not exist. */
  head(path: string, options?: RequestOptions & { versionId?: string | undefined }): Promise<ObjectInfo | null>;
  /** Deletes an object. */
  remove(path: string, options?: RequestOptions): Promise<void>;
  /** Returns who the service takes the caller for. */
  caller(options?: RequestOptions): Promise<Caller>;
  /** Returns what the caller may do at a path. */
  permissions(path: string, options?: RequestOptions): Promise<Permissions>;
  /**
   * Registers the application's service worker that runs presign-worker.js, so that `<img>` and other tags with the
   * address PRESIGN/o/PATH show what the caller may read. Waits until it controls this page. Rejected with an
   * InvalidStateError if the pages have another worker, with a NotSupportedError if the browser allows none.
   */
  registerWorker(script: string | URL, options?: WorkerOptions): Promise<void>;
  /** Returns the response of `POST /presign` to any fields. */
  sign(fields: Record<string, unknown>, options?: RequestOptions): Promise<Signed>;
}

/** The error of a failed transfer or request. */
export class PresignError extends Error {
  readonly name: "PresignError";
  /** What failed: the service, the storage, the connection to one of them, reading the file, or signing in. */
  readonly source: "service" | "storage" | "network" | "file" | "provider";
  /** A stable code of the service, of the storage, of the identity provider, or of presign.js. */
  readonly code: string;
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number;
  /** The same as `message`. */
  readonly detail: string;
  readonly recoverySuggestion: string | undefined;
  /** The invalid fields of the request. */
  readonly fields: readonly { name: string; detail: string }[];
  /** The id of the request in the logs of the service or the storage. */
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later and is safe to repeat. */
  readonly retryable: boolean;
  /** Whether the storage may have performed the request. */
  readonly ambiguous: boolean;
  /** Seconds to wait before retrying. */
  readonly retryAfter: number | undefined;
}

/** A public client of an identity provider. */
export interface SignInOptions {
  /** The `iss` of its tokens, byte by byte. */
  issuer: string;
  authorizationEndpoint: string;
  /** It must allow requests from the page's origin (CORS). */
  tokenEndpoint: string;
  clientID: string;
  /** Default: `openid`, which is required. Some providers renew tokens only with `offline_access`. */
  scopes?: readonly string[] | undefined;
  /** The token that is sent to the service. Default: the ID token. */
  token?: "access" | "id" | undefined;
  /** Sent as `audience`, which Auth0 requires for access tokens. */
  audience?: string | undefined;
  /** The page to which the provider leads back, as registered there. Default: the folder of this page. */
  redirectURI?: string | undefined;
}

/**
 * Signs users in with OpenID Connect: authorization code with PKCE, state and nonce. The browser keeps the token for
 * the tab, in sessionStorage.
 */
export class SignIn {
  constructor(options: SignInOptions);
  /** The claims of the ID token; undefined if the user has not signed in. */
  readonly user: Readonly<Record<string, unknown>> | undefined;
  /** Leads to the provider. `complete` returns `place` afterwards; it is never taken from the address. */
  start(place?: string): Promise<void>;
  /** Call it when the page opens. Completes a sign-in; undefined if the provider has not led here. */
  complete(): Promise<string | undefined>;
  /** For `new Presign({ endpoint, headers: signIn.headers })`. Renews the token before it expires. */
  readonly headers: () => Promise<Record<string, string>>;
  /** Renews the token now. Returns whether the provider did. */
  renew(): Promise<boolean>;
  /** Forgets the user in this tab. The provider asks for the password at the next sign-in here. */
  signOut(): void;
}

/** A file of Uppy, or any other. */
export interface UppyFileInfo {
  name: string;
  type: string;
  size: number | null;
}

/** Returns options for `uppy.use(AwsS3, {...})`. */
export function uppyOptions(presign: Presign, options?: {
  /** Returns the path of a file. Default: a random id and the name. */
  path?: ((file: UppyFileInfo) => string) | undefined;
  /** The bytes of each part but the last, at most the rule's `partSize`. Default: 16 MiB. */
  partSize?: number | undefined;
  /** Uploads whole files with HTML forms: the rule bounds their size. Needs @uppy/aws-s3 6.3. Default: false. */
  form?: boolean | undefined;
}): {
  generateObjectKey(file: UppyFileInfo): string;
  getChunkSize(file: { size: number }): number;
  signRequest(request: { method: string; key: string; uploadId?: string; partNumber?: number }): Promise<Signed>;
};
