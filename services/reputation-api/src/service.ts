import { setImmediate } from 'node:timers/promises';
import { OutboxRelay } from '@lobbystats/message-bus';
import {
  composeService,
  createHealth,
  inTime,
  watchOutbox,
  type ComposedService,
  type Health,
} from '@lobbystats/service-kit';
import type { ReputationApiConfig } from './config.ts';
import { createContext, type ReputationApiOverrides } from './context.ts';
import { KnownPeople } from './domain/known-people.ts';
import type { RatingOutcome } from './domain/rate-profiles.ts';
import { Ratings } from './domain/ratings.ts';
import { reputationRoutes } from './http/reputation-routes.ts';
import { gathered } from './messaging/gathered.ts';
import { personHandlers } from './messaging/person-handlers.ts';

export { readReputationApiConfig, type ReputationApiConfig } from './config.ts';
export { carriedReputation, reputationMigrations, reputationSchema, type ReputationApiOverrides } from './context.ts';
export type { ModerationOutcome } from './domain/moderation.ts';
export {
  openReputationModeration,
  type ReputationModeration,
  type ReputationModerationOptions,
} from './open-moderation.ts';

/** Consumers need one commit for each fact, however many ratings it covers. */
const RELAY_EVERY_MS = 250;
/** In milliseconds; then 503. */
const ANSWER_WITHIN_MS = 850;

export async function createReputationApi(
  config: ReputationApiConfig,
  overrides: ReputationApiOverrides = {},
): Promise<ComposedService> {
  const { NETWORK_ORIGIN: origin } = config;
  const context = await createContext(config, overrides);
  const { bus, store, sessions, clock, logger, metrics, checkAnswers, closers } = context;

  const rated = metrics.counter('ratings_total', 'Ratings that were taken');
  const refused = metrics.counter('ratings_refused_total', 'Ratings that were refused: own, of unknown people, barred');
  const commits = metrics.counter('rating_commits_total', 'Commits of ratings, each of all that waited');
  const { outbox, onBacklog } = watchOutbox(metrics);
  const relay = new OutboxRelay({ outbox: store.outbox, bus, logger, onBacklog });
  const relayRatings = gathered(RELAY_EVERY_MS, () => relay.wake());
  const onRated = (outcomes: readonly RatingOutcome[]) => {
    const refusals = outcomes.filter((outcome) => 'refused' in outcome).length;
    commits.inc();
    refused.inc(refusals);
    rated.inc(outcomes.length - refusals);
    if (refusals < outcomes.length) relayRatings();
  };

  const desk = { store, clock, origin, pause: () => setImmediate() };
  const people = new KnownPeople(desk);
  const ratings = new Ratings({
    ...desk,
    elapsedMs: () => performance.now(),
    answerWithinMs: ANSWER_WITHIN_MS,
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
    routes: reputationRoutes(ratings).map((route) => inTime(route, ANSWER_WITHIN_MS)),
    sessions,
    checkAnswers,
    closers,
    startParts: async (started) => {
      started(() => relay.stop());
      relay.wake();
      const handlers = personHandlers(people, () => relay.wake());
      const consumer = await bus.consume({ queue: 'reputation-api', handlers });
      started(() => consumer.stop());
    },
  });
}
