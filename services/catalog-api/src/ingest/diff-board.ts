import type { ChangeType } from '@lobbystats/contracts';
import { type BoardContent, type BoardKey, type Entry, comparableValue } from '../boards/board.ts';
import type { StoredChange } from '../changes/stored-change.ts';

export type EntryChange = Omit<StoredChange, keyof BoardKey | 'id' | 'isTime' | 'changedAt' | 'beaten'>;

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

interface Named {
  readonly name: string;
}

/**
 * Matches entries by exact name; of equal names first by value, then in order. Returns the old partner of each new
 * entry, and the removed ones.
 */
export function pairEntries<Entry extends Named, Old extends Entry>(
  before: readonly Old[],
  after: readonly Entry[],
  valueOf: (entry: Entry) => string | number,
): { partners: (Old | undefined)[]; removed: Old[] } {
  const sameValue = new KeyedQueues<Entry, Old>(
    before,
    (entry) => `${entry.name.length} ${entry.name}${valueOf(entry)}`,
  );
  const partners = after.map((entry) => sameValue.shift(entry));
  const left = new Set(before);
  for (const partner of partners) if (partner !== undefined) left.delete(partner);
  if (left.size === 0) return { partners, removed: [] };

  const sameName = new KeyedQueues<Entry, Old>([...left], ({ name }) => name);
  for (const [index, entry] of after.entries()) {
    if (partners[index] !== undefined) continue;
    const partner = sameName.shift(entry);
    partners[index] = partner;
    if (partner !== undefined) left.delete(partner);
  }
  return { partners, removed: [...left] };
}

/** Queues of entries by key. */
class KeyedQueues<Entry, Old extends Entry> {
  readonly #keyOf: (entry: Entry) => string;
  readonly #lines = new Map<string, { entries: Old[]; taken: number }>();

  constructor(entries: readonly Old[], keyOf: (entry: Entry) => string) {
    this.#keyOf = keyOf;
    for (const entry of entries) {
      const key = keyOf(entry);
      const line = this.#lines.get(key);
      if (line === undefined) this.#lines.set(key, { entries: [entry], taken: 0 });
      else line.entries.push(entry);
    }
  }

  /** Takes the first match, if any is left. */
  shift(like: Entry): Old | undefined {
    const line = this.#lines.get(this.#keyOf(like));
    if (line === undefined) return undefined;
    line.taken += 1;
    return line.entries[line.taken - 1];
  }
}
