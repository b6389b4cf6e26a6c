/**
 * What users and administrators do during a run.
 *
 * @module scenario
 */

const MIB = 1024 ** 2;

/** Sizes of files, and rules with which they have few parts. */
const SCALES = [
  { sizes: [0, 1, 999, 1000, 1001, 3500, 6500], partSize: 1000, wantsParts: 0.8 },
  { sizes: [1000, 262_144, 262_145, 300_000], partSize: 100_000, wantsParts: 0.4 },
  { sizes: [5 * MIB + 1, 12 * MIB, 17 * MIB, 40 * MIB, 130 * MIB], wantsParts: 0.3, isLarge: true },
  // The bytes in flight reach their limit.
  { sizes: [7 * MIB, 110 * MIB, 160 * MIB, 210 * MIB, 300 * MIB], partSize: 100 * MIB, wantsParts: 0.2, isLarge: true },
];

/** How databases fail. */
const DATABASES = [{ openFails: 0.5 }, { openHangs: 0.5 }, { fails: 0.2 }, { hangs: 0.1 }];

/** The kinds of actions, and how likely each is compared with the others. */
const KINDS = {
  upload: 6, uploadAll: 4, add: 1, pause: 3, resume: 3, pauseBriefly: 3, cancel: 3, pauseGroup: 2, resumeGroup: 1.5,
  cancelGroup: 0.5, abort: 0.5, close: 1, open: 2, reload: 4, goOffline: 1, goOnline: 1.5, sleep: 0.7, moveClock: 0.5,
  changeRule: 1, rotate: 1, replace: 1, loseUpload: 0.5, losePart: 0.5, changeFile: 0.7, changeVersion: 0.3,
  changeWeather: 3, download: 3,
};

/** The kinds that are most likely to find defects at a moment. */
const INTERRUPTIONS = ["pause", "pauseBriefly", "cancel", "pauseGroup", "pauseGroup", "cancelGroup", "reload"];

/** The moments at which actions happen. */
const MOMENTS = [
  "lock", "read", "readonly transaction", "readwrite transaction", "sign received", "create received", "part sent",
  "part received", "part failed", "complete performed", "complete received", "complete failed", "put sent",
  "put performed", "put received", "put failed", "abort sent", "abort performed", "list received", "get received",
];

/**
 * Returns everything that is decided before a run. A list of actions can be shortened without changing the others.
 *
 * @param {import("./random.mjs").Random} random
 */
export function newScenario(random) {
  const scale = random.pick(SCALES);
  const calmAt = random.duration(2000, 900_000);
  const isStormy = random.chance(0.85);
  const listed = random.chance(0.15) ? 4 : 1000;
  return {
    scale, calmAt, isStormy, listed, hasLocks: random.chance(0.93), hasETags: listed < 1000 || random.chance(0.85),
    rule: newRule(random, scale), slowest: random.duration(20, 5000),
    database: random.chance(0.2) ? random.pick(DATABASES) : {}, slowestDisk: random.duration(5, 500),
    checksConditionFirst: random.chance(0.3),
    files: random.pick([2, 4, 5]), actions: newActions(random, calmAt),
  };
}

export function newRule(random, { partSize, isLarge }) {
  const multipart = isLarge || random.chance(0.95);
  return {
    single: random.chance(0.95), multipart, get: random.chance(0.85), overwrite: isLarge || random.chance(0.85),
    partSize: random.chance(0.7) ? partSize : undefined, checksum: !isLarge && random.chance(0.15),
    expiresIn: Math.round(random.duration(60, 3600)),
  };
}

function newActions(random, calmAt) {
  // With a few kinds only, one happens often enough to meet itself.
  const share = random.pick([0.3, 0.6, 1]);
  const kinds = Object.entries(KINDS).filter(([kind]) => kind === "upload" || random.chance(share));
  const actions = Array.from({ length: Math.round(random.duration(2, 40)) }, () => {
    const time = newTime(random, calmAt);
    const kind = time.moment && random.chance(0.4) ? random.pick(INTERRUPTIONS) : pickKind(random, kinds);
    return { ...time, kind, which: random.below(1000), seed: random.below(2 ** 31) };
  });
  return [
    { at: 0, kind: "open", which: 0, seed: random.below(2 ** 31) },
    ...Array.from({ length: random.integer(1, 3) }, (_, index) => (
      { at: 1 + index, kind: random.pick(["upload", "uploadAll"]), which: 0, seed: random.below(2 ** 31) })),
    ...Array.from({ length: random.pick([0, 0, 3]) }, () => (
      { moment: "event", count: random.integer(3, 100), kind: "download", which: 0, seed: random.below(2 ** 31) })),
    ...actions,
  ];
}

/** Returns when an action happens: at a time, after a number of events, or at a moment. */
function newTime(random, calmAt) {
  const choice = random.next();
  if (choice < 0.3) return { at: random.duration(1, calmAt) };
  if (choice < 0.45) return { moment: "event", count: random.integer(3, 150) };
  if (choice < 0.6) return { moment: "event", count: Math.round(random.duration(3, 300)) };
  return { moment: random.pick(MOMENTS), count: random.pick([1, 1, 1, 2, 2, 3, 5, 8]) };
}

function pickKind(random, kinds) {
  const sum = kinds.reduce((total, [, weight]) => total + weight, 0);
  let left = random.next() * sum;
  for (const [kind, weight] of kinds) {
    left -= weight;
    if (left < 0) return kind;
  }
  return "upload";
}

/** Returns the probabilities of what can go wrong in the network. */
export function newWeather(random, fates) {
  const bad = random.pick([0.03, 0.1, 0.3, 0.6]);
  const kinds = fates.filter(() => random.chance(0.5));
  return Object.fromEntries(kinds.map((fate) => [fate, bad / kinds.length]));
}

/** Returns the files of a run. Their sizes differ, so that an object tells which one it is. */
export function newFiles(random, { scale, files }) {
  const sizes = [...scale.sizes];
  return Array.from({ length: Math.min(files, sizes.length) }, (_, index) => {
    const [size] = sizes.splice(random.below(sizes.length), 1);
    return { name: `file${index}.bin`, content: index, size, lastModified: 1000 + index, isChanged: false };
  });
}

/** Returns the options of an upload. */
export function newOptions(random, { scale }) {
  const options = {};
  if (!scale.isLarge && random.chance(0.25)) options.overwrite = false;
  if (random.chance(scale.wantsParts)) options.multipart = true;
  else if (random.chance(scale.isLarge ? 0.6 : 0.1)) options.multipart = false;
  if (!scale.isLarge && random.chance(0.1)) options.checksum = true;
  if (random.chance(0.4)) options.concurrency = random.pick([1, 1, 2, 3, 5]);
  if (random.chance(0.2)) options.timeout = random.integer(5, 40);
  return options;
}
