import { nameKey } from '@lobbystats/contracts';

/** A title with the name that the network gives it. */
export interface NamedTitle {
  readonly titleId: string;
  readonly name: string;
}

/**
 * The names under which titles are shown and found, by title ID: no two with the same {@link nameKey}, and a function of
 * the set of titles alone.
 *
 * Of the titles with one name the lowest title ID has it plain. Each other one has its ID behind it, `Name (titleId)`,
 * once more for as long as that is some title's own name: a title is never pushed off its own name by another's
 * qualified one. Qualified names can't meet each other, because they end in different IDs.
 */
export function shownNames(titles: Iterable<NamedTitle>): Map<string, string> {
  const byId = [...titles].sort((a, b) => (a.titleId < b.titleId ? -1 : 1));
  const owners = new Map<string, string>();
  for (const { titleId, name } of byId) {
    const key = nameKey(name);
    if (!owners.has(key)) owners.set(key, titleId);
  }
  const shown = new Map<string, string>();
  for (const { titleId, name } of byId) {
    const plain = owners.get(nameKey(name)) === titleId;
    shown.set(titleId, plain ? name : qualified(name, titleId, owners));
  }
  return shown;
}

function qualified(name: string, titleId: string, owners: ReadonlyMap<string, string>): string {
  let candidate = name;
  do candidate = `${candidate} (${titleId})`;
  while (owners.has(nameKey(candidate)));
  return candidate;
}
