import { nameKey, TITLE_RETENTION_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { TitleRecord } from './titles.queries.ts';

export function isWithdrawn({ home, page, changedAt }: TitleRecord, seenAt: EpochSeconds): boolean {
  return home === null && page === null && seenAt <= changedAt;
}

export interface Catalog {
  readonly revision: number;
  readonly records: ReadonlyMap<string, TitleRecord>;
  readonly names: ReadonlyMap<string, string>;
}

export function catalogOf(revision: number, titles: Iterable<TitleRecord>): Catalog {
  const records = new Map<string, TitleRecord>();
  for (const record of titles) records.set(record.titleId, record);
  return { revision, records, names: namesOf(records) };
}

export function namesOf(records: ReadonlyMap<string, TitleRecord>): Map<string, string> {
  const cut = retiredBefore(records);
  const named: NamedTitle[] = [];
  for (const { titleId, home } of records.values()) {
    if (home !== null && home.seenAt >= cut) named.push({ titleId, name: home.name });
  }
  return displayNames(named);
}

/**
 * Titles that the homepage had last before this are retired: they have no name. Relative to the newest sighting of any
 * title, so that an outage of the network retires none.
 */
export function retiredBefore(records: ReadonlyMap<string, TitleRecord>): EpochSeconds {
  let newest = 0;
  for (const { home } of records.values()) newest = Math.max(newest, home?.seenAt ?? 0);
  return newest - TITLE_RETENTION_SECONDS;
}

export interface NamedTitle {
  readonly titleId: string;
  readonly name: string;
}

/**
 * Unique routable names by title ID. Of equal names the lowest ID has the plain one, others `Name (titleId)`, qualified
 * again while that is another title's own name. Depends on the set of titles alone.
 */
export function displayNames(titles: Iterable<NamedTitle>): Map<string, string> {
  const byId = [...titles].sort((a, b) => (a.titleId < b.titleId ? -1 : 1));
  const idsByName = new Map<string, string>();
  for (const { titleId, name } of byId) {
    const key = nameKey(name);
    if (!idsByName.has(key)) idsByName.set(key, titleId);
  }
  const names = new Map<string, string>();
  for (const { titleId, name } of byId) {
    const plain = idsByName.get(nameKey(name)) === titleId;
    names.set(titleId, plain ? name : qualified(name, titleId, idsByName));
  }
  return names;
}

function qualified(name: string, titleId: string, idsByName: ReadonlyMap<string, string>): string {
  let candidate = name;
  do candidate = `${candidate} (${titleId})`;
  while (idsByName.has(nameKey(candidate)));
  return candidate;
}
