import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { cutSqlite } from '../../../test/stack/cut-sqlite.ts';
import { openSqlitePeopleStore } from '../src/adapters/sqlite/sqlite-people-store.ts';
import { describeCutStore } from './cut-store.contract.ts';

let file = '';
beforeEach(() => {
  file = join(temporaryDirectory(), 'people.sqlite');
});
afterEach(() => {
  jest.restoreAllMocks();
});

const open = async () => openSqlitePeopleStore(`sqlite:${file}`, 'simulated');

describeCutStore('SQLite', {
  open,
  reopen: open,
  cutAfter: cutSqlite,
});
