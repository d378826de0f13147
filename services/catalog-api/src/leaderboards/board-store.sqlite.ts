import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { BoardStore } from './board-store.ts';
import { boardReads } from './board-reads.sqlite.ts';
import { boardWrites } from './board-writes.sqlite.ts';
import { changeReads } from '../changes/change-reads.sqlite.ts';
import { entrySearch } from '../search/entry-search.sqlite.ts';

export function sqliteBoardStore(sqlite: SqliteStore): BoardStore {
  return { ...boardWrites(sqlite), ...boardReads(sqlite), ...changeReads(sqlite), ...entrySearch(sqlite) };
}
