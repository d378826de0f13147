import type { Logger, Metrics } from '@lobbystats/service-kit';
import type { Definitions } from '../definitions/definitions.ts';
import { startReEvaluation } from './re-evaluation.ts';
import { checkErasureKey, type EraseUserOptions } from '../erasure/erase-user.ts';
import type { NameHash } from '../users/erased-users.ts';
import { startDayRetention } from '../play-time/day-retention.ts';
import { UserCatalog, type ObservationResult } from './user-catalog.ts';
import { startUserRetirement } from './user-retirement.ts';

interface UsersOptions {
  readonly store: EraseUserOptions['store'];
  readonly definitions: Definitions;
  readonly nameHash: NameHash;
  readonly clock: () => number;
  readonly origin: string;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Called when facts wait in the outbox. */
  readonly onChanged: () => void;
}

/** Connects the users whom messages tell of, with what runs beside them and the metrics. */
export function composeUsers(options: UsersOptions) {
  const { store, definitions, nameHash, clock, origin, metrics, logger, onChanged } = options;
  const changes = metrics.counter('user_changes_total', 'Users and players that are new or changed');
  const playSlots = metrics.counter('play_slots_total', 'Slots of play time credited to users');
  const refusedSlots = metrics.counter(
    'rejected_slots_total',
    'Slots refused because they are too old, in the future or withdrawn',
  );
  const refusedUsers = metrics.counter(
    'users_refused_total',
    'New users of the feed, and new hosts of matches, that there were too many of, each time they came',
  );
  const unlocks = metrics.counter('unlocks_total', 'Achievements unlocked by users');
  const onFault = (message: string) => (error: unknown) => logger.warn(message, { error });
  const catalog = new UserCatalog({ store: store.users, definitions, nameHash, clock, origin });
  return {
    catalog,
    onObserved: (observed: ObservationResult) => {
      changes.inc(observed.changed);
      playSlots.inc(observed.slots);
      unlocks.inc(observed.unlocks);
      refusedSlots.inc(observed.refused);
      refusedUsers.inc(observed.refusedUsers);
      if (observed.changed > 0) onChanged();
      if (observed.refused > 0)
        logger.warn('Slots refused: too old, in the future or withdrawn', { slots: observed.refused });
      if (observed.refusedUsers > 0)
        logger.error('New users or hosts refused: there are too many of them', { users: observed.refusedUsers });
    },
    components: [
      async () => {
        if ((await checkErasureKey(store, nameHash)) === 'other') {
          logger.warn('ERASURE_KEY changed: users erased with the old key will be re-imported');
        }
        return startReEvaluation({
          store: store.users,
          definitions,
          clock,
          origin,
          onProgress: ({ state, ...counts }) => logger.info('Re-evaluation of all users', { state, ...counts }),
          onUnlocks: (count) => {
            unlocks.inc(count);
            onChanged();
          },
          onFault: onFault('Re-evaluation step failed, retrying'),
        });
      },
      () =>
        startDayRetention({
          store: store.users,
          clock,
          onFault: onFault('Removal of expired days failed, retrying later'),
        }),
      () =>
        startUserRetirement({
          catalog,
          clock,
          onFault: onFault('Retirement of unseen users failed, retrying later'),
        }),
    ],
  };
}
