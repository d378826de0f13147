import { messageType } from '@lobbystats/contracts';
import { handle, type Handler } from '@lobbystats/service-kit/bus';
import { z } from 'zod';

export const rushObserved = messageType({
  key: 'rush.observed',
  exchange: 'observations',
  summary: 'Many players came at once.',
  producer: 'collector',
  consumers: ['series-api'],
  data: z.strictObject({ titleId: z.string(), players: z.int() }),
  example: { titleId: '4d530064', players: 40 },
  tags: () => [],
});

export interface RushStore {
  putRush(titleId: string, players: number): Promise<void>;
}

export function rushHandler(store: RushStore): Handler {
  // Replaces the value: the same message ten times ends in the same state.
  return handle(rushObserved, ({ data }) => store.putRush(data.titleId, data.players));
}
