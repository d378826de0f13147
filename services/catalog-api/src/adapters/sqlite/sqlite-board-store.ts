import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { BoardStore } from '../../domain/board-store.ts';
import { boardReads } from './board-reads.ts';
import { boardWrites } from './board-writes.ts';
import { changeReads } from './change-reads.ts';
import { entrySearch } from './entry-search.ts';

export function sqliteBoardStore(sqlite: SqliteStore): BoardStore {
  return { ...boardWrites(sqlite), ...boardReads(sqlite), ...changeReads(sqlite), ...entrySearch(sqlite) };
}
