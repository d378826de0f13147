import { messageType } from '@lobbystats/contracts';
import { handle, type MessageBus } from '@lobbystats/message-bus';
import { z } from 'zod';

export const rushObserved = messageType({
  key: 'rush.observed',
  version: 1,
  exchange: 'observations',
  summary: 'Many players came at once.',
  producer: 'collector',
  consumers: ['series-api'],
  data: z.strictObject({ titleId: z.string(), players: z.int() }),
  example: { titleId: '4d530064', players: 40 },
  tags: () => [],
});

export const consumeRushes = (bus: MessageBus, store: Map<string, number>) =>
  bus.consume({
    queue: 'series-api',
    handlers: [
      handle(rushObserved, async ({ data }) => {
        // The same message ten times ends in the same state.
        await Promise.resolve(store.set(data.titleId, data.players));
      }),
    ],
  });
