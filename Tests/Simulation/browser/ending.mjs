/**
 * What must hold at the end of a run.
 *
 * @module ending
 */

/** Checks that nothing waits that no event will ever end. */
export function checkSettled(world, { promises, transfers }) {
  for (const { page, name, isSettled } of promises) {
    const mayWait = page.isClosed || isPausedGroup(name, transfers, page);
    world.check(isSettled || mayWait, () => `${page.name}: ${name} hangs`);
  }
  for (const { page, name, transfer } of transfers) {
    const isWaiting = ["uploading", "offline", "pausing", "waiting"].includes(transfer.state);
    world.check(page.isClosed || !isWaiting, () => `${name} hangs: it is ${transfer.state}`);
  }
}

/** A group that has paused or repeated transfers has no result yet. */
const isPausedGroup = (name, transfers, page) => name === "the result of a group" &&
  transfers.some((one) => one.page === page && !one.transfer.isFinished);

/** Checks that no transfer needs to be resumed. */
export function checkFinished(world, { transfers }) {
  for (const { page, name, transfer } of transfers) {
    world.check(page.isClosed || transfer.isFinished, () => `${name} is ${transfer.state} at the end`);
    world.check(page.isClosed || !transfer.isResumable, () => `${name} still fails: ${transfer.error?.message}`);
  }
}

/** Checks that every version of every object is one whole file. */
export function checkObjects(world, { storage, contents }) {
  for (const { path, pieces } of storage.versions) {
    const isWhole = (contents.get(path) ?? []).some((content) => pieces.isWhole(content));
    world.check(isWhole, () => `the object at ${path} is not a file: ${JSON.stringify(pieces.list)}`);
  }
}

/**
 * Checks that neither the storage nor the database has something of an upload that has ended. A page that was closed
 * before it could record an upload, or has no database, may leave it.
 */
export function checkNothingRemains(world, { storage, database, observer, canRemoveAll, pagesWithoutRecords }) {
  if (!canRemoveAll || pagesWithoutRecords.length > 0) return;
  for (const id of storage.uploads.keys()) {
    const page = observer.creators.get(id);
    const isKnown = page && (database.recorded.has(id) || !page.mayLeave);
    world.check(!isKnown, () => `${id} remains at the storage`);
  }
  for (const [name, { size }] of database.stores) {
    world.check(size === 0, () => `${size} records remain in ${name}`);
  }
}
