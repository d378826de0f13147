import type { MessageBus, Subscription } from '@lobbystats/message-bus';
import type { UserCatalog } from '../users/user-catalog.ts';
import type { OnResult } from './handle-in-batches.consumer.ts';
import { matchHandler } from '../players/match.consumer.ts';
import { playHandler } from '../play-time/play.consumer.ts';
import { playersHandler } from '../play-time/players.consumer.ts';
import { rankHandler } from '../players/rank.consumer.ts';
import { ratingHandler } from '../ratings/rating.consumer.ts';

/** `onObserved` runs after each batch; after a change, facts wait in the outbox. */
export function consumeMessages(bus: MessageBus, catalog: UserCatalog, onObserved: OnResult): Promise<Subscription> {
  const handlers = [playersHandler, playHandler, matchHandler, rankHandler, ratingHandler];
  return bus.consume({ queue: 'user-api', handlers: handlers.map((handler) => handler(catalog, onObserved)) });
}
