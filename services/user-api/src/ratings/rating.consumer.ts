import { parseInstant, ratingStored } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { UserCatalog } from '../users/user-catalog.ts';
import type { Rater } from './plan-ratings.ts';
import { handleInBatches, type OnResult } from '../messages/handle-in-batches.consumer.ts';

export function ratingHandler(catalog: Pick<UserCatalog, 'applyRatings'>, onObserved: OnResult): Handler {
  const take = handleInBatches<{ raters: readonly Rater[] }>(
    ({ raters }) => raters.length,
    (messages, past) =>
      catalog.applyRatings(
        messages.map(({ occurredAt, data: { raters } }) => ({ at: parseInstant(occurredAt), raters })),
        past,
      ),
    onObserved,
  );
  return handleBatch(ratingStored, 100, take);
}
