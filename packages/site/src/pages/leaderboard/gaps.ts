import { html, type Html } from '../../html.ts';
import { playerLink } from '../../parts/text.ts';
import { betterText, distanceOf, type Entry } from './distance.ts';

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

/** A sentence on what a player lacks to the next rank. */
export function nextTarget(entry: Entry, { entry: other, gap }: Rival): Html {
  return html`Rank ${entry.rank}. The next target is rank ${other.rank}, ${playerLink(other.name)}:
    <b>${gap}</b> ${betterText(entry)}.`;
}
