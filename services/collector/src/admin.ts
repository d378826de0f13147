import type { runReplay as run } from './run-command.ts';

export { exportBackfills } from './backfills/backfill-store.sqlite.ts';
export { migrations as collectorMigrations } from './database/collector-store.sqlite.ts';
export { collectorSchema } from './database/collector-schema.mongo.ts';

/** Publishes saved pages. Loads the collector when called, since other commands need its schema alone. */
export const runReplay: typeof run = async (context, source) =>
  (await import('./run-command.ts')).runReplay(context, source);
