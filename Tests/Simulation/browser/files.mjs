/**
 * Files whose content follows from their name, and the pieces of them that objects and parts consist of.
 *
 * @module files
 */
import { createHash } from "node:crypto";

/** Returns bytes `start` to `end` of the content with this number. */
function contentBytes(content, start, end) {
  const bytes = new Uint8Array(end - start);
  for (let index = start; index < end; index += 1) {
    let value = Math.imul((index >>> 2) ^ Math.imul(content, 0x9e3779b1), 0x85ebca6b);
    value ^= value >>> 13;
    bytes[index - start] = Math.imul(value, 0xc2b2ae35) >>> (8 * (index & 3));
  }
  return bytes;
}

/** Consecutive pieces of contents, without their bytes: files can have gigabytes. */
export class Pieces {
  /** @param {{content: number, start: number, end: number}[]} list */
  constructor(list) {
    this.list = list.filter(({ start, end }) => end > start);
    this.size = this.list.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  static joined(parts) {
    return new Pieces(parts.flatMap(({ list }) => list));
  }

  /** Whether these are all bytes of a content in their order. */
  isWhole({ content, size }) {
    let next = 0;
    for (const piece of this.list) {
      if (piece.content !== content || piece.start !== next) return false;
      next = piece.end;
    }
    return next === size;
  }

  bytes(start = 0, end = this.size) {
    const result = new Uint8Array(Math.max(0, end - start));
    let offset = 0;
    for (const piece of this.list) {
      const from = Math.max(start, offset), to = Math.min(end, offset + piece.end - piece.start);
      if (to > from) {
        result.set(contentBytes(piece.content, piece.start + from - offset, piece.start + to - offset), from - start);
      }
      offset += piece.end - piece.start;
    }
    return result;
  }

  get etag() {
    return createHash("md5").update(JSON.stringify(this.list)).digest("hex");
  }
}

/** A stream of a file to which a page writes, or one that cannot be emptied. */
export class TargetStream {
  #page;
  #bytes = [];

  constructor(page, canTruncate) {
    this.#page = page;
    if (canTruncate) this.truncate = () => {};
  }

  get bytes() { return Buffer.concat(this.#bytes); }

  getWriter() {
    const write = (chunk) => this.#page.later(() => {
      if (chunk.type === "truncate") this.#bytes = [];
      else if (chunk.type !== "seek") this.#bytes.push(chunk);
    });
    return { write, close: () => this.#page.later(() => {}), abort: async () => {} };
  }
}

/** Returns the classes `Blob` and `File` of a page. Reading is an event and fails if the file was changed. */
export function fileClasses(page) {
  class Blob {
    #pieces;
    #source;

    /** @param {Uint8Array[]|{pieces: Pieces, source: object}} parts bytes, as pages give, or a file's pieces. */
    constructor(parts = [], { type = "" } = {}) {
      this.#pieces = Array.isArray(parts) ? { bytes: () => Buffer.concat(parts) } : parts.pieces;
      this.#source = parts.source;
      this.size = Array.isArray(parts) ? parts.reduce((sum, part) => sum + part.length, 0) : parts.pieces.size;
      this.type = type;
    }

    get pieces() { return this.#pieces; }
    get isReadable() { return !this.#source?.isChanged; }

    slice(start, end = this.size) {
      const [{ content, start: first } = { content: 0, start: 0 }] = this.#pieces.list;
      const [from, to] = [start, end].map((offset) => first + Math.min(offset, this.size));
      return new Blob({ pieces: new Pieces([{ content, start: from, end: to }]), source: this.#source });
    }

    arrayBuffer() {
      page.reach("read");
      return page.later(() => {
        if (!this.isReadable) throw new DOMException("the file was changed", "NotReadableError");
        const bytes = this.#pieces.bytes();
        return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
      }, page.slowestDisk);
    }
  }

  class File extends Blob {
    /** @param {{name: string, size: number, content: number, lastModified: number}} source */
    constructor(source, options) {
      super({ pieces: new Pieces([{ content: source.content, start: 0, end: source.size }]), source }, options);
      this.name = source.name;
      this.lastModified = source.lastModified;
    }
  }
  return { Blob, File };
}
