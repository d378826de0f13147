import {
  DAY_SECONDS,
  formatDate,
  formatTimestamp,
  parseInstant,
  SLOT_SECONDS,
  SLOTS_PER_DAY,
  type EpochSeconds,
} from '@lobbystats/contracts';
import { durationText } from '../../dates.ts';
import { html, type Html } from '../../html.ts';
import { empty } from '../../parts/part.ts';
import { table } from '../../parts/table.ts';
import { day, formatCount, plural, time, timeRange } from '../../parts/text.ts';

interface Gap {
  /** The first missing slot. */
  readonly from: EpochSeconds;
  readonly slots: number;
}

interface IncompleteDay {
  readonly date: string;
  readonly missing: number;
  /** Slots of the day within the known period. */
  readonly expected: number;
  readonly longest: Gap;
}

const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 });

type Slots = readonly { readonly recorded_at: string }[];

/**
 * Which five-minute slots are not complete. @param snapshots all, ascending @param whole those with all counts @param days
 * that were asked for
 */
export function completeness(snapshots: Slots, whole: Slots, days: number): Html {
  const slots = whole.map(({ recorded_at }) => parseInstant(recorded_at));
  const [first, last] = [snapshots[0], snapshots.at(-1)].map((slot) => slot && parseInstant(slot.recorded_at));
  if (first === undefined || last === undefined) return empty('No counts yet');
  const expected = (last - first) / SLOT_SECONDS + 1;
  const share = Math.floor((slots.length / expected) * 10_000) / 10_000;
  return html`<details class="card">
    <summary>${percents.format(share)} of the counts of the last ${days} days are complete</summary>
    <p>
      ${formatCount(slots.length)} of ${plural(expected, 'five-minute count')} from
      ${timeRange(formatTimestamp(first), formatTimestamp(last))} are complete, with players online and lobbies.
    </p>
    ${table<IncompleteDay>({
      ...{ id: 'day', rows: incompleteDays(slots, first, last), key: ({ date }) => date },
      caption: 'Days with missing counts, newest first',
      empty: 'No count is missing',
      columns: [
        { heading: 'Day (UTC)', isHead: true, cell: ({ date }) => day(date) },
        { heading: 'Complete', isNumber: true, cell: (one) => `${one.expected - one.missing} of ${one.expected}` },
        { heading: 'Missing', isNumber: true, cell: ({ missing }) => formatCount(missing) },
        { heading: 'Longest gap', cell: ({ longest }) => gapText(longest) },
      ],
    })}
    <p class="hint">
      The network is counted every five minutes, ${SLOTS_PER_DAY} times a day. This is of the last ${days} days, from
      the first count to the newest one: the first and the last day may have fewer.
    </p>
  </details>`;
}

function gapText({ from, slots }: Gap): Html {
  return html`${time(formatTimestamp(from), 'exact')}, ${durationText(slots * SLOT_SECONDS * 1000)}`;
}

function incompleteDays(slots: readonly EpochSeconds[], first: EpochSeconds, last: EpochSeconds): IncompleteDay[] {
  const byDay = Map.groupBy(gapsOf(slots, first, last), ({ from }) => formatDate(from));
  return [...byDay].toReversed().map(([date, gaps]) => {
    const begin = parseInstant(date);
    const [from, to] = [Math.max(begin, first), Math.min(begin + DAY_SECONDS - SLOT_SECONDS, last)];
    return {
      date,
      missing: gaps.reduce((sum, gap) => sum + gap.slots, 0),
      expected: (to - from) / SLOT_SECONDS + 1,
      longest: gaps.reduce((longest, gap) => (gap.slots > longest.slots ? gap : longest)),
    };
  });
}

/** Runs of missing slots; one over midnight is two. */
function gapsOf(slots: readonly EpochSeconds[], first: EpochSeconds, last: EpochSeconds): Gap[] {
  return [...slots, last + SLOT_SECONDS].flatMap((at, index) => {
    const gaps: Gap[] = [];
    let from = (slots[index - 1] ?? first - SLOT_SECONDS) + SLOT_SECONDS;
    while (from < at) {
      const midnight = (Math.floor(from / DAY_SECONDS) + 1) * DAY_SECONDS;
      const until = Math.min(at, midnight);
      gaps.push({ from, slots: (until - from) / SLOT_SECONDS });
      from = until;
    }
    return gaps;
  });
}
