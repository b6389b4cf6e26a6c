/**
 * Runs the tests of presign.js: `node tests/run.js` in a folder with presign.js prints the outcome as JSON, and a page
 * imports this module and calls `run()`.
 */
import { World } from "./world.js";

/** The timer itself, because tests shorten the delays of presign.js. */
const setRealTimeout = globalThis.setTimeout.bind(globalThis);
const MODULES = [
  "groups", "sizes", "shared", "shown", "signing", "downloads", "failures", "transfers", "pauses", "options", "openid",
  "signins", "workers", "browsers",
];

/** @returns {Promise<{count: number, failures: string[]}>} */
export async function run() {
  const failures = [];
  let count = 0;
  for (const name of MODULES) {
    const { tests } = await import(`./${name}.js`);
    for (const [title, test] of Object.entries(tests)) {
      count += 1;
      try {
        await inTime(test(new World()));
      } catch (error) {
        failures.push(`${title}: ${error?.name} ${error?.message} ${String(error?.stack).split("\n").slice(0, 3)}`);
      } finally {
        World.end();
      }
    }
  }
  return { count, failures };
}

async function inTime(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setRealTimeout(() => reject(new Error("no end in 2 minutes")), 120_000);
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

if (globalThis.process?.argv[1]?.endsWith("run.js")) {
  console.log(JSON.stringify(await run()));
  // Timers of abandoned uploads would keep the process.
  process.exit();
}
