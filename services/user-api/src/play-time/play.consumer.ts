import { parseInstant, playObserved, type Message } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { z } from 'zod';
import type { UserCatalog } from '../users/user-catalog.ts';
import { handleInBatches, type OnResult } from '../messages/handle-in-batches.consumer.ts';

export function playHandler(catalog: Pick<UserCatalog, 'applyPlayTime'>, onObserved: OnResult): Handler {
  const take = handleInBatches<Data>(
    ({ players }) => players.length,
    (messages, past) => catalog.applyPlayTime(messages.map(toPlay), past),
    onObserved,
  );
  return handleBatch(playObserved, 16, take);
}

type Data = z.output<typeof playObserved.data>;

function toPlay({ occurredAt, data: { players } }: Message<Data>) {
  return {
    at: parseInstant(occurredAt),
    players: players.map((player) => ({ ...player, spans: player.spans.map(toSpan) })),
  };
}

function toSpan({ titleId, from, to }: Data['players'][number]['spans'][number]) {
  return { titleId, from: parseInstant(from), to: parseInstant(to) };
}
