import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { failSqliteAfter } from '@lobbystats/test-kit/fail-sqlite-after';
import { openSqliteCatalogStore } from '../src/open-store.ts';
import { describeInterruptedCommits } from './interrupted-commits.contract.ts';

const directory = temporaryDirectory('file');
afterEach(() => {
  jest.restoreAllMocks();
});

let files = 0;
const reopen = async () => openSqliteCatalogStore(`sqlite:${join(directory, `${files}.sqlite`)}`, 'simulated');

describeInterruptedCommits('SQLite', {
  async open() {
    files += 1;
    return reopen();
  },
  reopen,
  failAfter: failSqliteAfter,
});
