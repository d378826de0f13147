import type { EpochSeconds, ObservedMetadata } from '@lobbystats/contracts';
import type { HomePart, PagePart, TitleRecord } from './title-record.ts';

/** What is kept of a text, in UTF-16 units: no name is that long, and a URL that is longer is none. */
const LONGEST_TEXT = 2048;

/**
 * A title's record after one observation of it. Of two words on one part the one seen later is kept, so the record
 * depends on the set of observations alone: not on their order, nor on how often each one came.
 *
 * @param record what is kept; undefined for a title never seen before
 * @returns `record` itself when the observation adds nothing; undefined when nothing at all is known
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

/** A homepage row whose name is blank names nothing: it is no word on the title. */
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

/**
 * A text as it is kept and shown: NFC, trimmed, of bounded length, and without lone surrogates, which no store and no
 * UTF-8 body can carry: they would come back as something else and look like a change each time.
 */
function displayText(text: string): string {
  return text.slice(0, LONGEST_TEXT).toWellFormed().normalize('NFC').trim();
}

function later<Part extends HomePart | PagePart>(kept: Part | null, seen: Part | null): Part | null {
  if (seen === null) return kept;
  if (kept === null) return seen;
  if (seen.seenAt !== kept.seenAt) return seen.seenAt > kept.seenAt ? seen : kept;
  return tieBreak(seen) > tieBreak(kept) ? seen : kept;
}

/** Two pages of one second may differ. Which of them is kept matters little, that it is always the same one does. */
function tieBreak(part: HomePart | PagePart): string {
  return JSON.stringify(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
}
