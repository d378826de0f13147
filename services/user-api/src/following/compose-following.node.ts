import { NOTIFICATION_RETENTION_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { Logger, Metrics } from '@lobbystats/service-kit';
import { createPortions, startPortions } from '@lobbystats/service-kit/concurrency';
import type { NameHash } from '../users/erased-users.ts';
import type { UserStore } from '../users/user-store.ts';
import type { FollowStore } from './follow-store.ts';
import { FollowTriggers } from './follow-triggers.ts';
import { Following } from './following.ts';
import { Notifier } from './notifier.ts';

/** Also finds what a killed replica left, and events that begin soon. */
const NOTIFY_INTERVAL_MS = 5000;
const RETENTION_INTERVAL_MS = 3_600_000;

interface FollowingOptions {
  readonly store: { readonly following: FollowStore; readonly users: UserStore };
  /** Returns the number of those removed. */
  readonly removeDeliveriesBefore: (time: EpochSeconds) => Promise<number>;
  readonly nameHash: NameHash;
  readonly createUser: (username: string) => Promise<void>;
  readonly publicUrl: string;
  readonly now: () => EpochSeconds;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  /** Called after each batch of notifications. */
  readonly onNotified: () => void;
}

/** Connects what users follow with what happens to it, and the loop that notifies them. */
export function composeFollowing(options: FollowingOptions) {
  const { store, removeDeliveriesBefore, nameHash, createUser, publicUrl, now, metrics, logger, stopping, onNotified } =
    options;
  const notificationCount = metrics.counter('notifications_total', 'Notifications made for followers');
  const notifier = new Notifier(store.following, now, onNotified);
  const notifying = createPortions({
    everyMs: NOTIFY_INTERVAL_MS,
    portion: async () => {
      await triggers.noticeEvents();
      notificationCount.inc(await notifier.notifyAll(() => stopping.aborted));
    },
    onFault: (error) => logger.warn('Notifications failed, retrying', { error }),
  });
  const triggers = new FollowTriggers({
    store: store.following,
    users: store.users,
    nameHash,
    now,
    onNews: notifying.wake,
  });
  return {
    following: new Following({ store: store.following, createUser, publicUrl, now }),
    triggers,
    components: [
      () =>
        startPortions({
          everyMs: RETENTION_INTERVAL_MS,
          portion: async () => {
            const hasMore = await notifier.removeOld();
            const deliveries = await removeDeliveriesBefore(now() - NOTIFICATION_RETENTION_SECONDS);
            return hasMore || deliveries > 0;
          },
          onFault: (error) => logger.warn('Removal of old notifications failed, retrying later', { error }),
        }),
      notifying.start,
    ],
  };
}
