import { withTimeout } from '@lobbystats/concurrency';
import { OutboxRelay } from '@lobbystats/message-bus';
import {
  composeService,
  createHealth,
  routeTimeout,
  outboxMetrics,
  type ComposedService,
  type Health,
} from '@lobbystats/service-kit';
import type { UserApiConfig } from './config.ts';
import { createContext, type UserApiOverrides } from './context.ts';
import { Achievements } from './achievements/achievements.ts';
import { startDayRetention } from './play-time/day-retention.ts';
import { checkErasureKey } from './erasure/erase-user.ts';
import { UserCatalog, type ObservationResult } from './users/user-catalog.ts';
import { startReEvaluation } from './achievements/re-evaluation.ts';
import { ProfileReader } from './profiles/profile-reader.ts';
import { ProfileUpdater } from './profiles/profile-updater.ts';
import { achievementRoutes } from './achievements/achievement.routes.ts';
import { profileRoutes, updateProfileRoute } from './profiles/profile.routes.ts';
import { consumeMessages } from './messages/messages.consumer.ts';

export { readUserApiConfig, type UserApiConfig } from './config.ts';
export { exportUsers, userMigrations, userSchema, type UserApiOverrides } from './context.ts';
export { openUserModeration, type UserModeration, type UserModerationOptions } from './moderation.ts';

/** The response is 503 after this time. */
const RESPONSE_TIMEOUT_MS = 850;

export async function createUserApi(config: UserApiConfig, overrides: UserApiOverrides = {}): Promise<ComposedService> {
  const { NETWORK_ORIGIN: origin, NETWORK_PUBLIC_URL: networkUrl } = config;
  const context = await createContext(config, overrides);
  const {
    bus,
    store,
    sessions,
    definitions,
    discord,
    nameHash,
    clock,
    logger,
    metrics,
    checkAnswers: validateResponses,
    disposers,
  } = context;
  const now = () => Math.floor(clock() / 1000);

  const profileUpdates = metrics.counter('profile_updates_total', 'Profile updates that were written');
  const userChanges = metrics.counter('user_changes_total', 'Users and players that are new or changed');
  const playSlots = metrics.counter('play_slots_total', 'Slots of play time credited to users');
  const refusedSlots = metrics.counter(
    'rejected_slots_total',
    'Slots refused because they are too old or in the future',
  );
  const unlockCount = metrics.counter('unlocks_total', 'Achievements unlocked by users');
  const { outbox, onBacklog } = outboxMetrics(metrics);
  const relay = new OutboxRelay({ outbox: store.outbox, bus, logger, onBacklog });

  const catalog = new UserCatalog({ store: store.users, definitions, nameHash, clock, origin });
  const onObserved = ({ changed, slots, unlocks, refused }: ObservationResult) => {
    userChanges.inc(changed);
    playSlots.inc(slots);
    unlockCount.inc(unlocks);
    refusedSlots.inc(refused);
    if (changed > 0) relay.wake();
    if (refused > 0) logger.warn('Slots refused: too old or in the future', { slots: refused });
  };

  const achievements = new Achievements({ store: store.users, definitions, networkUrl });
  const profiles = new ProfileReader({
    profiles: store.profiles,
    newUnlocks: (userKey, at) => achievements.newUnlocks(userKey, at),
    now,
  });
  const updates = new ProfileUpdater({
    store,
    discord,
    nameHash,
    clock,
    origin,
    withTimeout: withTimeout(RESPONSE_TIMEOUT_MS),
    onUpdated: () => {
      profileUpdates.inc();
      relay.wake();
    },
  });

  const health: Health = createHealth({
    service: 'user-api',
    details: { network: { origin, simulated: origin === 'simulated' }, outbox },
  });
  health.dependency('store', () => store.check());
  health.dependency('bus', () => bus.check());

  return composeService({
    name: 'user-api',
    config,
    logger,
    metrics,
    health,
    sessions,
    routes: [
      ...[...profileRoutes(profiles), ...achievementRoutes(achievements)].map((route) =>
        routeTimeout(route, RESPONSE_TIMEOUT_MS),
      ),
      updateProfileRoute(updates),
    ],
    validateResponses,
    disposers,
    startComponents: async (started) => {
      if ((await checkErasureKey(store, nameHash)) === 'other') {
        logger.warn('ERASURE_KEY changed: users erased with the old key will be re-imported');
      }
      started(() => relay.stop());
      relay.wake();
      const evaluation = await startReEvaluation({
        store: store.users,
        definitions,
        clock,
        origin,
        onProgress: ({ state, ...counts }) => logger.info('Re-evaluation of all users', { state, ...counts }),
        onUnlocks: (unlocks) => {
          unlockCount.inc(unlocks);
          relay.wake();
        },
        onFault: (error) => logger.warn('Re-evaluation step failed, retrying', { error }),
      });
      started(() => evaluation.stop());
      const retention = startDayRetention({
        store: store.users,
        clock,
        onFault: (error) => logger.warn('Removal of expired days failed, retrying later', { error }),
      });
      started(() => retention.stop());
      const consumer = await consumeMessages(bus, catalog, onObserved);
      started(() => consumer.stop());
    },
  });
}
