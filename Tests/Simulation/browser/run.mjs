/**
 * One run: a seed decides everything that happens.
 *
 * @module run
 */
import { Database } from "./database.mjs";
import { Locks } from "./locks.mjs";
import { Network } from "./network.mjs";
import { Observer } from "./observer.mjs";
import { Random } from "./random.mjs";
import { newFiles, newScenario } from "./scenario.mjs";
import { Service } from "./service.mjs";
import { Storage } from "./storage.mjs";
import { Users } from "./users.mjs";
import { Violation, World } from "./world.mjs";

/** How often users resume a transfer that fails although nothing goes wrong any more. */
const ROUNDS = 5;

/**
 * Runs a seed.
 *
 * @param {number} seed
 * @param {number[]} [without] the indexes of actions to leave out.
 * @param {object} [given] the scenario, instead of one that the seed determines.
 * @returns {Promise<{violation?: string, history: string[], actions: object[], events: number}>}
 */
export async function run(seed, without = [], given = undefined) {
  const random = new Random(seed), scenario = { ...(given ?? newScenario(random.fork())) };
  scenario.actions = scenario.actions.map((action, index) => ({ ...action, index }))
    .filter(({ index }) => !without.includes(index));
  const world = new World();
  const result = { history: world.history, actions: scenario.actions };
  const unhandled = (error) => world.fail(`unhandled: ${error?.stack ?? error}`);
  process.on("unhandledRejection", unhandled).on("uncaughtException", unhandled);
  try {
    await simulate(world, random, scenario);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    result.violation = error.message;
  } finally {
    process.off("unhandledRejection", unhandled).off("uncaughtException", unhandled);
  }
  return { ...result, events: world.count("event") };
}

async function simulate(world, random, scenario) {
  const service = new Service(world, scenario.rule);
  const observer = new Observer(world, { isListedFully: scenario.listed === 1000 });
  const storage = new Storage(world, service, scenario);
  const network = new Network(world, random.fork(), { service, storage, observer });
  network.slowest = scenario.slowest;
  const database = new Database(world, random.fork(), scenario.slowestDisk);
  Object.assign(database.weather, scenario.database);
  observer.watch(storage, database);
  const locks = scenario.hasLocks ? new Locks(world, random.fork()) : undefined;
  const files = newFiles(random.fork(), scenario);
  const users = new Users(world, random.fork(), {
    scenario, service, observer, storage, network, database, locks, files,
  });
  users.addObjects(random.fork());
  users.changeWeather(random.fork());
  await perform(world, users, scenario);
  await calm(world, users);
  await visitAgain(world, users);
  users.checkEnd();
  await world.run();
}

/** Performs the actions: some at a time, without that of sleeping, and some at a moment, if it comes. */
async function perform(world, users, { actions, calmAt }) {
  const timed = actions.filter(({ at }) => at !== undefined).sort((a, b) => a.at - b.at);
  const waiting = actions.filter(({ moment }) => moment !== undefined);
  const isDue = ({ moment, count }) => world.count(moment) >= count;
  for (;;) {
    await world.run((timed[0]?.at ?? calmAt) + world.slept, () => waiting.some(isDue));
    const due = waiting.findIndex(isDue);
    if (due >= 0) await users.act(...waiting.splice(due, 1));
    else if (timed.length > 0) await users.act(timed.shift());
    else return;
  }
}

/** From here on nothing goes wrong, so every transfer ends if the users resume it. */
async function calm(world, users) {
  world.note("--- nothing goes wrong from here on");
  users.calm();
  // Transfers of one file to one path wait for each other.
  const rounds = ROUNDS + users.transfers.length;
  for (let round = 0; round < rounds && (round === 0 || users.hasResumable); round += 1) {
    users.resumeAll();
    await world.run();
    users.checkSettled();
  }
  users.addLargeFiles();
  await world.run();
  users.checkSettled();
  users.checkFinished();
}

/** Later visits of the page finish or remove what the earlier ones have left. */
async function visitAgain(world, users) {
  for (const isLast of [false, true]) {
    world.note("--- a later visit");
    await users.visit(isLast);
    await world.run();
    users.checkSettled();
    users.closeAll();
  }
}
