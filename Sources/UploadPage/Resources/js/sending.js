/**
 * Sends the missing parts of an upload, several at a time.
 *
 * @module sending
 */
import { sha256 } from "./checksum.js";
import { FEW, Line } from "./line.js";
import { checkETag, partCount, range } from "./parts.js";
import { writePart } from "./records.js";
import { unlessAborted } from "./retry.js";
import { MAX_BYTES } from "./slots.js";
import { perform } from "./storage.js";
import { SignedURLs } from "./urls.js";

/** The seconds in which a part must end at its present rate if the upload is paused. */
const GRACE = 10;
/** The seconds after which a pause ends parts that have become slower. */
const MAX_GRACE = 20;

/** Sends the parts that are missing at its creation. */
export class PartSender {
  #run;
  #upload;
  #count;
  #missing;
  #workers;
  #urls;
  /** The parts that the storage does not have yet. */
  #inFlight = new Set();
  /** The promises of all parts. */
  #started = [];
  #working = 0;
  /** Settles when no part is missing any more. */
  #end;
  #isTried = false;
  /** Whether the upload is being paused. */
  #isFinishing = false;
  /** The bytes sent of all parts, also in failed attempts. */
  sent = 0;
  isOver = false;

  /**
   * @param {import("./upload.js").Run} run
   * @param {object} upload
   * @param {Blob} upload.file
   * @param {import("./records.js").Record} upload.record
   * @param {Map<number, object>} upload.parts the parts that the storage has, by number; complete afterwards.
   * @param {boolean} upload.hasChecksum
   * @param {number} [upload.expiresIn]
   * @param {(bytes: number) => void} upload.onSent receives the bytes sent of the parts in flight.
   */
  constructor(run, upload) {
    this.#run = run;
    run.service.line ??= new Line();
    this.#upload = upload;
    const { file, parts, record: { partSize }, hasChecksum } = upload;
    this.#count = partCount(file.size, partSize);
    this.#missing = Array.from({ length: this.#count }, (_, index) => index + 1).filter((number) => !parts.has(number));
    this.#workers = Math.min(run.connections(), this.#missing.length, Math.max(1, Math.floor(MAX_BYTES / partSize)));
    this.#urls = new SignedURLs(run.service, { fields: (number) => this.#fields(number), count: 2 * this.#workers });
    // The URL of a part with a checksum is requested alone, when its checksum is known.
    if (!hasChecksum) this.#urls.expect(this.#missing);
  }

  /** Sends the parts. The first failure stops the others. */
  async send() {
    const { signal } = this.#run;
    const stop = () => this.#stop(signal.reason);
    signal.addEventListener("abort", stop);
    try {
      signal.throwIfAborted();
      await new Promise((resolve, reject) => {
        this.#end = { resolve, reject };
        this.fill();
        if (this.#working === 0) resolve();
      });
      // The transfer aborts a run whose parts have ended because of a pause.
      if (this.#isFinishing) await unlessAborted(new Promise(() => {}), signal);
      signal.throwIfAborted();
    } catch (error) {
      this.#stop(error);
      await Promise.allSettled(this.#started);
      throw error;
    } finally {
      this.isOver = true;
      signal.removeEventListener("abort", stop);
    }
  }

  /**
   * Starts no further part, and ends those that would take too long at their present rate.
   *
   * @returns {Promise<void>|undefined} the end of the others; undefined without any.
   */
  finish() {
    this.#isFinishing = true;
    this.#missing.length = 0;
    for (const part of this.#inFlight) if (part.secondsLeft > GRACE) part.giveUp();
    return [...this.#inFlight].every(({ isGivenUp }) => isGivenUp) ? undefined : this.#finished();
  }

  async #finished() {
    const timer = setTimeout(() => this.#inFlight.forEach((part) => part.giveUp()), MAX_GRACE * 1000);
    await Promise.allSettled(this.#started);
    clearTimeout(timer);
  }

  #stop(reason) {
    this.#missing.length = 0;
    this.#inFlight.forEach(({ controller }) => controller.abort(reason));
  }

  /** The number of parts to send at the same time. */
  get #limit() {
    return this.#run.service.line.isFull ? Math.min(FEW, this.#workers) : this.#workers;
  }

  /** Sends as many parts as the line allows. */
  fill() {
    while (this.#working < this.#limit && this.#missing.length > 0) {
      this.#working += 1;
      this.#work().then(() => {
        this.#working -= 1;
        this.fill();
        if (this.#working === 0) this.#end.resolve();
      }, this.#end.reject);
    }
  }

  /** Finds out once whether the line is full. */
  #try() {
    if (this.#isTried) return;
    this.#isTried = true;
    if (!this.#run.service.line.isFull) this.#run.service.line.tryFew(this);
  }

  get partSize() { return this.#upload.record.partSize; }

  /** The parts that are being sent, those of which most is sent first; none while the upload is paused. */
  get #sending() {
    if (this.#isFinishing) return [];
    return [...this.#inFlight].filter(({ secondsLeft }) => secondsLeft > 0).sort((a, b) => b.loaded - a.loaded);
  }

  /** The number of parts that are being sent, and the share of the file that `reduce` sends again. */
  get reduction() {
    const parts = this.#sending, bytes = parts.slice(FEW).reduce((sum, { loaded }) => sum + loaded, 0);
    // While a part has no byte, the others do not show the rate of all.
    const cost = parts.every(({ loaded }) => loaded > 0) ? bytes / this.#upload.file.size : 1;
    return { parts: parts.length, cost };
  }

  /** Ends all parts but a few. They are sent again later. */
  reduce() {
    const others = this.#sending.slice(FEW);
    this.#missing.unshift(...others.map(({ number }) => number).sort((a, b) => a - b));
    others.forEach((part) => part.giveUp());
  }

  /**
   * Sends one part after the other. The next one starts when the bytes of the last are sent, so that no connection is
   * idle while the storage writes them; but at most one part waits for its response.
   */
  async #work() {
    let last;
    while (this.#missing.length > 0 && this.#working <= this.#limit) {
      const { isSent, isStored } = this.#start(this.#missing.shift());
      // The last part can fail while this one is sent.
      await Promise.all([isSent, last]);
      last = isStored;
      this.fill();
    }
    await last;
  }

  /** The fields of `POST /presign` for a part. */
  #fields(number) {
    const { file, record: { path, uploadId, partSize }, expiresIn } = this.#upload;
    const [start, end] = range(number, partSize, file.size);
    return { path, method: "PUT", uploadId, partNumber: number, contentLength: end - start, expiresIn };
  }

  /** Returns a promise of the moment when all bytes are sent, and one of the storage's response. */
  #start(number) {
    let onSent;
    const sent = new Promise((resolve) => { onSent = resolve; });
    const isStored = this.#store(number, onSent);
    this.#started.push(isStored);
    return { isSent: Promise.race([sent, isStored]), isStored };
  }

  async #store(number, onSent) {
    const { file, record, parts, hasChecksum } = this.#upload;
    const [start, end] = range(number, record.partSize, file.size);
    const body = file.slice(start, end), part = new Part(number, body.size), { signal } = part.controller;
    const run = this.#run, wait = { ...run.wait, signal };
    let checksum;
    const sign = async () => {
      if (!hasChecksum) return this.#urls.get(number, wait);
      checksum ??= await sha256(body, signal);
      return run.service.sign({ ...this.#fields(number), checksumSHA256: checksum }, wait);
    };
    const onProgress = (loaded) => {
      this.sent += Math.max(0, loaded - part.loaded);
      part.loaded = loaded;
      this.#try();
      // A pause does not wait for another attempt.
      if (loaded === 0 && this.#isFinishing) part.giveUp();
      this.#report();
    };
    const onStage = (stage) => {
      // Parts are signed while others are sent.
      if (stage !== "uploading") return;
      part.startedAt = performance.now();
      run.onStage(stage);
    };
    this.#inFlight.add(part);
    try {
      const { response } = await perform(
        run.service, { sign, body, slots: run.slots, onProgress, onSent, onStage }, wait);
      const etag = response.header("etag");
      checkETag(etag, this.#count);
      this.#inFlight.delete(part);
      parts.set(number, { size: body.size, etag, checksum });
      if (record.id) await writePart(record.id, { size: body.size, etag, checksum, number });
    } catch (error) {
      if (!part.isGivenUp) throw error;
    } finally {
      this.#inFlight.delete(part);
      this.#report();
    }
  }

  #report() {
    let bytes = 0;
    for (const { loaded } of this.#inFlight) bytes += loaded;
    this.#upload.onSent(bytes);
  }
}

/** A part in flight. */
class Part {
  loaded = 0;
  /** When the first byte could be sent, by the monotonic clock. */
  startedAt = performance.now();
  controller = new AbortController();
  isGivenUp = false;
  #size;

  constructor(number, size) {
    this.number = number;
    this.#size = size;
  }

  /** The seconds until all bytes are sent at the present rate. Infinity without a rate. */
  get secondsLeft() {
    const seconds = (performance.now() - this.startedAt) / 1000;
    return this.loaded > 0 ? (this.#size - this.loaded) * seconds / this.loaded : Infinity;
  }

  /** Ends the part without an error. */
  giveUp() {
    this.isGivenUp = true;
    this.controller.abort(new DOMException("the upload is paused", "AbortError"));
  }
}
