import { parseInstant, ratingStored } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { PeopleCatalog } from '../domain/people-catalog.ts';
import type { Rater } from '../domain/take-ratings.ts';
import { inSteps, type OnObserved } from './in-steps.ts';

export function ratingHandler(people: Pick<PeopleCatalog, 'rated'>, onObserved: OnObserved): Handler {
  const take = inSteps<{ raters: readonly Rater[] }>(
    ({ raters }) => raters.length,
    (messages, past) =>
      people.rated(
        messages.map(({ occurredAt, data: { raters } }) => ({ at: parseInstant(occurredAt), raters })),
        past,
      ),
    onObserved,
  );
  return handleBatch(ratingStored, 100, take);
}
