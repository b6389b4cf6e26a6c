/**
 * Runs seeds, or shows that mutations of presign.js are found. See Tests/simulate.sh.
 *
 * @module simulate
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { HISTORIES } from "./histories.mjs";
import { MEASUREMENTS } from "./losses.mjs";
import { MUTATIONS } from "./mutations.mjs";
import { mutate } from "./page.mjs";
import { run } from "./run.mjs";

/** The number of seeds in one process: node does not free the modules of pages before it ends. */
const CHUNK = 100;
/** The minutes within which a mutation must be found. */
const MUTATION_MINUTES = 10;

const { values } = parseArgs({
  options: {
    seed: { type: "string" }, without: { type: "string" }, seeds: { type: "string" }, minutes: { type: "string" },
    mutation: { type: "string" }, mutations: { type: "boolean" }, from: { type: "string" }, count: { type: "string" },
  },
});

if (values.mutation) mutate(MUTATIONS[Number(values.mutation)]);
if (values.count) process.exitCode = await runChunk(Number(values.from), Number(values.count));
else if (values.seed) process.exitCode = await replay(Number(values.seed));
else if (values.mutations) process.exitCode = findMutations();
else if (await measureLosses() !== 0 || await runHistories() !== 0) process.exitCode = 1;
else if (values.minutes) process.exitCode = search(Math.floor(Date.now() / 1000), Infinity, Number(values.minutes));
else process.exitCode = search(1, Number(values.seeds ?? 200), Infinity);

/** Prints what interruptions cost. Returns 1 if one costs more than it should. */
async function measureLosses() {
  let status = 0;
  for (const { name, least = 0, most = Infinity, measure } of MEASUREMENTS) {
    const found = await measure(), isRight = found >= least && found <= most;
    if (!isRight) status = 1;
    console.log(`${name}: ${found.toFixed(2)}${isRight ? "" : `, wanted ${least || ""} to ${most}`}`);
  }
  return status;
}

/** Runs the histories that have shown defects. Returns 1 after a violation. */
async function runHistories() {
  for (const { name, seed = 1, scenario } of HISTORIES) {
    const { violation, history } = await run(seed, [], scenario);
    if (!violation) continue;
    console.log(`${history.join("\n")}\n${name}: ${violation}`);
    return 1;
  }
  return 0;
}

/** Runs seeds in this process. Returns 1 after a violation. */
async function runChunk(from, count) {
  let events = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await run(seed);
    events += result.events;
    if (!result.violation) continue;
    console.log(`seed ${seed}: ${result.violation}`);
    return 1;
  }
  console.log(events);
  return 0;
}

/** Runs seeds in processes of their own until one fails. */
function search(first, count, minutes) {
  const start = Date.now();
  let next = first, events = 0;
  while (next < first + count && Date.now() - start < 60_000 * minutes) {
    const { status, output } = child(next, Math.min(CHUNK, first + count - next));
    if (status !== 0) {
      console.log(`${output}\nReplay it: Tests/simulate.sh browser --seed ${/^seed (\d+)/m.exec(output)?.[1]}`);
      return 1;
    }
    next += CHUNK;
    events += Number(output);
  }
  const last = Math.min(next, first + count) - 1, seconds = ((Date.now() - start) / 1000).toFixed(0);
  console.log(`presign.js: seeds ${first} to ${last} in ${seconds} s, ${events} events, no violation`);
  return 0;
}

function child(from, count, mutation) {
  const options = [`--from=${from}`, `--count=${count}`, ...(mutation === undefined ? [] : [`--mutation=${mutation}`])];
  const file = fileURLToPath(import.meta.url);
  const { status, stdout, stderr } = spawnSync(
    process.execPath, [...process.execArgv, file, ...options], { encoding: "utf8" });
  return { status, output: `${stdout}${stderr}`.trim() };
}

/** Prints the history of a seed. A failing one is shortened to the actions that it needs. */
async function replay(seed) {
  let without = (values.without ?? "").split(",").filter(Boolean).map(Number);
  let result = await run(seed, without);
  for (const { index } of result.violation ? result.actions : []) {
    const shorter = await run(seed, [...without, index]);
    if (kindOf(shorter) !== kindOf(result)) continue;
    without = [...without, index];
    result = shorter;
  }
  console.log(result.history.join("\n"));
  if (!result.violation) return 0;
  const options = without.length > 0 ? ` --without ${without}` : "";
  console.log(`Shortest history: Tests/simulate.sh browser --seed ${seed}${options}`);
  return 1;
}

/** Returns the violation without the names and numbers in it. */
function kindOf({ violation }) {
  return violation?.replaceAll(/\S*\d\S*/g, "");
}

/** Prints how many seeds and seconds each mutation needs. Returns 1 if one is not found. */
function findMutations() {
  let status = 0;
  console.log("| Mutation | Module | Seeds | Seconds | What the simulation says |\n|---|---|---|---|---|");
  MUTATIONS.forEach((mutation, index) => {
    const { name, file } = mutation;
    // A text that the module does not contain is an error here; a child's would count as nothing found.
    mutate(mutation);
    const start = Date.now();
    let found, next = 1;
    while (!found && Date.now() - start < 60_000 * MUTATION_MINUTES) {
      found = /^seed (\d+): (.*)/m.exec(child(next, CHUNK, index).output);
      next += CHUNK;
    }
    if (!found) status = 1;
    const [, seed = "-", message = "not found"] = found ?? [];
    console.log(`| ${name} | \`${file}\` | ${seed} | ${((Date.now() - start) / 1000).toFixed(0)} | ${message} |`);
  });
  return status;
}
