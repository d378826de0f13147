import { formatDate, type EpochSeconds, type operations, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { table } from '../../parts/table.ts';
import { formatCount, formatMean, time } from '../../parts/text.ts';

type Days = OperationResponse<typeof operations.getDailyOnline>;
type Day = Days[number];

interface Month {
  /** `2026-01` */
  readonly month: string;
  readonly days: number;
  /** Mean of the means of its days. */
  readonly mean: number;
  readonly peak: Day;
  /** Null while no day of it has a count of lobbies. */
  readonly peakLobbies: number | null;
  readonly matches: number;
}

/** Means and peaks by month, newest first. @param days ascending */
export function monthTable(days: Days, now: EpochSeconds): Html {
  const current = formatDate(now).slice(0, 7);
  return html`${table<Month>({
      ...{ id: 'month', rows: monthsOf(days), key: ({ month }) => month },
      caption: 'Users online by month, newest first',
      empty: 'No counts yet',
      isStacked: true,
      columns: [
        {
          heading: 'Month',
          isHead: true,
          cell: ({ month }) => html`<time datetime="${month}">${month}</time>${month === current && ' (so far)'}`,
        },
        { heading: 'Days', isNumber: true, cell: ({ days: counted }) => formatCount(counted) },
        { heading: 'Mean online', isNumber: true, cell: ({ mean }) => formatMean(mean) },
        { heading: 'Peak online', isNumber: true, cell: ({ peak }) => formatCount(peak.peak_online) },
        { heading: 'Time of the peak', isMinor: true, cell: ({ peak }) => time(peak.peak_online_at) },
        {
          heading: 'Peak of lobbies',
          isNumber: true,
          isMinor: true,
          cell: ({ peakLobbies }) => formatCount(peakLobbies),
        },
        { heading: 'Matches begun', isNumber: true, cell: ({ matches }) => formatCount(matches) },
      ],
    })}
    <p class="hint">
      Computed from the counts of the days (UTC). The mean is that of the means of the days with counts.
    </p>`;
}

function monthsOf(days: Days): Month[] {
  const byMonth = Map.groupBy(days, ({ date }) => date.slice(0, 7));
  return [...byMonth].toReversed().map(([month, all]) => {
    const lobbies = all.flatMap(({ peak_lobbies }) => peak_lobbies ?? []);
    return {
      month,
      days: all.length,
      mean: all.reduce((sum, { average_online }) => sum + average_online, 0) / all.length,
      peak: all.reduce((best, one) => (one.peak_online > best.peak_online ? one : best)),
      peakLobbies: lobbies.length === 0 ? null : Math.max(...lobbies),
      matches: all.reduce((sum, one) => sum + one.matches, 0),
    };
  });
}
