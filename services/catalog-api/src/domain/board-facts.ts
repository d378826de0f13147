import {
  boardStored,
  changeRecorded,
  CHANGES_PER_FACT,
  factsOf,
  type Change,
  type Fact,
  type FactsAbout,
} from '@lobbystats/contracts';
import type { BoardState } from './board.ts';
import { bundles } from './bundles.ts';
import { CHARACTERS_PER_FACT } from './title-facts.ts';

export function boardFacts(boards: readonly BoardState[], changes: readonly Change[], about: FactsAbout): Fact[] {
  const size = { count: CHANGES_PER_FACT, characters: CHARACTERS_PER_FACT };
  const stored = bundles(boards.map(boardOf), size).map((some) => ({ boards: some }));
  const recorded = bundles(changes, size).map((some) => ({ changes: some }));
  return [...factsOf(boardStored, stored, about), ...factsOf(changeRecorded, recorded, about)];
}

function boardOf({ titleId, leaderboardId, name, isTime, version, entryCount, gone }: BoardState) {
  return { titleId, leaderboardId, name, isTime, version, entries: entryCount, gone };
}
