import { SqliteStore } from '@lobbystats/service-kit/sqlite';

/** Makes stores fail after a number of statements, as a kill would. Returns a function that restores them. */
export function failSqliteAfter(statements: number): () => void {
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
