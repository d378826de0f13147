import {
  boardStored,
  changeRecorded,
  CHANGES_PER_FACT,
  createFacts,
  type Change,
  type Fact,
  type FactMetadata,
} from '@lobbystats/contracts';
import type { BoardState } from './board.ts';
import { splitBySize } from '../facts/split-by-size.ts';
import { CHARACTERS_PER_FACT } from '../titles/title-facts.ts';

export function boardFacts(boards: readonly BoardState[], changes: readonly Change[], about: FactMetadata): Fact[] {
  const size = { count: CHANGES_PER_FACT, characters: CHARACTERS_PER_FACT };
  const stored = splitBySize(boards.map(toFactBoard), size).map((some) => ({ boards: some }));
  const recorded = splitBySize(changes, size).map((some) => ({ changes: some }));
  return [...createFacts(boardStored, stored, about), ...createFacts(changeRecorded, recorded, about)];
}

function toFactBoard({ titleId, leaderboardId, name, isTime, version, entryCount, gone }: BoardState) {
  return { titleId, leaderboardId, name, isTime, version, entries: entryCount, gone };
}
