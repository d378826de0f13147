import { BOARD_PASS_SECONDS, SLOT_SECONDS } from '@lobbystats/contracts';
import { passIndexOf } from '../instants.ts';
import type { BoardName } from './board-names.ts';
import type { Board, Boards } from './boards.ts';
import type { SeatedTitle, TitleCatalog } from './title-catalog.ts';
import type { Title } from './title.ts';

const SLOTS_PER_PASS = BOARD_PASS_SECONDS / SLOT_SECONDS;

export interface BoardKey {
  titleId: string;
  id: number;
}

/** Boards come, change and go at full hours. */
export interface BoardPasses {
  boardsAt(slot: number, titleId: string): readonly BoardName[];
  board(slot: number, titleId: string, id: number): Board | undefined;
  boardKeysAt(slot: number): readonly BoardKey[];
  boardChanges(slot: number): readonly BoardKey[];
}

export function createBoardPasses(catalog: TitleCatalog, boards: Boards): BoardPasses {
  let latest: { seated: readonly SeatedTitle[]; byId: ReadonlyMap<string, Title> } = { seated: [], byId: new Map() };

  return {
    boardsAt(slot, titleId) {
      const pass = passIndexOf(slot);
      const title = titlesIn(pass).get(titleId);
      return title === undefined ? [] : boards.listOf(title, pass);
    },
    board(slot, titleId, id) {
      const pass = passIndexOf(slot);
      const title = titlesIn(pass).get(titleId);
      return title && boards.boardOf(title, id, pass);
    },
    boardKeysAt(slot) {
      const pass = passIndexOf(slot);
      return keysOf(titlesIn(pass), (title, id) => boards.versionOf(title, id, pass) !== undefined);
    },
    boardChanges(slot) {
      const pass = passIndexOf(slot);
      const before = titlesIn(pass - 1);
      const now = titlesIn(pass);
      const either = now === before ? now : new Map([...before, ...now]);
      return keysOf(
        either,
        ({ titleId }, id) => versionIn(now, titleId, id, pass) !== versionIn(before, titleId, id, pass - 1),
      );
    },
  };

  function titlesIn(pass: number): ReadonlyMap<string, Title> {
    const seated = catalog.titlesAt(pass * SLOTS_PER_PASS);
    if (latest.seated !== seated) {
      latest = { seated, byId: new Map(seated.map(({ title }) => [title.titleId, title])) };
    }
    return latest.byId;
  }

  function versionIn(
    titles: ReadonlyMap<string, Title>,
    titleId: string,
    id: number,
    pass: number,
  ): number | undefined {
    const title = titles.get(titleId);
    return title && boards.versionOf(title, id, pass);
  }
}

function keysOf(titles: ReadonlyMap<string, Title>, isIncluded: (title: Title, id: number) => boolean): BoardKey[] {
  const keys: BoardKey[] = [];
  for (const title of [...titles.values()].sort((one, other) => (one.titleId < other.titleId ? -1 : 1))) {
    for (let id = title.firstBoardId; id < title.firstBoardId + title.boardCount; id += 1) {
      if (isIncluded(title, id)) keys.push({ titleId: title.titleId, id });
    }
  }
  return keys;
}
