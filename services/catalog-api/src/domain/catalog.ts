import type { GameMetadata } from '@lobbystats/contracts';
import { shownNames, type NamedTitle } from './shown-names.ts';
import type { TitleRecord } from './title-record.ts';

/** All titles as they were at one revision. Never changed in place. */
export interface Catalog {
  readonly revision: number;
  readonly records: ReadonlyMap<string, TitleRecord>;
  /** The names of the titles that are shown. */
  readonly names: ReadonlyMap<string, string>;
}

/** The catalog of these records. */
export function catalogOf(revision: number, titles: Iterable<TitleRecord>): Catalog {
  const records = new Map<string, TitleRecord>();
  for (const record of titles) records.set(record.titleId, record);
  return { revision, records, names: namesOf(records) };
}

/** The shown names of all records that have a name of their own. */
export function namesOf(records: ReadonlyMap<string, TitleRecord>): Map<string, string> {
  const named: NamedTitle[] = [];
  for (const { titleId, home } of records.values()) if (home !== null) named.push({ titleId, name: home.name });
  return shownNames(named);
}

/** A title as routes and facts show it; undefined for one that is unknown or that no homepage has named yet. */
export function shownTitle({ records, names }: Pick<Catalog, 'records' | 'names'>, titleId: string) {
  const record = records.get(titleId);
  const name = names.get(titleId);
  return record === undefined || name === undefined ? undefined : metadataOf(record, name);
}

function metadataOf({ titleId, home, page }: TitleRecord, name: string): GameMetadata {
  return {
    titleId,
    name,
    title: page?.title ?? '',
    image: home?.image ?? '',
    publisher: firstKnown(home?.publisher, page?.publisher),
    releaseDate: page?.releaseDate ?? '',
  };
}

function firstKnown(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== '') ?? '';
}
