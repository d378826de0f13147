import type { EpochSeconds, operations, OperationResponse } from '@lobbystats/contracts';
import type { Html } from '../../html.ts';
import { monthTable } from '../../parts/months.ts';
import { formatCount, time } from '../../parts/text.ts';

type Days = OperationResponse<typeof operations.getDailyOnline>;

/** The network by month, newest first. @param days ascending */
export function networkMonths(days: Days, now: EpochSeconds): Html {
  return monthTable(days, now, [
    { heading: 'Time of the peak', isMinor: true, cell: ({ peak }) => time(peak.peak_online_at) },
    {
      heading: 'Peak of lobbies',
      isNumber: true,
      isMinor: true,
      cell: ({ days: all }) => {
        const lobbies = all.flatMap(({ peak_lobbies }) => peak_lobbies ?? []);
        return formatCount(lobbies.length === 0 ? null : Math.max(...lobbies));
      },
    },
    {
      heading: 'Matches begun',
      isNumber: true,
      cell: ({ days: all }) => formatCount(all.reduce((sum, { matches }) => sum + matches, 0)),
    },
  ]);
}
