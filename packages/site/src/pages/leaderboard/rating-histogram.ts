import { formatRaceTime, type operations, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import type { PlotData } from '../../plots/plot-data.ts';
import { empty } from '../../parts/part.ts';
import { plot } from '../../parts/plot.ts';
import { formatCount, plural } from '../../parts/text.ts';

type Board = OperationResponse<typeof operations.getLeaderboard>;

const BINS_MAX = 24;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Widths of bins of times above 20 seconds: divisors of a minute, or minutes. */
const LONG_TIMES = [30 * SECOND, ...[1, 2, 5, 10, 30, 60, 120, 600].map((minutes) => minutes * MINUTE)];

/** How many entries of a leaderboard have which rating. @param board its first entries, and their total */
export function ratingHistogram({ entries, total }: Board): Html {
  const isTime = entries[0]?.isTime ?? false;
  const values = entries.map(({ timeMs, rating }) => (isTime ? timeMs : scoreOf(rating))).filter(Number.isFinite);
  if (values.length < 2) return empty('Too few ratings');
  const data = histogram(values, isTime);
  const first = entries.length < total ? `the first ${formatCount(entries.length)} entries` : 'all entries';
  return html`${plot({
      id: 'ratings-plot',
      caption: isTime ? 'Entries by time' : 'Entries by score',
      xHeading: isTime ? 'Time' : 'Score',
      data,
    })}
    <p class="hint">
      Of
      ${first}${values.length < entries.length && `, without ${plural(entries.length - values.length, 'entry', 'entries')} that are no numbers`}.
      A bar includes its lower value, not its upper one.
    </p>`;
}

function histogram(values: readonly number[], isTime: boolean): PlotData {
  const min = values.reduce((least, value) => Math.min(least, value));
  const max = values.reduce((most, value) => Math.max(most, value));
  const width = binWidth((max - min) / BINS_MAX, isTime);
  const start = Math.floor(min / width) * width;
  const counts = Array.from({ length: Math.floor((max - start) / width) + 1 }, () => 0);
  for (const value of values) {
    const bin = Math.floor((value - start) / width);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const edgeAt = (index: number) => start + index * width;
  const edges = Array.from({ length: counts.length + 1 }, (_, index) => textOf(edgeAt(index), isTime, width));
  return {
    kind: 'bars',
    y: 'zero',
    cells: { unit: 'bin', from: start, until: edgeAt(counts.length), begins: width, edges },
    series: [{ label: 'Entries', values: counts }],
  };
}

/** The next round width: 1, 2 or 5 times a power of ten. */
function binWidth(least: number, isTime: boolean): number {
  if (isTime && least > 20 * SECOND) return LONG_TIMES.find((width) => width >= least) ?? least;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((width) => width >= least) ?? 10 * power;
}

/** Scores may have separators: `1,234`. */
function scoreOf(rating: string): number {
  const text = rating.replace(/[\s,'’]/g, '');
  return text === '' ? Number.NaN : Number(text);
}

/** Bins of whole seconds have no fraction. */
function textOf(value: number, isTime: boolean, width: number): string {
  if (!isTime) return formatCount(value);
  return width % SECOND === 0 ? formatRaceTime(value).replace(/\.000$/, '') : formatRaceTime(value);
}
