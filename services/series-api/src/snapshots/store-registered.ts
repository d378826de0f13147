import { type EpochSeconds, parseInstant, type registeredObserved } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { retainedDailies } from './retention.ts';
import { validateCount } from './snapshots.ts';
import { CLOCK_TOLERANCE_SECONDS } from './store-slots.ts';
import type { SeriesWriter } from '../database/series-store.ts';

export type RegisteredObservation = ReturnType<typeof registeredObserved.data.parse>;

/**
 * Days beyond the retention are skipped. Future days are invalid.
 *
 * @throws AppError `invalid` when a day or the time of its reading lies in the future, or a count is above the
 * maximum; then nothing is stored
 */
export async function storeRegistered(
  store: Pick<SeriesWriter, 'putRegistered'>,
  { days }: RegisteredObservation,
  now: EpochSeconds,
): Promise<void> {
  const counts = days.map(({ date, registered, seenAt }) => ({
    day: parseInstant(date),
    registered: validateCount(registered),
    seenAt: parseInstant(seenAt),
  }));
  for (const { day, seenAt } of counts) {
    if (Math.max(day, seenAt) > now + CLOCK_TOLERANCE_SECONDS) {
      throw new AppError('invalid', 'Registered users of a day in the future');
    }
  }
  await store.putRegistered(counts.filter(({ day }) => day > retainedDailies(now).after));
}
