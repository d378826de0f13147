import { nameKey } from '@lobbystats/contracts';
import { boardId, type Entry } from '../../domain/board.ts';
import type { BoardWrite } from '../../domain/board-store.ts';
import type { EntryRow } from './board-rows.ts';

/** What is to be done to the rows of a board: in this order, since a key may be taken out and used again. */
export interface EntryDifference {
  readonly removed: readonly string[];
  /** Rows of the same value, by how far they have moved: many at a time, as one who comes moves all below by the same. */
  readonly moved: readonly RowsMoved[];
  readonly changed: readonly { readonly _id: string; readonly to: Partial<EntryRow> }[];
  readonly added: readonly EntryRow[];
}

/** Rows that have moved alike. */
interface RowsMoved {
  readonly places: number;
  readonly ranks: number;
  readonly ids: string[];
}

/**
 * The rows that a board's write is about. A row belongs to a player's name, so that one who only moves keeps it, and with it
 * the indexes on it. Of several of one name each has a number; which of them has which says nothing to those who read.
 */
export function entryDifference({ state, before, after }: BoardWrite): EntryDifference {
  const old = new Map(entryRows(state, before).map((row) => [row._id, row]));
  const moved = new Map<string, RowsMoved>();
  const changed: { _id: string; to: Partial<EntryRow> }[] = [];
  const added: EntryRow[] = [];
  for (const row of entryRows(state, after)) {
    const was = old.get(row._id);
    old.delete(row._id);
    if (was === undefined) added.push(row);
    else if (hasOtherValue(was, row)) changed.push({ _id: row._id, to: placeAndValueOf(row) });
    else {
      const [places, ranks] = [row.place - was.place, row.rank - was.rank];
      if (places === 0 && ranks === 0) continue;
      const by = `${places} ${ranks}`;
      const alike = moved.get(by);
      if (alike === undefined) moved.set(by, { places, ranks, ids: [row._id] });
      else alike.ids.push(row._id);
    }
  }
  return { removed: [...old.keys()], moved: [...moved.values()], changed, added };
}

/** The rows of a board's entries, in the network's order. */
export function entryRows(
  { titleId, leaderboardId, isTime }: BoardWrite['state'],
  entries: readonly Entry[],
): EntryRow[] {
  const board = boardId({ titleId, leaderboardId });
  const numbers = new Map<string, number>();
  return entries.map(({ rank, name: text, rating, timeMs }, place) => {
    // As the database writes it: names that are one there must not have one key.
    const name = text.toWellFormed();
    const number = numbers.get(name) ?? 0;
    numbers.set(name, number + 1);
    return {
      _id: `${board} ${number} ${name}`,
      titleId,
      leaderboardId,
      place,
      rank,
      name,
      playerKey: nameKey(name),
      rating,
      timeMs: isTime ? timeMs : null,
    };
  });
}

function hasOtherValue(was: EntryRow, row: EntryRow): boolean {
  return was.rating !== row.rating || was.timeMs !== row.timeMs;
}

function placeAndValueOf({ place, rank, rating, timeMs }: EntryRow): Partial<EntryRow> {
  return { place, rank, rating, timeMs };
}
