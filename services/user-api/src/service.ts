import { createServiceRelay, defineService, openServiceBus, routeTimeout } from '@lobbystats/service-kit';
import { createSessionPresence, createSessionVerifier } from '@lobbystats/service-kit/session';
import { accountRoutes, eraseAccountRoute, oneWriteAtATime, ownPresenceRoute } from './account/account.routes.ts';
import { achievementRoutes } from './achievements/achievement.routes.ts';
import { Achievements } from './achievements/achievements.ts';
import { readDefinitionsFile } from './definitions/definitions.node.ts';
import { composeDelivery } from './channels/compose-delivery.node.ts';
import { outboundOf } from './channels/endpoints.http.ts';
import { readUserApiConfig } from './config.ts';
import { keyedErasureConfirmation, keyedNameHash } from './users/keyed-hashes.node.ts';
import { composeFollowing } from './following/compose-following.node.ts';
import { followingRoutes } from './following/following.routes.ts';
import { consumeMessages } from './messages/messages.bus.ts';
import { openUserDatabase } from './open-store.ts';
import { OwnPresence } from './account/own-presence.ts';
import { playerRoutes } from './users/player.routes.ts';
import { composeUpdates } from './profiles/compose-updates.node.ts';
import { ProfileReader } from './profiles/profile-reader.ts';
import { profileRoutes, updateProfileRoute } from './profiles/profile.routes.ts';
import { composeUsers } from './observations/compose-users.node.ts';

export { userApiSettings as settings } from './config.ts';

/** The response is 503 after this time. */
const RESPONSE_TIMEOUT_MS = 850;

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
  compose: (parts) => {
    const { config, bus, store, definitions, sessions, clock, now, logger, metrics } = parts;
    const { NETWORK_ORIGIN: origin, PUBLIC_URL: publicUrl, DISCORD_API_URL: discordUrl } = config;
    const relay = createServiceRelay(store.outbox, { bus, logger, metrics });
    const nameHash = keyedNameHash(config.ERASURE_KEY);

    const { catalog, onObserved, ...users } = composeUsers({
      store,
      definitions,
      nameHash,
      clock,
      origin,
      metrics,
      logger,
      onChanged: relay.wake,
    });
    const achievements = new Achievements({ store: store.users, definitions, networkUrl: config.NETWORK_PUBLIC_URL });
    const profiles = new ProfileReader({
      profiles: store.profiles,
      users: store.users,
      nameHash,
      newUnlocks: (userKey, at) => achievements.newUnlocks(userKey, at),
      now,
    });
    const updates = composeUpdates({
      store,
      discordUrl,
      discordToken: config.DISCORD_BOT_TOKEN,
      timeoutMs: RESPONSE_TIMEOUT_MS,
      nameHash,
      clock,
      origin,
      metrics,
      onUpdated: relay.wake,
    });
    const createUser = (username: string) => updates.create(username);
    const delivery = composeDelivery({
      store,
      key: config.ERASURE_KEY,
      discordUrl,
      publicUrl,
      outbound: parts.outbound,
      createUser,
      metrics,
      logger,
      now,
    });
    const { following, triggers, ...notifying } = composeFollowing({
      store,
      removeDeliveriesBefore: (time) => store.channels.removeDeliveriesBefore(time),
      nameHash,
      createUser,
      publicUrl,
      now,
      metrics,
      logger,
      stopping: parts.stopping,
      onNotified: delivery.wake,
    });
    const presence = new OwnPresence({ profiles: store.profiles, catalog, triggers, now, onObserved });
    const confirmation = keyedErasureConfirmation(config.ERASURE_KEY);
    const account = { store, nameHash, confirmation, clock, origin, now, onErased: relay.wake };

    const quickRoutes = oneWriteAtATime([
      ...profileRoutes(profiles),
      ...achievementRoutes(achievements),
      ...accountRoutes(profiles, updates, following, account, delivery.channels),
      ...playerRoutes(store.users),
      ...followingRoutes(following),
      ...delivery.routes,
    ]);
    const slowRoutes = [
      updateProfileRoute(updates),
      ownPresenceRoute(presence, updates, parts.sessionPresence),
      eraseAccountRoute(account),
    ];
    return {
      sessions,
      routes: [...quickRoutes.map((route) => routeTimeout(route, RESPONSE_TIMEOUT_MS)), ...slowRoutes],
      relay,
      components: [
        ...users.components,
        ...delivery.components,
        ...notifying.components,
        () => consumeMessages(bus, { catalog, triggers, onObserved }),
      ],
    };
  },
});
