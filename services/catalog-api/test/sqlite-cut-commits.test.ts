import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { cutSqlite } from '../../../test/stack/cut-sqlite.ts';
import { openSqliteCatalogStore } from '../src/adapters/sqlite/sqlite-catalog-store.ts';
import { describeCutCommits } from './cut-commits.contract.ts';

const directory = temporaryDirectory('file');
afterEach(() => {
  jest.restoreAllMocks();
});

let files = 0;
const reopen = async () => openSqliteCatalogStore(`sqlite:${join(directory, `${files}.sqlite`)}`, 'simulated');

describeCutCommits('SQLite', {
  async open() {
    files += 1;
    return reopen();
  },
  reopen,
  cutAfter: cutSqlite,
});
