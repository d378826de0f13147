import { setImmediate } from 'node:timers/promises';
import {
  baseSettings,
  createServiceRelay,
  defineService,
  openServiceBus,
  readConfig,
  routeTimeout,
  setting,
  type Env,
} from '@lobbystats/service-kit';
import { createSessionVerifier } from '@lobbystats/service-kit/session';
import { z } from 'zod';
import { openReputationStore } from './open-store.ts';
import { OwnRatings } from './ratings/own-ratings.ts';
import { RatedUsers } from './ratings/rated-users.ts';
import { createRatingQueue } from './ratings/rate-profiles.ts';
import { reputationRoutes } from './ratings/reputation.routes.ts';
import { mergeRatings } from './ratings/merge-ratings.ts';
import { userHandlers } from './ratings/user-handlers.bus.ts';

/** Printed in .env.example. */
export const settings = z.object({
  ...baseSettings(8084),
  DATABASE_URL: setting.store({ protocols: ['mongodb', 'mongodb+srv'], default: 'sqlite:./data/reputation.sqlite' }),
  AUTH_URL: setting.url({ protocols: ['http:', 'https:'], default: 'http://127.0.0.1:8090' }),
});

/** At most one event a second for each profile, however often it is rated: readers of the stream get all of them. */
const RELAY_INTERVAL_MS = 1000;
/** The response is 503 after this time. */
const RESPONSE_TIMEOUT_MS = 850;

export const reputationApi = defineService({
  name: 'reputation-api',
  readConfig: (env: Env) => readConfig(settings, env),
  parts: {
    sessions: ({ config, clock, logger, metrics }) =>
      createSessionVerifier({ authUrl: config.AUTH_URL, clock, logger, metrics }),
    store: ({ config }) => openReputationStore(config.DATABASE_URL, config.NETWORK_ORIGIN),
    bus: openServiceBus('reputation-api'),
  },
  compose: ({ config, bus, store, sessions, clock, logger, metrics }) => {
    const relay = createServiceRelay(store.outbox, {
      ...{ bus, logger, metrics, merge: mergeRatings, intervalMs: RELAY_INTERVAL_MS },
    });
    const counts = {
      commits: metrics.counter('rating_commits_total', 'Group commits of ratings'),
      rated: metrics.counter('ratings_total', 'Ratings that were stored'),
      refused: metrics.counter(
        'ratings_rejected_total',
        'Ratings that were rejected: own profile, unknown user, barred rater',
      ),
    };
    const deps = { store, clock, origin: config.NETWORK_ORIGIN, pause: () => setImmediate() };
    const users = new RatedUsers(deps);
    const ratings = createRatingQueue({ ...deps, timeoutMs: RESPONSE_TIMEOUT_MS, counts, onRated: relay.wake });
    const own = new OwnRatings({ ...deps, timeoutMs: RESPONSE_TIMEOUT_MS, onChanged: relay.wake });
    return {
      routes: reputationRoutes(store, ratings, own).map((route) => routeTimeout(route, RESPONSE_TIMEOUT_MS)),
      sessions,
      relay,
      components: [() => bus.consume({ queue: 'reputation-api', handlers: userHandlers(users, relay.wakeNow) })],
    };
  },
});
