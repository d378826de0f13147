import { matchEnded, parseInstant, type Message } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { z } from 'zod';
import type { PeopleCatalog } from '../domain/people-catalog.ts';
import { inSteps, type OnObserved } from './in-steps.ts';

export function matchHandler(people: Pick<PeopleCatalog, 'endMatches'>, onObserved: OnObserved): Handler {
  const take = inSteps<Data>(
    ({ matches }) => matches.length,
    (messages, past) => people.endMatches(messages.map(endOf), past),
    onObserved,
  );
  return handleBatch(matchEnded, 32, take);
}

type Data = z.output<typeof matchEnded.data>;

function endOf({ occurredAt, data: { matches } }: Message<Data>) {
  return {
    at: parseInstant(occurredAt),
    matches: matches.map(({ host, endedAt }) => ({ host, endedAt: parseInstant(endedAt) })),
  };
}
