import {
  titleStored,
  boardStored,
  changeRecorded,
  CHANGES_PER_FACT,
  createFacts,
  type Fact,
  type GameMetadata,
  type Change,
  type FactMetadata,
} from '@lobbystats/contracts';
import type { BoardState } from '../leaderboards/board.ts';

export const TITLES_PER_FACT = 1000;

/** Revisions increase by one from `firstRevision`; `revision` is the last, or `firstRevision` without facts. */
export function titleFacts(
  { changed, retired }: { changed: readonly GameMetadata[]; retired: readonly string[] },
  firstRevision: number,
  { origin, occurredAt, past }: Omit<FactMetadata, 'revision'>,
): { facts: Fact[]; revision: number } {
  const bundles = splitBySize(changed, TITLES_PER_FACT);
  if (bundles.length === 0 && retired.length > 0) bundles.push([]);
  const facts = bundles.map((titles, index): Fact => {
    const revision = firstRevision + index;
    const id = `${titleStored.key}:${origin}:${revision}`;
    return {
      type: titleStored.key,
      id,
      occurredAt,
      past,
      data: { revision, titles, ...(index === 0 && retired.length > 0 && { retired }) },
    };
  });
  return { facts, revision: firstRevision + Math.max(facts.length - 1, 0) };
}

/** @param records IDs of changes that are records */
export function boardFacts(
  boards: readonly BoardState[],
  changes: readonly Change[],
  records: ReadonlySet<number>,
  about: FactMetadata,
): Fact[] {
  const stored = splitBySize(boards.map(toFactBoard), CHANGES_PER_FACT).map((some) => ({ boards: some }));
  const recorded = splitBySize(changes, CHANGES_PER_FACT).map((some) => {
    return { changes: some, records: some.map(({ id }) => id).filter((id) => records.has(id)) };
  });
  return [...createFacts(boardStored, stored, about), ...createFacts(changeRecorded, recorded, about)];
}

function toFactBoard({ titleId, leaderboardId, name, isTime, version, entryCount, gone }: BoardState) {
  return { titleId, leaderboardId, name, isTime, version, entries: entryCount, gone };
}

const CHARACTERS_PER_FACT = 1_000_000;

/** Splits items into bundles of at most `count` that each fit a message; an oversized item is alone. */
export function splitBySize<Item>(items: readonly Item[], count: number): Item[][] {
  const bundles: Item[][] = [];
  let last: Item[] = [];
  let length = Infinity;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (last.length === count || length + size > CHARACTERS_PER_FACT) {
      last = [];
      bundles.push(last);
      length = 0;
    }
    last.push(item);
    length += size;
  }
  return bundles;
}
