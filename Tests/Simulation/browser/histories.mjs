/**
 * The shortest histories in which the simulation has found defects of presign.js. Every search begins with them.
 *
 * @module histories
 */

const RULE = { single: true, multipart: true, get: true, overwrite: true, checksum: false, expiresIn: 600 };
const CALM = {
  scale: { sizes: [1000], wantsParts: 0 }, calmAt: 1000, isStormy: false, listed: 1000, hasLocks: true, hasETags: true,
  tellsPermissions: true, rule: RULE, slowest: 100, database: {}, files: 1,
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
];
