import { boardStored, changeRecorded, CHANGES_PER_FACT, type Change, type Fact } from '@lobbystats/contracts';
import type { BoardState } from './board.ts';
import { bundles } from './bundles.ts';
import { CHARACTERS_PER_FACT } from './title-facts.ts';

/** Whose facts they are, of when, and of which revision of the boards. */
export interface FactsAbout extends Pick<Fact, 'occurredAt' | 'past'> {
  readonly origin: string;
  readonly revision: number;
}

/** The facts of one commit: of the boards as they stand now, then of the changes. */
export function boardFacts(boards: readonly BoardState[], changes: readonly Change[], about: FactsAbout): Fact[] {
  const size = { count: CHANGES_PER_FACT, characters: CHARACTERS_PER_FACT };
  const stored = bundles(boards.map(boardOf), size).map((some) => ({ boards: some }));
  const recorded = bundles(changes, size).map((some) => ({ changes: some }));
  return [...factsOf(boardStored.key, stored, about), ...factsOf(changeRecorded.key, recorded, about)];
}

/** The facts of one type that a commit of boards makes. */
export function factsOf(
  type: string,
  data: readonly unknown[],
  { origin, revision, occurredAt, past }: FactsAbout,
): Fact[] {
  return data.map((some, index) => ({
    type,
    id: `${type}:${origin}:${revision}:${index + 1}`,
    occurredAt,
    past,
    data: some,
  }));
}

function boardOf({ titleId, leaderboardId, name, isTime, version, entryCount, gone }: BoardState) {
  return { titleId, leaderboardId, name, isTime, version, entries: entryCount, gone };
}
