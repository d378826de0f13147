import type { EpochSeconds, GameMetadata, ObservedMetadata } from '@lobbystats/contracts';
import { isWithdrawn, namesOf, retiredBefore, type Catalog } from './catalog.ts';
import { titleMetadata } from './title-view.ts';
import type { TitleRecord, HomePart, PagePart } from './titles.queries.ts';

export interface TitleObservation {
  readonly seenAt: EpochSeconds;
  readonly titles: readonly ObservedMetadata[];
}

export interface CatalogChange {
  readonly written: readonly TitleRecord[];
  readonly changed: readonly GameMetadata[];
  readonly retired: readonly string[];
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
  const names = hasOtherNames(catalog, records, written) ? namesOf(records) : catalog.names;

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
  const retired = names === catalog.names ? [] : [...catalog.names.keys()].filter((titleId) => !names.has(titleId));
  return { written: [...written.values()], changed, retired, records, names };
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
function hasOtherNames(
  catalog: Catalog,
  records: Catalog['records'],
  written: ReadonlyMap<string, TitleRecord>,
): boolean {
  const cut = retiredBefore(records);
  return (
    [...written.values()].some(({ titleId, home }) => home?.name !== catalog.records.get(titleId)?.home?.name) ||
    [...records.values()].some(
      ({ titleId, home }) => home !== null && home.seenAt >= cut !== catalog.names.has(titleId),
    )
  );
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

/** UTF-16 units. */
const MAX_URL_LENGTH = 2048;

/**
 * The later observation wins for each part, so order and repetition do not matter. Returns `record` itself when nothing
 * is new; undefined when nothing is known.
 */
function mergeObservation(
  record: TitleRecord | undefined,
  observed: ObservedMetadata,
  seenAt: EpochSeconds,
): TitleRecord | undefined {
  if (record !== undefined && isWithdrawn(record, seenAt)) return record;
  const home = later(record?.home ?? null, homePart(observed.home, seenAt));
  const page = later(record?.page ?? null, pagePart(observed.page, seenAt));
  if (record?.home === home && record.page === page) return record;
  if (home === null && page === null) return undefined;
  return { titleId: observed.titleId, home, page, changedAt: record?.changedAt ?? 0 };
}

/** A blank name says nothing about a title. */
function homePart(seen: ObservedMetadata['home'], seenAt: EpochSeconds): HomePart | null {
  if (seen === undefined) return null;
  const name = displayText(seen.name);
  if (name === '') return null;
  const { image, publisher, productCode } = seen;
  return {
    seenAt,
    name,
    image: image.length > MAX_URL_LENGTH ? '' : displayText(image),
    publisher: displayText(publisher),
    productCode,
  };
}

function pagePart(seen: ObservedMetadata['page'], seenAt: EpochSeconds): PagePart | null {
  if (seen === undefined) return null;
  const { title, publisher, releaseDate } = seen;
  return { seenAt, title: displayText(title), publisher: displayText(publisher), releaseDate };
}

/** NFC, trimmed, without lone surrogates, which UTF-8 can't carry and would look like changes. */
function displayText(text: string): string {
  return text.toWellFormed().normalize('NFC').trim();
}

function later<Part extends HomePart | PagePart>(stored: Part | null, seen: Part | null): Part | null {
  if (seen === null) return stored;
  if (stored === null) return seen;
  if (seen.seenAt !== stored.seenAt) return seen.seenAt > stored.seenAt ? seen : stored;
  return tieBreak(seen) > tieBreak(stored) ? seen : stored;
}

/** Deterministic choice between two pages of one second. */
function tieBreak(part: HomePart | PagePart): string {
  return JSON.stringify(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
}
