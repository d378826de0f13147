import { parseInstant, playerRanked, type Message } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { z } from 'zod';
import type { UserCatalog } from '../users/user-catalog.ts';
import { handleInBatches, type OnResult } from '../messages/handle-in-batches.consumer.ts';

export function rankHandler(catalog: Pick<UserCatalog, 'applyRanks'>, onObserved: OnResult): Handler {
  const take = handleInBatches<Data>(
    ({ ranks }) => ranks.length,
    (messages, past) => catalog.applyRanks(messages.map(toRanks), past),
    onObserved,
  );
  return handleBatch(playerRanked, 32, take);
}

type Data = z.output<typeof playerRanked.data>;

function toRanks({ occurredAt, data: { revision, ranks } }: Message<Data>) {
  return { at: parseInstant(occurredAt), revision, ranks };
}
