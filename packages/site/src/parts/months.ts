import { formatDate, type EpochSeconds } from '@lobbystats/contracts';
import { monthText } from '../dates.ts';
import { html, type Html } from '../html.ts';
import { table, type Column } from './table.ts';
import { change, formatCount, formatMean } from './text.ts';

interface MonthDay {
  readonly date: string;
  readonly average_online: number;
  readonly peak_online: number;
}

export interface Month<Day extends MonthDay> {
  /** `2026-01` */
  readonly month: string;
  readonly days: readonly Day[];
  /** Mean of the means of its days. */
  readonly mean: number;
  /** To the mean of the month before; null where one of them has too few days. */
  readonly gain: number | null;
  /** The day of the peak. */
  readonly peak: Day;
}

/** Players online by month, newest first. @param days ascending @param more columns after those of players online */
export function monthTable<Day extends MonthDay>(
  days: readonly Day[],
  now: EpochSeconds,
  more: readonly Column<Month<Day>>[] = [],
): Html {
  const current = formatDate(now).slice(0, 7);
  return html`${table<Month<Day>>({
      ...{ id: 'month', rows: monthsOf(days), key: ({ month }) => month },
      caption: 'Players online by month, newest first',
      empty: 'No counts yet',
      isStacked: true,
      columns: [
        {
          heading: 'Month',
          isHead: true,
          cell: ({ month }) =>
            html`<time datetime="${month}">${monthText(month)}</time>${month === current && ' (so far)'}`,
        },
        { heading: 'Days', isNumber: true, cell: ({ days: counted }) => formatCount(counted.length) },
        { heading: 'Average online', isNumber: true, cell: ({ mean }) => formatMean(mean) },
        { heading: 'Gain', isNumber: true, cell: ({ gain }) => change(gain) },
        { heading: 'Gain in %', isNumber: true, isMinor: true, cell: gainShare },
        { heading: 'Peak online', isNumber: true, cell: ({ peak }) => formatCount(peak.peak_online) },
        ...more,
      ],
    })}
    <p class="hint">
      The average of a month is that of the averages of its days (UTC). The gain is to the average of the month before,
      where both have at least ${COMPARED_DAYS_MIN} days.
    </p>`;
}

/** Both months need so many: some days, such as a weekend, say nothing about a month. */
const COMPARED_DAYS_MIN = 20;

const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });

function gainShare({ mean, gain }: Pick<Month<MonthDay>, 'mean' | 'gain'>): string {
  if (gain === null || mean === gain) return '–';
  return percents.format(gain / (mean - gain)).replace('-', '−');
}

function monthsOf<Day extends MonthDay>(days: readonly Day[]): Month<Day>[] {
  const months = [...Map.groupBy(days, ({ date }) => date.slice(0, 7))].map(([month, all]) => ({
    ...{ month, days: all },
    mean: all.reduce((sum, { average_online }) => sum + average_online, 0) / all.length,
    peak: all.reduce((best, one) => (one.peak_online > best.peak_online ? one : best)),
  }));
  return months
    .map((one, index) => {
      const before = months[index - 1];
      const isComparable = [one, before].every((month) => (month?.days.length ?? 0) >= COMPARED_DAYS_MIN);
      return { ...one, gain: isComparable && before !== undefined ? one.mean - before.mean : null };
    })
    .reverse();
}
