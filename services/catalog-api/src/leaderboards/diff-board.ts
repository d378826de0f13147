import type { ChangeType } from '@lobbystats/contracts';
import type { BoardContent, Entry } from './board.ts';
import { pairEntries } from './pair-entries.ts';

export interface EntryChange {
  readonly type: ChangeType;
  readonly playerName: string;
  readonly oldRank: number | null;
  readonly newRank: number | null;
  readonly oldRating: string | null;
  readonly newRating: string | null;
  readonly oldTimeMs: number | null;
  readonly newTimeMs: number | null;
}

/** A moved rank alone is no change. Changes are in the new board's order; removals follow in the old one's. */
export function diffBoard(before: BoardContent, after: BoardContent): EntryChange[] {
  const { isTime } = after;
  const value = (entry: Entry) => comparableValue(entry, isTime);
  const { partners, removed } = pairEntries(before.entries, after.entries, value);
  const changes: EntryChange[] = [];
  for (const [index, entry] of after.entries.entries()) {
    const old = partners[index];
    if (old === undefined) changes.push(changeOf('new', undefined, entry, isTime));
    else if (value(old) !== value(entry)) changes.push(changeOf('updated', old, entry, isTime));
  }
  for (const old of removed) changes.push(changeOf('removed', old, undefined, isTime));
  return changes;
}

/** A time, or a score regardless of its formatting. */
function comparableValue({ timeMs, rating }: Entry, isTime: boolean): number | string {
  return isTime ? timeMs : rating.replace(/\s+|(?<=\d)[,'’](?=\d{3}(?!\d))/gu, '');
}

function changeOf(type: ChangeType, old: Entry | undefined, entry: Entry | undefined, isTime: boolean): EntryChange {
  return {
    type,
    playerName: (entry ?? old)?.name ?? '',
    oldRank: old?.rank ?? null,
    newRank: entry?.rank ?? null,
    oldRating: old?.rating ?? null,
    newRating: entry?.rating ?? null,
    oldTimeMs: isTime ? (old?.timeMs ?? null) : null,
    newTimeMs: isTime ? (entry?.timeMs ?? null) : null,
  };
}
