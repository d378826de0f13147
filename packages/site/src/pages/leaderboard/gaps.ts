import { html, type Html } from '../../html.ts';
import { playerLink } from '../../parts/text.ts';
import { betterText, distanceOf, type Entry } from './distance.ts';

export interface Rival {
  readonly entry: Entry;
  /** Distance to it: `0.042 s`, `1:02.345`, `1,200`. */
  readonly gap: string;
}

/** The entries that another one is behind; undefined if it is not, or if their distance is unknown. */
export interface Rivals {
  readonly first: Rival | undefined;
  /** The nearest one of a better rank. */
  readonly next: Rival | undefined;
}

/** @param known entries in the order of the board */
export function rivalsOf(entry: Entry, known: readonly Entry[]): Rivals {
  const [first] = known;
  const next = known.findLast(({ rank }) => Number(rank) < Number(entry.rank));
  return { first: first?.rank === '1' ? rivalOf(entry, first) : undefined, next: next && rivalOf(entry, next) };
}

function rivalOf(entry: Entry, other: Entry): Rival | undefined {
  const gap = distanceOf(entry, other);
  return gap === undefined ? undefined : { entry: other, gap };
}

/** A sentence on what a player lacks to the next rank. */
export function nextTarget(entry: Entry, { entry: other, gap }: Rival): Html {
  return html`Rank ${entry.rank}. The next target is rank ${other.rank}, ${playerLink(other.name)}:
    <b>${gap}</b> ${betterText(entry)}.`;
}
