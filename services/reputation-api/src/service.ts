import { throttle } from '@lobbystats/concurrency';
import { setImmediate } from 'node:timers/promises';
import { OutboxRelay } from '@lobbystats/message-bus';
import {
  composeService,
  createHealth,
  routeTimeout,
  outboxMetrics,
  type ComposedService,
  type Health,
} from '@lobbystats/service-kit';
import type { ReputationApiConfig } from './config.ts';
import { createContext, type ReputationApiOverrides } from './context.ts';
import { RatedUsers } from './domain/rated-users.ts';
import type { RatingOutcome } from './domain/rate-profiles.ts';
import { Ratings } from './domain/ratings.ts';
import { reputationRoutes } from './http/reputation-routes.ts';
import { userHandlers } from './messaging/user-handlers.ts';

export { readReputationApiConfig, type ReputationApiConfig } from './config.ts';
export { exportReputation, reputationMigrations, reputationSchema, type ReputationApiOverrides } from './context.ts';
export type { ModerationOutcome } from './domain/moderation.ts';
export {
  openReputationModeration,
  type ReputationModeration,
  type ReputationModerationOptions,
} from './open-moderation.ts';

/** Limits the number of facts, since consumers make one commit for each, regardless of its size. */
const RELAY_INTERVAL_MS = 250;
/** The response is 503 after this time. */
const RESPONSE_TIMEOUT_MS = 850;

export async function createReputationApi(
  config: ReputationApiConfig,
  overrides: ReputationApiOverrides = {},
): Promise<ComposedService> {
  const { NETWORK_ORIGIN: origin } = config;
  const context = await createContext(config, overrides);
  const { bus, store, sessions, clock, logger, metrics, checkAnswers: validateResponses, disposers } = context;

  const rated = metrics.counter('ratings_total', 'Ratings that were stored');
  const refused = metrics.counter(
    'ratings_rejected_total',
    'Ratings that were rejected: own profile, unknown user, barred rater',
  );
  const commits = metrics.counter('rating_commits_total', 'Group commits of ratings');
  const { outbox, onBacklog } = outboxMetrics(metrics);
  const relay = new OutboxRelay({ outbox: store.outbox, bus, logger, onBacklog });
  const relayRatings = throttle(RELAY_INTERVAL_MS, () => relay.wake());
  const onRated = (outcomes: readonly RatingOutcome[]) => {
    const refusals = outcomes.filter((outcome) => 'refused' in outcome).length;
    commits.inc();
    refused.inc(refusals);
    rated.inc(outcomes.length - refusals);
    if (refusals < outcomes.length) relayRatings();
  };

  const deps = { store, clock, origin, pause: () => setImmediate() };
  const users = new RatedUsers(deps);
  const ratings = new Ratings({
    ...deps,
    elapsedMs: () => performance.now(),
    timeoutMs: RESPONSE_TIMEOUT_MS,
    onRated,
  });

  const health: Health = createHealth({
    service: 'reputation-api',
    details: { network: { origin, simulated: origin === 'simulated' }, outbox },
  });
  health.dependency('store', () => store.check());
  health.dependency('bus', () => bus.check());

  return composeService({
    name: 'reputation-api',
    config,
    logger,
    metrics,
    health,
    routes: reputationRoutes(ratings).map((route) => routeTimeout(route, RESPONSE_TIMEOUT_MS)),
    sessions,
    validateResponses,
    disposers,
    startComponents: async (started) => {
      started(() => relay.stop());
      relay.wake();
      const handlers = userHandlers(users, () => relay.wake());
      const consumer = await bus.consume({ queue: 'reputation-api', handlers });
      started(() => consumer.stop());
    },
  });
}
