import type { EpochSeconds, ObservedMetadata } from '@lobbystats/contracts';
import type { HomePart, PagePart, TitleRecord } from './title-record.ts';

/** UTF-16 units. Longer texts are neither names nor URLs. */
const MAX_TEXT_LENGTH = 2048;

/**
 * The later observation wins for each part, so order and repetition do not matter. Returns `record` itself when nothing
 * is new; undefined when nothing is known.
 */
export function mergeObservation(
  record: TitleRecord | undefined,
  observed: ObservedMetadata,
  seenAt: EpochSeconds,
): TitleRecord | undefined {
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
  return { seenAt, name, image: displayText(seen.image), publisher: displayText(seen.publisher) };
}

function pagePart(seen: ObservedMetadata['page'], seenAt: EpochSeconds): PagePart | null {
  if (seen === undefined) return null;
  const { title, publisher, releaseDate } = seen;
  return { seenAt, title: displayText(title), publisher: displayText(publisher), releaseDate };
}

/** NFC, trimmed, bounded, without lone surrogates, which UTF-8 can't carry and would look like changes. */
function displayText(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed().normalize('NFC').trim();
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
