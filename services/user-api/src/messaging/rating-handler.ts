import { parseInstant, ratingStored } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { PeopleCatalog } from '../domain/people-catalog.ts';
import { inSteps, type OnObserved } from './in-steps.ts';

/** Takes in that people have rated others. */
export function ratingHandler(people: Pick<PeopleCatalog, 'rated'>, onObserved: OnObserved): Handler {
  const take = inSteps<{ rater: { username: string; ratingsGiven: number } | null }>(
    () => 1,
    (messages, past) =>
      people.rated(
        messages.map(({ occurredAt, data: { rater } }) => ({ at: parseInstant(occurredAt), rater })),
        past,
      ),
    onObserved,
  );
  return handleBatch(ratingStored, 100, take);
}
