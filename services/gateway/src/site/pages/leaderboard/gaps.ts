import { formatRaceTime, type operations, type OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { formatCount, playerLink } from '../../parts/text.ts';

type Entry = OperationResponse<typeof operations.getLeaderboard>['entries'][number];

export interface Rival {
  readonly entry: Entry;
  /** Distance to it: `0.042 s`, `1:02.345`, `1,200`. */
  readonly gap: string;
}

/** Finds the entries that another one is behind. @param known entries in the order of the board, with those to compare */
export function rivalsIn(known: readonly Entry[]) {
  const [first] = known;
  const rival = (entry: Entry, other: Entry | undefined): Rival | undefined => {
    const distance = other === undefined ? undefined : distanceOf(entry, other);
    return other === undefined || distance === undefined ? undefined : { entry: other, gap: distance };
  };
  return {
    first: (entry: Entry) => rival(entry, first?.rank === '1' ? first : undefined),
    /** The nearest one of a better rank. */
    next: (entry: Entry) =>
      rival(
        entry,
        known.findLast(({ rank }) => Number(rank) < Number(entry.rank)),
      ),
  };
}

/** Undefined for the same rating, and for ratings that are no numbers. */
function distanceOf(entry: Entry, other: Entry): string | undefined {
  if (entry.isTime !== other.isTime) return undefined;
  const distance = entry.isTime
    ? Math.abs(entry.timeMs - other.timeMs)
    : Math.abs(scoreOf(entry.rating) - scoreOf(other.rating));
  if (distance === 0 || Number.isNaN(distance)) return undefined;
  if (!entry.isTime) return formatCount(distance);
  return distance < MINUTE_MS ? `${(distance / 1000).toFixed(3)} s` : formatRaceTime(distance);
}

const MINUTE_MS = 60_000;

/** NaN unless it is a number, with or without separators of thousands. */
function scoreOf(rating: string): number {
  return /^-?\d+(,\d{3})*(\.\d+)?$/.test(rating) ? Number(rating.replaceAll(',', '')) : Number.NaN;
}

/** A sentence on what a player lacks to the next rank. */
export function nextTarget(entry: Entry, { entry: other, gap }: Rival): Html {
  const better = entry.isTime ? 'faster' : 'more';
  return html`Rank ${entry.rank}. The next target is rank ${other.rank}, ${playerLink(other.name)}:
    <b>${gap}</b> ${better}.`;
}
