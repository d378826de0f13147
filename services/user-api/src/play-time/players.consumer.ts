import { parseInstant, playersObserved } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { z } from 'zod';
import type { UserCatalog } from '../users/user-catalog.ts';
import { handleInBatches, type OnResult } from '../messages/handle-in-batches.consumer.ts';

export function playersHandler(catalog: Pick<UserCatalog, 'applyPresence'>, onObserved: OnResult): Handler {
  const take = handleInBatches<Data>(
    ({ players }) => players.length,
    (messages, past) =>
      catalog.applyPresence(
        messages.map(({ data }) => toPoll(data)),
        past,
      ),
    onObserved,
  );
  return handleBatch(playersObserved, 16, take);
}

type Data = z.output<typeof playersObserved.data>;

function toPoll({ seenAt, players }: Data) {
  return {
    at: parseInstant(seenAt),
    players: players.map((player) => ({ ...player, lastSeenAt: parseInstant(player.lastSeenAt) })),
  };
}
