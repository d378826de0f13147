import { matchEnded, parseInstant, type Message } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { z } from 'zod';
import type { UserCatalog } from '../users/user-catalog.ts';
import { handleInBatches, type OnResult } from '../messages/handle-in-batches.consumer.ts';

export function matchHandler(catalog: Pick<UserCatalog, 'applyMatches'>, onObserved: OnResult): Handler {
  const take = handleInBatches<Data>(
    ({ matches }) => matches.length,
    (messages, past) => catalog.applyMatches(messages.map(toEndedMatches), past),
    onObserved,
  );
  return handleBatch(matchEnded, 32, take);
}

type Data = z.output<typeof matchEnded.data>;

function toEndedMatches({ occurredAt, data: { matches } }: Message<Data>) {
  return {
    at: parseInstant(occurredAt),
    matches: matches.map(({ host, endedAt }) => ({ host, endedAt: parseInstant(endedAt) })),
  };
}
