import type { MessageBus, Subscription } from '@lobbystats/message-bus';
import type { UserCatalog } from '../domain/user-catalog.ts';
import type { OnResult } from './handle-in-batches.ts';
import { matchHandler } from './match-handler.ts';
import { playHandler } from './play-handler.ts';
import { playersHandler } from './players-handler.ts';
import { rankHandler } from './rank-handler.ts';
import { ratingHandler } from './rating-handler.ts';

/** `onObserved` runs after each batch; after a change, facts wait in the outbox. */
export function consumeMessages(bus: MessageBus, catalog: UserCatalog, onObserved: OnResult): Promise<Subscription> {
  const handlers = [playersHandler, playHandler, matchHandler, rankHandler, ratingHandler];
  return bus.consume({ queue: 'user-api', handlers: handlers.map((handler) => handler(catalog, onObserved)) });
}
