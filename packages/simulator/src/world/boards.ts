import { blockHoursOf, changesUntil, isAbsent, EMPTY_SHARE } from './board-changes.ts';
import { boardName, boardNames, ranksTimes, type BoardName } from './board-names.ts';
import { boardSize } from './board-sizes.ts';
import { cached } from './bounded-cache.ts';
import { boardEntries, type BoardEntry, type BoardPlan } from './board.ts';
import { mix } from './hash.ts';
import type { Title } from './title.ts';

const MAX_CACHED_BOARDS = 32;

export interface Board extends BoardName {
  titleId: string;
  isTime: boolean;
  entries: readonly BoardEntry[];
}

export interface BoardsOptions {
  seed: number;
  boards: number;
  entries: number;
  players: number;
  boardChanges: number;
}

export interface Boards {
  listOf(title: Title, hour: number): readonly BoardName[];
  boardOf(title: Title, id: number, hour: number): Board | undefined;
  versionOf(title: Title, id: number, hour: number): number | undefined;
}

/** Computed for one hour from the options alone. */
export function createBoards({ seed, boards, entries, players, boardChanges }: BoardsOptions): Boards {
  const blockHours = blockHoursOf(boardChanges);
  const meanPositions = boards === 0 ? 0 : entries / boards / (1 - EMPTY_SHARE);
  const maxPositions = Math.max(1, Math.floor(players / 4));
  const cache = new Map<string, readonly BoardEntry[]>();

  return {
    listOf: (title, hour) => boardNames(title).filter(({ id }) => versionOf(title, id, hour) !== undefined),
    boardOf(title, id, hour) {
      const version = versionOf(title, id, hour);
      if (version === undefined) return undefined;
      const index = id - title.firstBoardId;
      const isTime = ranksTimes(title, index);
      const positionCount = Math.min(maxPositions, boardSize(mix(seed, 1), title.boardsBefore + index, meanPositions));
      const plan = { seed: seedOf(title, id), isTime, places: positionCount, players };
      return { ...boardName(title, index), titleId: title.titleId, isTime, entries: entriesOf(plan, version) };
    },
    versionOf,
  };

  function versionOf(title: Title, id: number, hour: number): number | undefined {
    const index = id - title.firstBoardId;
    if (!Number.isInteger(index) || index < 0 || index >= title.boardCount) return undefined;
    const boardSeed = seedOf(title, id);
    return isAbsent(boardSeed, hour) ? undefined : changesUntil(boardSeed, hour, blockHours);
  }

  function seedOf({ titleId }: Title, id: number): number {
    return mix(mix(mix(seed, 2), Number.parseInt(titleId, 16)), id);
  }

  function entriesOf(plan: BoardPlan, version: number): readonly BoardEntry[] {
    const key = `${plan.seed} ${plan.places} ${version}`;
    return cached(
      cache,
      key,
      () => boardEntries(plan, version),
      () => cache.size > MAX_CACHED_BOARDS,
    );
  }
}
