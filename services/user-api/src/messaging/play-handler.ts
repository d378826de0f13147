import { parseInstant, playObserved, type Message } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { z } from 'zod';
import type { PeopleCatalog } from '../domain/people-catalog.ts';
import { inSteps, type OnObserved } from './in-steps.ts';

export function playHandler(people: Pick<PeopleCatalog, 'observePlay'>, onObserved: OnObserved): Handler {
  const take = inSteps<Data>(
    ({ players }) => players.length,
    (messages, past) => people.observePlay(messages.map(playOf), past),
    onObserved,
  );
  return handleBatch(playObserved, 16, take);
}

type Data = z.output<typeof playObserved.data>;

function playOf({ occurredAt, data: { players } }: Message<Data>) {
  return {
    at: parseInstant(occurredAt),
    players: players.map((player) => ({ ...player, spans: player.spans.map(spanOf) })),
  };
}

function spanOf({ titleId, from, to }: Data['players'][number]['spans'][number]) {
  return { titleId, from: parseInstant(from), to: parseInstant(to) };
}
