import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteStore } from '@lobbystats/sqlite-store';
import { openSqliteCatalogStore } from '../src/adapters/sqlite/sqlite-catalog-store.ts';
import { describeCutCommits } from './cut-commits.contract.ts';

const directory = mkdtempSync(join(tmpdir(), 'catalog-cut-'));
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

let files = 0;
const reopen = async () => openSqliteCatalogStore(`sqlite:${join(directory, `${files}.sqlite`)}`, 'simulated');

describeCutCommits('SQLite', {
  async open() {
    files += 1;
    return reopen();
  },
  reopen,
  cutAfter(statements) {
    let left = statements;
    const cut = jest.spyOn(SqliteStore.prototype, 'prepare').mockImplementation(function (this: SqliteStore, sql) {
      if (left === 0) throw new Error('cut off');
      left -= 1;
      return this.db.prepare(sql);
    });
    return () => {
      cut.mockRestore();
    };
  },
});
