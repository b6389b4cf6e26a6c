/** Downloads to a stream or a file. */
import { Presign } from "../presign.js";
import { expect, failure } from "./expect.js";

const PIECE = 1 << 16;

/** A stream that counts, and how it ended. */
function counter({ delay = 0 } = {}) {
  const seen = { bytes: 0, sum: 0, end: undefined, reason: undefined };
  const stream = new WritableStream({
    async write(piece) {
      if (delay > 0) await new Promise((resolve) => { setTimeout(resolve, delay); });
      seen.bytes += piece.length;
      seen.sum += piece[0];
    },
    close() { seen.end = "closed"; },
    abort(reason) { Object.assign(seen, { end: "aborted", reason }); },
  });
  return { seen, stream };
}

/** Makes the storage send pieces, of which a call can fail. Returns how far the storage is ahead of the reader. */
function sendPieces(world, count, { failAt, failRestAfter, restPiece = PIECE, etag = () => '"one"' } = {}) {
  const state = { requests: [], pulled: 0 };
  const { fetch } = globalThis;
  globalThis.fetch = async (url, options) => {
    if (!String(url).startsWith(world.storage)) return fetch(url, options);
    const range = options.headers.range, isFirst = state.requests.length === 0, isSecond = state.requests.length === 1;
    state.requests.push(range ?? "all");
    const start = range ? Number(/\d+/.exec(range)[0]) : 0;
    const status = range && etag(1) === etag(0) ? 206 : 200;
    let offset = status === 206 ? start : 0;
    const body = new ReadableStream({
      pull(controller) {
        if (isFirst && failAt !== undefined && offset >= failAt * PIECE) return controller.error(new TypeError("cut"));
        if (isSecond && offset >= start + failRestAfter) return controller.error(new TypeError("cut"));
        if (offset >= count * PIECE) return controller.close();
        // Pieces begin where the request says, and end at multiples of the size. A rest begins with small ones.
        const size = status === 206 && offset < start + 256 ? restPiece : PIECE;
        const end = Math.min(count * PIECE, (Math.floor(offset / size) + 1) * size);
        const piece = new Uint8Array(end - offset).map((_, index) => ((offset + index) >> 16) % 251);
        offset = end;
        state.pulled = offset;
        controller.enqueue(piece);
      },
    }, { highWaterMark: 0 });
    return new Response(body, { status, headers: { etag: etag(isFirst ? 0 : 1) } });
  };
  return state;
}

const client = ({ service }) => new Presign({ endpoint: service });

export const tests = {
  async "a download to a stream waits for the stream and keeps nothing in memory"(world) {
    const state = sendPieces(world, 40), { seen, stream } = counter({ delay: 1 });
    let ahead = 0;
    const onProgress = ({ loaded }) => { ahead = Math.max(ahead, state.pulled - loaded); };
    expect(await client(world).download("a", { to: stream, onProgress }) ?? "nothing", "nothing");
    expect([seen.bytes, seen.end], [40 * PIECE, "closed"]);
    expect(ahead <= 2 * PIECE, true, `${ahead} bytes ahead:`);
  },

  async "without a target, a download is a Blob"(world) {
    sendPieces(world, 3);
    expect((await client(world).download("a")).size, 3 * PIECE);
  },

  async "an interrupted download to a stream continues"(world) {
    world.hurry(100);
    const state = sendPieces(world, 10, { failAt: 4 }), { seen, stream } = counter();
    await client(world).download("a", { to: stream });
    expect(state.requests, ["all", `bytes=${4 * PIECE - 64}-`]);
    expect([seen.bytes, seen.sum, seen.end], [10 * PIECE, 45, "closed"]);
  },

  async "a rest continues a download also in pieces that are shorter than the bytes that are compared"(world) {
    world.hurry(100);
    for (const restPiece of [1, 7, 63, 64, 65]) {
      const state = sendPieces(world, 2, { failAt: 1, restPiece }), { seen, stream } = counter();
      await client(world).download("a", { to: stream });
      expect(state.requests, ["all", `bytes=${PIECE - 64}-`], `${restPiece}:`);
      expect([seen.bytes, seen.end], [2 * PIECE, "closed"], `${restPiece}:`);
    }
  },

  async "a rest that is cut among the bytes that are compared is requested again"(world) {
    world.hurry(100);
    const options = { failAt: 1, restPiece: 7, failRestAfter: 20 };
    const state = sendPieces(world, 2, options), { seen, stream } = counter();
    await client(world).download("a", { to: stream });
    expect(state.requests, ["all", `bytes=${PIECE - 64}-`, `bytes=${PIECE - 64}-`]);
    expect([seen.bytes, seen.end], [2 * PIECE, "closed"]);
  },

  async "a stream that has the beginning of another object is aborted"(world) {
    world.hurry(100);
    sendPieces(world, 10, { failAt: 4, etag: (index) => `"${index}"` });
    const { seen, stream } = counter();
    const error = await failure(client(world).download("a", { to: stream }));
    expect([error.code, seen.end, seen.reason === error], ["ObjectChanged", "aborted", true]);
  },

  async "a file that has the beginning of another object is emptied"(world) {
    world.hurry(100);
    sendPieces(world, 10, { failAt: 4, etag: (index) => `"${index}"` });
    let content = [];
    const commands = [];
    const handle = {
      async createWritable() {
        const stream = new WritableStream({
          write(piece) {
            if (piece.type) commands.push([piece.type, piece.size ?? piece.position]);
            if (piece.type === "truncate") content = [];
            if (!piece.type) content.push(piece);
          },
          close() { commands.push(["close"]); },
        });
        return Object.assign(stream, { truncate() {} });
      },
    };
    await client(world).download("a", { to: handle });
    expect(content.length, 10);
    expect(commands, [["truncate", 0], ["seek", 0], ["close"]]);
  },

  async "a stream that fails ends the download with its error"(world) {
    const state = sendPieces(world, 100);
    const stream = new WritableStream({ write() { throw new RangeError("the disk is full"); } });
    const error = await failure(client(world).download("a", { to: stream }));
    expect([error.message, state.requests.length], ["the disk is full", 1]);
  },

  async "a signal ends a download whose stream does not take the content"(world) {
    sendPieces(world, 100);
    const controller = new AbortController();
    const stream = new WritableStream({ write: () => new Promise(() => {}) });
    setTimeout(() => controller.abort(), 30);
    const error = await failure(client(world).download("a", { to: stream, signal: controller.signal }));
    expect(error.name, "AbortError");
  },
};
