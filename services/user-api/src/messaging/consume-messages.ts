import type { MessageBus, Running } from '@lobbystats/message-bus';
import type { PeopleCatalog } from '../domain/people-catalog.ts';
import type { OnObserved } from './in-steps.ts';
import { matchHandler } from './match-handler.ts';
import { playHandler } from './play-handler.ts';
import { playersHandler } from './players-handler.ts';
import { rankHandler } from './rank-handler.ts';
import { ratingHandler } from './rating-handler.ts';

/**
 * `onObserved` runs after each step; a change means that facts wait in the outbox.
 *
 * @param onObserved told after each step: where something has changed, facts wait in the outbox
 */
export function consumeMessages(bus: MessageBus, people: PeopleCatalog, onObserved: OnObserved): Promise<Running> {
  const handlers = [playersHandler, playHandler, matchHandler, rankHandler, ratingHandler];
  return bus.consume({ queue: 'user-api', handlers: handlers.map((handler) => handler(people, onObserved)) });
}
