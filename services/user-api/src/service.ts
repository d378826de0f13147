import { AsyncLocalStorage } from 'node:async_hooks';
import { startPortions, withTimeout } from '@lobbystats/service-kit/concurrency';
import { NOTIFICATION_RETENTION_SECONDS } from '@lobbystats/contracts';
import { createServiceRelay, defineService, openServiceBus, routeTimeout } from '@lobbystats/service-kit';
import { createSessionPresence, createSessionVerifier } from '@lobbystats/service-kit/session';
import { accountRoutes, eraseAccountRoute, ownPresenceRoute } from './account/account.routes.ts';
import { oneWriteAtATime } from './account/account-writes.routes.ts';
import { keyedErasureConfirmation } from './account/erasure-confirmation.node.ts';
import { channelRoutes } from './channels/channels.routes.ts';
import { composeDelivery } from './channels/compose-delivery.node.ts';
import { outboundOf } from './channels/endpoints.http.ts';
import { readUserApiConfig } from './config.ts';
import { readDefinitionsFile } from './achievements/definitions.node.ts';
import { keyedNameHash } from './erasure/name-hash.node.ts';
import { openUserDatabase } from './open-store.ts';
import { discordApi } from './profiles/discord.http.ts';
import { limitLookUps } from './profiles/limited-discord.ts';
import { Achievements } from './achievements/achievements.ts';
import { startDayRetention } from './play-time/day-retention.ts';
import { OwnPresence } from './play-time/own-presence.ts';
import { FollowTriggers } from './following/follow-triggers.ts';
import { Following } from './following/following.ts';
import { followingRoutes } from './following/following.routes.ts';
import { Notifier } from './following/notifier.ts';
import { checkErasureKey } from './erasure/erase-user.ts';
import { UserCatalog, type ObservationResult } from './users/user-catalog.ts';
import { startUserRetirement } from './users/user-retirement.ts';
import { startReEvaluation } from './achievements/re-evaluation.ts';
import { ProfileReader } from './profiles/profile-reader.ts';
import { ProfileUpdater } from './profiles/profile-updater.ts';
import { achievementRoutes } from './achievements/achievement.routes.ts';
import { profileRoutes, updateProfileRoute } from './profiles/profile.routes.ts';
import { playerRoutes } from './players/player.routes.ts';
import { consumeMessages } from './messages/messages.bus.ts';
import { startBackgroundLoop, type BackgroundLoop } from './channels/background-loop.ts';

export { userApiSettings as settings } from './config.ts';

/** The response is 503 after this time. */
const RESPONSE_TIMEOUT_MS = 850;
/** Also finds what a killed replica left, and events that begin soon. */
const NOTIFY_INTERVAL_MS = 5000;
const NOTIFICATION_RETENTION_INTERVAL_MS = 3_600_000;

export const userApi = defineService({
  name: 'user-api',
  readConfig: readUserApiConfig,
  parts: {
    sessions: ({ config, clock, logger, metrics }) =>
      createSessionVerifier({ authUrl: config.AUTH_URL, clock, logger, metrics }),
    sessionPresence: ({ config, metrics }) => createSessionPresence({ authUrl: config.AUTH_URL, metrics }),
    definitions: ({ config }) => readDefinitionsFile(config.ACHIEVEMENTS_FILE),
    store: ({ config }) => openUserDatabase(config.DATABASE_URL, config.NETWORK_ORIGIN),
    bus: openServiceBus('user-api'),
    outbound: ({ config }) => outboundOf(config.CHANNEL_HOSTS),
  },
  compose: ({
    config,
    bus,
    store,
    sessions,
    sessionPresence,
    definitions,
    outbound,
    clock,
    now,
    logger,
    metrics,
    stopping,
  }) => {
    const { NETWORK_ORIGIN: origin, NETWORK_PUBLIC_URL: networkUrl } = config;
    const profileUpdates = metrics.counter('profile_updates_total', 'Profile updates that were written');
    const userChanges = metrics.counter('user_changes_total', 'Users and players that are new or changed');
    const playSlots = metrics.counter('play_slots_total', 'Slots of play time credited to users');
    const refusedSlots = metrics.counter(
      'rejected_slots_total',
      'Slots refused because they are too old, in the future or withdrawn',
    );
    const refusedUserCount = metrics.counter(
      'users_refused_total',
      'New users of the feed, and new hosts of matches, that there were too many of, each time they came',
    );
    const unlockCount = metrics.counter('unlocks_total', 'Achievements unlocked by users');
    const lookups = metrics.counter('discord_lookups_total', 'Discord look-ups by outcome', ['outcome']);
    const relay = createServiceRelay(store.outbox, { bus, logger, metrics });
    const nameHash = keyedNameHash(config.ERASURE_KEY);
    const discord = limitLookUps(
      discordApi({
        url: config.DISCORD_API_URL,
        token: config.DISCORD_BOT_TOKEN,
        onLookup: (outcome) => lookups.inc({ outcome }),
      }),
      () => performance.now(),
    );

    const catalog = new UserCatalog({ store: store.users, definitions, nameHash, clock, origin });
    const onObserved = ({ changed, slots, unlocks, refused, refusedUsers }: ObservationResult) => {
      userChanges.inc(changed);
      playSlots.inc(slots);
      unlockCount.inc(unlocks);
      refusedSlots.inc(refused);
      refusedUserCount.inc(refusedUsers);
      if (changed > 0) relay.wake();
      if (refused > 0) logger.warn('Slots refused: too old, in the future or withdrawn', { slots: refused });
      if (refusedUsers > 0)
        logger.error('New users or hosts refused: there are too many of them', { users: refusedUsers });
    };

    const achievements = new Achievements({ store: store.users, definitions, networkUrl });
    const profiles = new ProfileReader({
      profiles: store.profiles,
      users: store.users,
      nameHash,
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

    const confirmation = keyedErasureConfirmation(config.ERASURE_KEY);
    const account = { store, nameHash, confirmation, clock, origin, now, onErased: relay.wake };

    const startEvaluation = async () => {
      if ((await checkErasureKey(store, nameHash)) === 'other') {
        logger.warn('ERASURE_KEY changed: users erased with the old key will be re-imported');
      }
      return startReEvaluation({
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
    };
    const startRetention = () =>
      startDayRetention({
        store: store.users,
        clock,
        onFault: (error) => logger.warn('Removal of expired days failed, retrying later', { error }),
      });

    const startRetirement = () =>
      startUserRetirement({
        catalog,
        clock,
        onFault: (error) => logger.warn('Retirement of unseen users failed, retrying later', { error }),
      });

    const following = new Following({
      store: store.following,
      createUser: (username) => updates.create(username),
      publicUrl: config.PUBLIC_URL,
      now,
    });
    // Work of the background runs outside of the context of the message or request that wakes it.
    const runDetached = AsyncLocalStorage.snapshot();
    const notificationCount = metrics.counter('notifications_total', 'Notifications made for followers');
    let delivering: BackgroundLoop | undefined;
    const deliver = () => runDetached(() => delivering?.wake());
    const notifier = new Notifier(store.following, now, deliver);
    let notifying: BackgroundLoop | undefined;
    const triggers = new FollowTriggers({
      store: store.following,
      users: store.users,
      nameHash,
      now,
      onNews: () => runDetached(() => notifying?.wake()),
    });
    const presence = new OwnPresence({ profiles: store.profiles, catalog, triggers, now, onObserved });
    const startNotifying = () => {
      notifying = startBackgroundLoop({
        everyMs: NOTIFY_INTERVAL_MS,
        work: async () => {
          await triggers.noticeEvents();
          notificationCount.inc(await notifier.notifyAll(() => stopping.aborted));
        },
        onFault: (error) => logger.warn('Notifications failed, retrying', { error }),
      });
      return notifying;
    };
    const startNotificationRetention = () =>
      startPortions({
        everyMs: NOTIFICATION_RETENTION_INTERVAL_MS,
        portion: async () => {
          const hasMore = await notifier.removeOld();
          const deliveries = await store.channels.removeDeliveriesBefore(now() - NOTIFICATION_RETENTION_SECONDS);
          return hasMore || deliveries > 0;
        },
        onFault: (error) => logger.warn('Removal of old notifications failed, retrying later', { error }),
      });

    const delivery = composeDelivery({
      ...{ config, store, outbound, metrics, logger, now, wake: deliver },
      createUser: (username) => updates.create(username),
    });

    const quickRoutes = oneWriteAtATime([
      ...profileRoutes(profiles),
      ...achievementRoutes(achievements),
      ...accountRoutes(profiles, updates, following, account, delivery.channels),
      ...playerRoutes(store.users),
      ...followingRoutes(following),
      ...channelRoutes(delivery.channels, delivery.feeds),
    ]);
    const slowRoutes = [
      updateProfileRoute(updates),
      ownPresenceRoute(presence, updates, sessionPresence),
      eraseAccountRoute(account),
    ];
    return {
      sessions,
      routes: [...quickRoutes.map((route) => routeTimeout(route, RESPONSE_TIMEOUT_MS)), ...slowRoutes],
      relay,
      components: [
        startEvaluation,
        startRetention,
        startRetirement,
        startNotificationRetention,
        () => {
          const { loop, stop } = delivery.start();
          delivering = loop;
          return { stop };
        },
        delivery.startBacklog,
        startNotifying,
        () => consumeMessages(bus, { catalog, triggers, onObserved }),
      ],
    };
  },
});
