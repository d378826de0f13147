import { DAY_SECONDS } from '@lobbystats/contracts';
import { dayOf, type Period } from './periods.ts';
import type { SeriesReader, TitlePeak } from './series-store.ts';

/** By title. Reads whole days from the daily statistics, and snapshots before and after them. */
export async function titleTotals(
  store: Pick<SeriesReader, 'titlePeaks' | 'titleDayPeaks'>,
  { after, until }: Period,
): Promise<Map<string, TitlePeak>> {
  const firstDay = dayOf(after) + DAY_SECONDS;
  const lastDayEnd = dayOf(until + 1);
  const parts = await Promise.all([
    store.titlePeaks({ after, until: firstDay - 1 }),
    store.titleDayPeaks({ after: firstDay - 1, until: lastDayEnd - 1 }),
    store.titlePeaks({ after: lastDayEnd - 1, until }),
  ]);
  const totals = new Map<string, TitlePeak>();
  for (const part of parts.flat()) {
    const { peak, total, samples } = totals.get(part.titleId) ?? { peak: 0, total: 0, samples: 0 };
    totals.set(part.titleId, {
      ...part,
      peak: Math.max(peak, part.peak),
      total: total + part.total,
      samples: samples + part.samples,
    });
  }
  return totals;
}
