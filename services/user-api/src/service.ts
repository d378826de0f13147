import { OutboxRelay } from '@lobbystats/message-bus';
import {
  composeService,
  createHealth,
  inTime,
  promptly,
  watchOutbox,
  type ComposedService,
  type Health,
} from '@lobbystats/service-kit';
import type { UserApiConfig } from './config.ts';
import { createContext, type UserApiOverrides } from './context.ts';
import { Achievements } from './domain/achievements.ts';
import { startDayRetention } from './domain/day-retention.ts';
import { leaveKeyMark } from './domain/key-mark.ts';
import { PeopleCatalog, type PeopleObserved } from './domain/people-catalog.ts';
import { startReEvaluation } from './domain/re-evaluation.ts';
import { ReadProfile } from './domain/read-profile.ts';
import { UpdateProfile } from './domain/update-profile.ts';
import { achievementRoutes } from './http/achievement-routes.ts';
import { profileRoutes, updateProfileRoute } from './http/profile-routes.ts';
import { consumeMessages } from './messaging/consume-messages.ts';

export { readUserApiConfig, type UserApiConfig } from './config.ts';
export { carriedPeople, peopleMigrations, peopleSchema, type UserApiOverrides } from './context.ts';
export { openUserModeration, type UserModeration, type UserModerationOptions } from './moderation.ts';

/** In milliseconds; then 503. */
const ANSWER_WITHIN_MS = 850;

export async function createUserApi(config: UserApiConfig, overrides: UserApiOverrides = {}): Promise<ComposedService> {
  const { NETWORK_ORIGIN: origin, NETWORK_PUBLIC_URL: networkUrl } = config;
  const context = await createContext(config, overrides);
  const { bus, store, sessions, definitions, discord, nameHash, clock, logger, metrics, checkAnswers, closers } =
    context;
  const now = () => Math.floor(clock() / 1000);

  const profileUpdates = metrics.counter('profile_updates_total', 'Writes of profiles that people have changed');
  const peopleChanges = metrics.counter('people_changes_total', 'People and players who came or are other than before');
  const playSlots = metrics.counter('play_slots_total', 'Slots of play time that people have earned');
  const refusedSlots = metrics.counter('refused_slots_total', 'Slots that were too old, or in the future');
  const unlockCount = metrics.counter('unlocks_total', 'Achievements that people have unlocked');
  const { outbox, onBacklog } = watchOutbox(metrics);
  const relay = new OutboxRelay({ outbox: store.outbox, bus, logger, onBacklog });

  const catalog = new PeopleCatalog({ store: store.users, definitions, nameHash, clock, origin });
  const onObserved = ({ changed, slots, unlocks, refused }: PeopleObserved) => {
    peopleChanges.inc(changed);
    playSlots.inc(slots);
    unlockCount.inc(unlocks);
    refusedSlots.inc(refused);
    if (changed > 0) relay.wake();
    if (refused > 0) logger.warn('Slots were refused: too old, or in the future', { slots: refused });
  };

  const achievements = new Achievements({ store: store.users, definitions, networkUrl });
  const people = new ReadProfile({
    profiles: store.profiles,
    newUnlocks: (userKey, at) => achievements.newUnlocks(userKey, at),
    now,
  });
  const updates = new UpdateProfile({
    store,
    discord,
    nameHash,
    clock,
    origin,
    promptly: promptly(ANSWER_WITHIN_MS),
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
      ...[...profileRoutes(people), ...achievementRoutes(achievements)].map((route) => inTime(route, ANSWER_WITHIN_MS)),
      updateProfileRoute(updates),
    ],
    checkAnswers,
    closers,
    startParts: async (started) => {
      if ((await leaveKeyMark(store, nameHash)) === 'other') {
        logger.warn(
          'FORGOTTEN_KEY is another than before: the feed will make people anew who were forgotten with that one',
        );
      }
      started(() => relay.stop());
      relay.wake();
      const evaluation = await startReEvaluation({
        store: store.users,
        definitions,
        clock,
        origin,
        onProgress: ({ state, ...counts }) =>
          logger.info('Everyone is evaluated by new definitions', { state, ...counts }),
        onUnlocks: (unlocks) => {
          unlockCount.inc(unlocks);
          relay.wake();
        },
        onFault: (error) => logger.warn('An evaluation by new definitions waits', { error }),
      });
      started(() => evaluation.stop());
      const retention = startDayRetention({
        store: store.users,
        clock,
        onFault: (error) => logger.warn('Days that are over wait to be removed', { error }),
      });
      started(() => retention.stop());
      const consumer = await consumeMessages(bus, catalog, onObserved);
      started(() => consumer.stop());
    },
  });
}
