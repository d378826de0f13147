import { parseInstant, playerRanked, type Message } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { z } from 'zod';
import type { PeopleCatalog } from '../domain/people-catalog.ts';
import { inSteps, type OnObserved } from './in-steps.ts';

export function rankHandler(people: Pick<PeopleCatalog, 'rank'>, onObserved: OnObserved): Handler {
  const take = inSteps<Data>(
    ({ ranks }) => ranks.length,
    (messages, past) => people.rank(messages.map(ranksOf), past),
    onObserved,
  );
  return handleBatch(playerRanked, 32, take);
}

type Data = z.output<typeof playerRanked.data>;

function ranksOf({ occurredAt, data: { revision, ranks } }: Message<Data>) {
  return { at: parseInstant(occurredAt), revision, ranks };
}
