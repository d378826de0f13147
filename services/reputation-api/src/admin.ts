import { setImmediate } from 'node:timers/promises';
import { openReputationStore } from './open-store.ts';
import { Moderation } from './moderation/moderation.ts';

export { exportReputation } from './ratings/ratings.queries.ts';
export { reputationSchema } from './database/reputation-schema.mongo.ts';
export { reputationMigrations } from './database/reputation-migrations.sqlite.ts';

interface ReputationModerationOptions {
  url: string;
  origin: string;
  clock: () => number;
}

/** Long enough to find a gap between the commits of a busy service. */
const LOCK_TIMEOUT_MS = 5000;

/**
 * Opens the store beside running services, which publish the facts within seconds. Commands are idempotent.
 *
 * @throws StartupError when the store can't be opened as it is
 * @throws AppError `unavailable` when the store is unavailable
 */
export async function openReputationModeration(options: ReputationModerationOptions) {
  const { url, origin, clock } = options;
  const store = await openReputationStore(url, origin, LOCK_TIMEOUT_MS);
  const moderation = new Moderation({ store, clock, origin, pause: () => setImmediate() });
  return {
    hide: (rater: string, profile: string) => moderation.hide(rater, profile),
    show: (rater: string, profile: string) => moderation.show(rater, profile),
    bar: (rater: string) => moderation.bar(rater),
    unbar: (rater: string) => moderation.unbar(rater),
    dismiss: (rater: string, profile: string, shown?: string) => moderation.dismiss(rater, profile, shown),
    reports: () => moderation.reports(),
    close: () => store.close(),
  };
}
