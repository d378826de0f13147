import type { Withdrawal } from '@lobbystats/contracts';
import type { runDescribe as describeRun } from './run-describe.node.ts';
import type { runTry as tryRun } from './run-try.ts';

export { exportBackfills } from './backfills/backfill-store.sqlite.ts';
export { migrations as collectorMigrations } from './collector-store.sqlite.ts';
export { collectorSchema } from './store/collector-schema.mongo.ts';

/** Proposes how pages of a network may be described. Loads the collector when called. */
export const runDescribe: typeof describeRun = async (...values) =>
  (await import('./run-describe.node.ts')).runDescribe(...values);

/** Prints what each source of a network yields. Loads the collector when called. */
export const runTry: typeof tryRun = async (...values) => (await import('./run-try.ts')).runTry(...values);

/**
 * Opens the collectors' store beside them, for titles and withdrawals. Close it after use.
 *
 * @throws StartupError, AppError `unavailable` when it can't be opened
 */
export async function openCollected(url: string, origin: string) {
  const { openStore } = await import('./context.ts');
  const store = await openStore({ DATABASE_URL: url, NETWORK_ORIGIN: origin });
  return {
    /** IDs of the titles that were admitted since an instant, in seconds. */
    since: async (instant: number) =>
      [...(await store.titles.all())].flatMap(([titleId, { since }]) => ((since ?? 0) >= instant ? [titleId] : [])),
    /** The leading collector publishes it within seconds, or when one starts. */
    withdraw: (withdrawal: Withdrawal) => store.withdrawals.add(withdrawal),
    close: () => store.close(),
  };
}
