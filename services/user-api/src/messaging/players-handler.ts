import { parseInstant, playersObserved } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { z } from 'zod';
import type { PeopleCatalog } from '../domain/people-catalog.ts';
import { inSteps, type OnObserved } from './in-steps.ts';

export function playersHandler(people: Pick<PeopleCatalog, 'observePlayers'>, onObserved: OnObserved): Handler {
  const take = inSteps<Data>(
    ({ players }) => players.length,
    (messages, past) =>
      people.observePlayers(
        messages.map(({ data }) => lookOf(data)),
        past,
      ),
    onObserved,
  );
  return handleBatch(playersObserved, 16, take);
}

type Data = z.output<typeof playersObserved.data>;

function lookOf({ seenAt, players }: Data) {
  return {
    at: parseInstant(seenAt),
    players: players.map((player) => ({ ...player, lastSeenAt: parseInstant(player.lastSeenAt) })),
  };
}
