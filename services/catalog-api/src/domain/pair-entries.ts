/** An entry, as far as it is told from others. */
interface Named {
  readonly name: string;
}

/**
 * Says of each entry of a board which one it was before. An entry is known by its player's exact name; of several with one
 * name those of equal value are the same, and the others are taken in the board's order.
 *
 * @param valueOf what an entry is worth, as a text or number
 * @returns the old entry of each new one, by its place, undefined for one that came; and those that went, in order
 */
export function pairEntries<Entry extends Named, Old extends Entry>(
  before: readonly Old[],
  after: readonly Entry[],
  valueOf: (entry: Entry) => string | number,
): { partners: (Old | undefined)[]; removed: Old[] } {
  const sameValue = new Lines<Entry, Old>(before, (entry) => `${entry.name.length} ${entry.name}${valueOf(entry)}`);
  const partners = after.map((entry) => sameValue.take(entry));
  const left = new Set(before);
  for (const partner of partners) if (partner !== undefined) left.delete(partner);
  if (left.size === 0) return { partners, removed: [] };

  const sameName = new Lines<Entry, Old>([...left], ({ name }) => name);
  for (const [place, entry] of after.entries()) {
    if (partners[place] !== undefined) continue;
    const partner = sameName.take(entry);
    partners[place] = partner;
    if (partner !== undefined) left.delete(partner);
  }
  return { partners, removed: [...left] };
}

/** Entries that stand in line by a key of theirs. Each is taken once. */
class Lines<Entry, Old extends Entry> {
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

  /** The first in the line of entries like this one, if one is left. */
  take(like: Entry): Old | undefined {
    const line = this.#lines.get(this.#keyOf(like));
    if (line === undefined) return undefined;
    line.taken += 1;
    return line.entries[line.taken - 1];
  }
}
