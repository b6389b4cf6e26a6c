/**
 * The shortest histories in which the simulation has found defects of presign.js. Every search begins with them.
 *
 * @module histories
 */

const RULE = { single: true, multipart: true, get: true, overwrite: true, checksum: false, expiresIn: 600 };
const CALM = {
  scale: { sizes: [1000], wantsParts: 0 }, calmAt: 1000, isStormy: false, listed: 1000, hasLocks: true, hasETags: true,
  rule: RULE, slowest: 100, database: {}, slowestDisk: 50,
  checksConditionFirst: false, files: 1,
};

export const HISTORIES = [
  {
    name: "A small file is paused and resumed before the URLs are requested",
    scenario: {
      ...CALM,
      actions: [
        { at: 0, kind: "open", which: 0, seed: 1 }, { at: 1, kind: "uploadAll", which: 0, seed: 1 },
        { at: 1, kind: "pauseBriefly", which: 0, seed: 1 },
      ],
    },
  },
  {
    name: "An upload in parts is paused and resumed while its record is removed",
    scenario: {
      ...CALM, scale: { sizes: [3500], wantsParts: 1 }, rule: { ...RULE, partSize: 1000 }, calmAt: 60_000,
      actions: [
        { at: 0, kind: "open", which: 0, seed: 1 }, { at: 1, kind: "upload", which: 0, seed: 1 },
        { moment: "complete received", count: 1, kind: "pauseBriefly", which: 1, seed: 1 },
      ],
    },
  },
  {
    name: "The response to a completion is lost, and the page may not read the object",
    seed: 10,
    scenario: {
      ...CALM, scale: { sizes: [3500], wantsParts: 1 }, isStormy: true, calmAt: 600_000, checksConditionFirst: true,
      rule: { ...RULE, partSize: 1000, get: false, overwrite: false },
      actions: [{ at: 0, kind: "open", which: 0, seed: 1 }, { at: 1, kind: "upload", which: 0, seed: 1 }],
    },
  },
  {
    name: "A file is uploaded again while the page aborts its upload of last week",
    scenario: {
      ...CALM, scale: { sizes: [3500], wantsParts: 1 }, rule: { ...RULE, partSize: 1000 }, calmAt: 60_000,
      actions: [
        { at: 0, kind: "open", which: 0, seed: 1 }, { at: 1, kind: "upload", which: 0, seed: 1 },
        { moment: "part received", count: 2, kind: "close", which: 0, seed: 1 },
        { at: 5000, kind: "sleep", which: 0, seed: 2 }, { at: 5001, kind: "open", which: 0, seed: 5 },
        { at: 5002, kind: "upload", which: 0, seed: 1 },
      ],
    },
  },
  {
    name: "An upload that fails for good is paused and resumed while it is aborted",
    seed: 10,
    scenario: {
      ...CALM, scale: { sizes: [3500], wantsParts: 1 }, isStormy: true, calmAt: 600_000,
      rule: { ...RULE, partSize: 1000, get: false },
      actions: [
        { at: 0, kind: "open", which: 0, seed: 1 }, { at: 1, kind: "upload", which: 0, seed: 1 },
        { moment: "abort sent", count: 1, kind: "pauseBriefly", which: 1, seed: 1 },
      ],
    },
  },
  {
    name: "A rule begins to forbid overwriting while a small file is sent, paused and resumed",
    scenario: {
      ...CALM, calmAt: 60_000,
      actions: [
        { at: 0, kind: "open", which: 0, seed: 1 }, { at: 1, kind: "upload", which: 0, seed: 2 },
        { moment: "put performed", count: 1, kind: "pauseBriefly", which: 1, seed: 1 },
        { moment: "put performed", count: 1, kind: "changeRule", which: 0, seed: 13 },
      ],
    },
  },
];
