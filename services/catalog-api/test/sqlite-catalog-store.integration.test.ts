import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteCatalogStore } from '../src/open-store.ts';
import { describeBoardStore } from './board-store.contract.ts';
import { describeChangeLog } from './change-log.contract.ts';
import { describeEntrySearch } from './entry-search.contract.ts';
import { describeNameSearch } from './name-search.contract.ts';
import { describePlayerStore } from './player-store.contract.ts';
import { describeIconStore } from './icon-store.contract.ts';
import { describeTitleRemoval } from './title-contents.contract.ts';
import { describeOutbox } from './outbox.contract.ts';
import { commit, describeTitleStore, fact, record } from './title-store.contract.ts';

const directory = mkdtempSync(join(tmpdir(), 'catalog-api-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

let files = 0;
function newFile(): string {
  files += 1;
  return `sqlite:${join(directory, `${files}.sqlite`)}`;
}

const inMemory = async () => openSqliteCatalogStore('sqlite::memory:', 'simulated');
const inFile = async () => openSqliteCatalogStore(newFile(), 'simulated');
for (const [adapter, open] of [
  ['SQLite in memory', inMemory],
  ['SQLite in a file', inFile],
] as const) {
  describeTitleStore(adapter, open);
  describeTitleRemoval(adapter, open);
  describeIconStore(adapter, open);
  describeOutbox(adapter, open);
  describeBoardStore(adapter, open);
  describeChangeLog(adapter, open);
  describeEntrySearch(adapter, open);
  describeNameSearch(adapter, open);
  describePlayerStore(adapter, open);
}

describe('SQLite in a file', () => {
  it('keeps titles, revision and outbox across a restart', async () => {
    const url = newFile();
    const facts = [fact('3')];
    const records = [record('4d530064', {})];
    const first = openSqliteCatalogStore(url, 'simulated');
    await first.titles.commit(commit({ revision: 3, records, facts }));
    await first.close();

    const second = openSqliteCatalogStore(url, 'simulated');
    expect(await second.titles.read()).toEqual({ revision: 3, records });
    expect(await second.outbox.pending(1)).toMatchObject(facts);
    await second.close();
  });

  it('sees commits of another process and rejects a stale commit', async () => {
    const url = newFile();
    const [one, other] = [openSqliteCatalogStore(url, 'simulated'), openSqliteCatalogStore(url, 'simulated')];
    await one.titles.commit(commit({ revision: 1, records: [record('4d530064', {})] }));
    expect(await other.titles.revision()).toBe(1);
    expect(await other.titles.commit(commit({ revision: 2 }))).toBe(false);
    await one.close();
    await other.close();
  });

  it('refuses to open a file of another network', () => {
    const url = newFile();
    void openSqliteCatalogStore(url, 'simulated').close();
    expect(() => openSqliteCatalogStore(url, 'elsewhere')).toThrow(/filled by the network "simulated"/);
  });
});
