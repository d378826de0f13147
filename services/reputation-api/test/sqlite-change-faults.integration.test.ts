import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { failSqliteAfter } from '@lobbystats/test-kit/fail-sqlite-after';
import { openSqliteReputationStore } from '../src/open-store.ts';
import { describeChangeFaults } from './change-faults.contract.ts';

const directory = temporaryDirectory('file');
afterEach(() => {
  jest.restoreAllMocks();
});

let files = 0;
const reopen = async () => openSqliteReputationStore(`sqlite:${join(directory, `${files}.sqlite`)}`, 'simulated');

describeChangeFaults('SQLite', {
  async open() {
    files += 1;
    return reopen();
  },
  reopen,
  failAfter: failSqliteAfter,
});
