import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import type { MongoOutbox, MongoStore } from '@lobbystats/mongo-store';
import type { LogRow, RestRow } from './board-rows.ts';
import { gathered, perform, rowsOf, type RowStep } from './row-steps.ts';

const deflated = promisify(deflateRaw);

/** The parts in which the rest of a commit is done, numbered downwards to 1. They are small: repeated words pack well. */
export async function restRows(steps: readonly RowStep[], rowsPerPart: number): Promise<RestRow[]> {
  // Counts go along with what they count: nobody is told of a total that isn't that of the log.
  const isCount = (step: RowStep) => 'collection' in step && step.collection === 'change_count';
  const parts = gathered(steps, rowsPerPart, (step) => rowsOf([step]), isCount);
  const packed: RestRow[] = [];
  for (const [index, part] of parts.entries()) {
    packed.push({ _id: parts.length - index, packed: await deflated(JSON.stringify(part), { level: 1 }) });
  }
  return packed;
}

/**
 * Does what is left of a commit that was too much for one transaction: part after part, each in one of its own, by whoever
 * comes first. Gives the log as it stands when nothing is left.
 */
export async function settle(store: MongoStore, outbox: MongoOutbox): Promise<LogRow | null> {
  const logs = store.collection<LogRow>('catalog');
  for (;;) {
    const log = await store.run(() => logs.findOne({ _id: 'boards' }));
    if (log?.rest === undefined) return log;
    await doPart(store, outbox, log.rest);
  }
}

async function doPart(store: MongoStore, outbox: MongoOutbox, number: number): Promise<void> {
  const logs = store.collection<LogRow>('catalog');
  const rests = store.collection<RestRow>('board_rest');
  const next =
    number === 1 ? { $unset: { rest: true as const }, $inc: { revision: 1 } } : { $inc: { rest: -1, revision: 1 } };
  await store.transaction(async (session, stillWanted) => {
    // Who is late finds another number, or is in the way of who was faster, and begins again.
    const { matchedCount } = await logs.updateOne({ _id: 'boards', rest: number }, next, { session });
    if (matchedCount === 0) return;
    const part = await rests.findOneAndDelete({ _id: number }, { session });
    if (part === null) throw new Error('The database was emptied under a running service');
    for (const step of JSON.parse(inflateRawSync(part.packed).toString()) as RowStep[]) {
      stillWanted();
      await perform(step, { store, outbox, session });
    }
  });
}
