import { SqliteStore } from '@lobbystats/sqlite-store';

/** Cuts off, as a kill would, what stores do after so many statements. Returns how to end it. */
export function cutSqlite(statements: number): () => void {
  let left = statements;
  const cut = jest.spyOn(SqliteStore.prototype, 'prepare').mockImplementation(function (this: SqliteStore, sql) {
    if (left === 0) throw new Error('cut off');
    left -= 1;
    return this.db.prepare(sql);
  });
  return () => {
    cut.mockRestore();
  };
}
