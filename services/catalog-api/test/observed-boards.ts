import { createMutex } from '@lobbystats/service-kit/concurrency';
import { openSqliteCatalogStore, type CatalogStore } from '../src/open-store.ts';
import { BoardCatalog, type BoardCatalogOptions } from '../src/ingest/board-catalog.ts';
import type { BoardObservation, Entry } from '../src/boards/board.ts';
import type { StoredChange } from '../src/changes/stored-change.ts';
import { TitleCatalog } from '../src/titles/title-catalog.ts';
import { BOARD, HOUR, type BoardStore } from './stored-boards.ts';

/** Boards over an empty store in memory, two days after {@link HOUR}. */
export function openBoards(limits?: BoardCatalogOptions['limits']): { store: CatalogStore; catalog: BoardCatalog } {
  const store = openSqliteCatalogStore('sqlite::memory:', 'simulated');
  return { store, catalog: boardCatalogWith(store.boards, store, limits) };
}

/** A catalog over the given board store. */
export function boardCatalogWith(
  boards: BoardStore,
  { titles: titleStore, players }: CatalogStore,
  limits?: BoardCatalogOptions['limits'],
): BoardCatalog {
  const about = { clock: () => (HOUR + 2 * 86_400) * 1000, origin: 'simulated' };
  const titles = new TitleCatalog({ store: titleStore, ...about });
  return new BoardCatalog({
    store: boards,
    players,
    runExclusive: createMutex(),
    titles,
    ...about,
    ...(limits && { limits }),
  });
}

/** An observation of {@link BOARD}, `hour` hours after {@link HOUR}; null: the board was gone. */
export function observationAt(
  hour: number,
  entries: readonly Entry[] | null,
  { name = 'Old Pier', isTime = true } = {},
): BoardObservation {
  const pass = HOUR + hour * 3600;
  const board = entries === null ? null : { isTime, entries };
  return { ...BOARD, name: board === null ? '' : name, pass, seenAt: pass + 60, board };
}

/** The log of changes, the oldest first. */
export function allChanges({ boards }: CatalogStore): Promise<StoredChange[]> {
  return boards.changes({}, { after: 0, offset: 0, limit: 100_000 });
}
