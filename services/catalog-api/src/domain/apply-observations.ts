import type { EpochSeconds, GameMetadata, ObservedMetadata } from '@lobbystats/contracts';
import { namesOf, shownTitle, type Catalog } from './catalog.ts';
import { mergeObservation } from './merge-observation.ts';
import type { TitleRecord } from './title-record.ts';

/** What pages said of titles at one instant. */
export interface TitleObservation {
  readonly seenAt: EpochSeconds;
  readonly titles: readonly ObservedMetadata[];
}

/** What observations do to a catalog. */
export interface CatalogChange {
  /** The records that are other than before, if only seen later: these are to be written. */
  readonly written: readonly TitleRecord[];
  /** The titles that are shown other than before, by title ID: these are news. */
  readonly changed: readonly GameMetadata[];
  readonly records: Catalog['records'];
  readonly names: Catalog['names'];
}

/**
 * What these observations change: the titles they speak of, and those whose shown names follow from them.
 *
 * A page that says the same as before, seen later, is written and is no news: were it not, an older and different page
 * that comes late would win over it.
 *
 * @param now when the change is made
 */
export function applyObservations(
  catalog: Catalog,
  observations: readonly TitleObservation[],
  now: EpochSeconds,
): CatalogChange {
  const written = mergeAll(catalog, observations);
  const records = new Map(catalog.records);
  for (const record of written.values()) records.set(record.titleId, record);
  const names = anyRenamed(catalog, written) ? namesOf(records) : catalog.names;

  const changed: GameMetadata[] = [];
  for (const titleId of concerned(catalog, written, names)) {
    const after = shownTitle({ records, names }, titleId);
    const record = records.get(titleId);
    if (after === undefined || record === undefined || isSame(shownTitle(catalog, titleId), after)) continue;
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
      const kept = written.get(observed.titleId) ?? catalog.records.get(observed.titleId);
      const merged = mergeObservation(kept, observed, seenAt);
      if (merged !== undefined && merged !== kept) written.set(merged.titleId, merged);
    }
  }
  return written;
}

/** Names are worked out anew only when one has changed: most observations repeat what is known. */
function anyRenamed(catalog: Catalog, written: ReadonlyMap<string, TitleRecord>): boolean {
  return [...written.values()].some(({ titleId, home }) => home?.name !== catalog.records.get(titleId)?.home?.name);
}

function concerned(catalog: Catalog, written: ReadonlyMap<string, TitleRecord>, names: Catalog['names']): string[] {
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
