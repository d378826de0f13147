import type { EpochSeconds, GameMetadata, ObservedMetadata } from '@lobbystats/contracts';
import { namesOf, titleMetadata, type Catalog } from './catalog.ts';
import { mergeObservation } from './merge-observation.ts';
import type { TitleRecord } from './title-record.ts';

export interface TitleObservation {
  readonly seenAt: EpochSeconds;
  readonly titles: readonly ObservedMetadata[];
}

export interface CatalogChange {
  readonly written: readonly TitleRecord[];
  readonly changed: readonly GameMetadata[];
  readonly records: Catalog['records'];
  readonly names: Catalog['names'];
}

/** Stores a later repetition of a page, so that an older, different page that arrives late does not win. */
export function applyObservations(
  catalog: Catalog,
  observations: readonly TitleObservation[],
  now: EpochSeconds,
): CatalogChange {
  const written = mergeAll(catalog, observations);
  const records = new Map(catalog.records);
  for (const record of written.values()) records.set(record.titleId, record);
  const names = hasRenamedTitle(catalog, written) ? namesOf(records) : catalog.names;

  const changed: GameMetadata[] = [];
  for (const titleId of affectedTitleIds(catalog, written, names)) {
    const after = titleMetadata({ records, names }, titleId);
    const record = records.get(titleId);
    if (after === undefined || record === undefined || isSame(titleMetadata(catalog, titleId), after)) continue;
    changed.push(after);
    const stamped = { ...record, changedAt: Math.max(record.changedAt, now) };
    records.set(titleId, stamped);
    written.set(titleId, stamped);
  }
  return { written: [...written.values()], changed, records, names };
}

function mergeAll(catalog: Catalog, observations: readonly TitleObservation[]): Map<string, TitleRecord> {
  const written = new Map<string, TitleRecord>();
  for (const { seenAt, titles } of observations) {
    for (const observed of titles) {
      const previous = written.get(observed.titleId) ?? catalog.records.get(observed.titleId);
      const merged = mergeObservation(previous, observed, seenAt);
      if (merged !== undefined && merged !== previous) written.set(merged.titleId, merged);
    }
  }
  return written;
}

/** Names are recomputed only after a change. */
function hasRenamedTitle(catalog: Catalog, written: ReadonlyMap<string, TitleRecord>): boolean {
  return [...written.values()].some(({ titleId, home }) => home?.name !== catalog.records.get(titleId)?.home?.name);
}

function affectedTitleIds(
  catalog: Catalog,
  written: ReadonlyMap<string, TitleRecord>,
  names: Catalog['names'],
): string[] {
  const ids = new Set(written.keys());
  if (names !== catalog.names) {
    for (const [titleId, name] of names) if (catalog.names.get(titleId) !== name) ids.add(titleId);
  }
  return [...ids].sort();
}

function isSame(before: GameMetadata | undefined, after: GameMetadata): boolean {
  return (
    before !== undefined &&
    (Object.keys(after) as (keyof GameMetadata)[]).every((field) => before[field] === after[field])
  );
}
