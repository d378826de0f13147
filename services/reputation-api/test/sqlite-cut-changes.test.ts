import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { cutSqlite } from '../../../test/stack/cut-sqlite.ts';
import { openSqliteReputationStore } from '../src/adapters/sqlite/sqlite-reputation-store.ts';
import { describeCutChanges } from './cut-changes.contract.ts';

const directory = temporaryDirectory('file');
afterEach(() => {
  jest.restoreAllMocks();
});

let files = 0;
const reopen = async () => openSqliteReputationStore(`sqlite:${join(directory, `${files}.sqlite`)}`, 'simulated');

describeCutChanges('SQLite', {
  async open() {
    files += 1;
    return reopen();
  },
  reopen,
  cutAfter: cutSqlite,
});
