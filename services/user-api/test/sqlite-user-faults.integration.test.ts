import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { failSqliteAfter } from '@lobbystats/test-kit/fail-sqlite-after';
import { openSqliteUserDatabase } from '../src/user-database.sqlite.ts';
import { describeUserFaults } from './user-faults.contract.ts';

let file = '';
beforeEach(() => {
  file = join(temporaryDirectory(), 'users.sqlite');
});
afterEach(() => {
  jest.restoreAllMocks();
});

const open = async () => openSqliteUserDatabase(`sqlite:${file}`, 'simulated');

describeUserFaults('SQLite', {
  open,
  reopen: open,
  failAfter: failSqliteAfter,
});
