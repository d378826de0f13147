import type { GameMetadata } from '@lobbystats/contracts';
import { displayNames, type NamedTitle } from './display-names.ts';
import type { TitleRecord } from './title-record.ts';

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
  const named: NamedTitle[] = [];
  for (const { titleId, home } of records.values()) if (home !== null) named.push({ titleId, name: home.name });
  return displayNames(named);
}

export function titleMetadata({ records, names }: Pick<Catalog, 'records' | 'names'>, titleId: string) {
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
    publisher: firstNonEmpty(home?.publisher, page?.publisher),
    releaseDate: page?.releaseDate ?? '',
  };
}

function firstNonEmpty(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== '') ?? '';
}
