import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameKey } from '@lobbystats/contracts';
import { openSqliteStore } from '@lobbystats/sqlite-store';
import { catalogMigrations } from '../src/database/catalog-migrations.sqlite.ts';
import { openSqliteCatalogStore } from '../src/database/catalog-store.sqlite.ts';
import { describeBoardStore } from './board-store.contract.ts';
import { describeChangeLog } from './change-log.contract.ts';
import { describeEntrySearch } from './entry-search.contract.ts';
import { describeNameSearch } from './name-search.contract.ts';
import { describePlayerStore } from './player-store.contract.ts';
import { describeTitleRemoval } from './title-contents.contract.ts';
import { describeOutbox } from './outbox.contract.ts';
import { BOARD, HOUR } from './stored-boards.ts';
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

  it('converts pending outbox rows of an older release to facts', async () => {
    const url = newFile();
    const [firstStep = ''] = catalogMigrations;
    const older = openSqliteStore({
      url,
      origin: 'simulated',
      name: 'catalog',
      migrations: [firstStep],
      durability: 'full',
    });
    const titles = [{ titleId: '4d530064', name: '"NUL" \0' }];
    older.run('INSERT INTO outbox VALUES (?, ?, ?, ?)', 1_800_000_000_002, 1_700_000_300, 1, '[]');
    older.run('INSERT INTO outbox VALUES (?, ?, ?, ?)', 1_800_000_000_001, 1_700_000_000, 0, JSON.stringify(titles));
    older.close();

    const store = openSqliteCatalogStore(url, 'simulated');
    const [first, second] = await store.outbox.pending(10);
    expect(first).toMatchObject({
      type: 'title.stored',
      id: 'title.stored:simulated:1800000000001',
      occurredAt: 1_700_000_000,
      past: false,
      data: { revision: 1_800_000_000_001, titles },
    });
    expect(second).toMatchObject({ past: true, data: { revision: 1_800_000_000_002, titles: [] } });
    await store.close();
  });

  it('uses changedAt as observedAt for boards that an older release stored', async () => {
    const url = newFile();
    const options = { url, origin: 'simulated', name: 'catalog', durability: 'full' } as const;
    const older = openSqliteStore({ ...options, migrations: catalogMigrations.slice(0, 5) });
    const state = [0x4d530064, 1, 'Old Pier', 1, 0, 0, 1, HOUR, HOUR + 60];
    older.run('INSERT INTO board VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...state);
    older.close();

    const store = openSqliteCatalogStore(url, 'simulated');
    expect(await store.boards.state(BOARD)).toMatchObject({ changedAt: HOUR + 60, observedAt: HOUR + 60 });
    await store.boards.confirm([{ ...BOARD, pass: HOUR, seenAt: HOUR + 3660 }]);
    expect(await store.boards.state(BOARD)).toMatchObject({ changedAt: HOUR + 60, observedAt: HOUR + 3660 });
    await store.close();
  });

  it('finds changes of a player that an older release stored', async () => {
    const url = newFile();
    const options = { url, origin: 'simulated', name: 'catalog', durability: 'full' } as const;
    const older = openSqliteStore({ ...options, migrations: catalogMigrations.slice(0, 7) });
    const names = ['E\u0301LAN', 'nul \0', 'Élan '];
    for (const [index, name] of names.entries()) {
      older.run(
        `INSERT INTO change VALUES (?, 'new', 1, 2, ?, 0, NULL, 1, NULL, '1', NULL, NULL, ?)`,
        index + 1,
        name,
        HOUR,
      );
    }
    older.close();

    const store = openSqliteCatalogStore(url, 'simulated');
    const found = await store.boards.changes({ playerKey: nameKey('élan') }, { offset: 0, limit: 9 });
    expect(found.map(({ playerName }) => playerName)).toEqual(['Élan ', 'E\u0301LAN']);
    expect(await store.boards.countChanges({ playerKey: nameKey('nul \0') })).toBe(1);
    await store.close();
  });

  it('finds names of boards and players that an older release stored', async () => {
    const url = newFile();
    const options = { url, origin: 'simulated', name: 'catalog', durability: 'full' } as const;
    const older = openSqliteStore({ ...options, migrations: catalogMigrations.slice(0, 8) });
    for (const [id, gone] of [
      [1, 0],
      [2, 1],
    ] as const) {
      older.run('INSERT INTO board VALUES (1, ?, ?, 0, 2, ?, 1, ?, ?, ?)', id, 'Fox Run', gone, HOUR, HOUR, HOUR);
    }
    for (const [number, name] of ['Ember Fox', 'EMBER FOX'].entries()) {
      older.run(`INSERT INTO entry VALUES (1, 1, ?, ?, 1, ?, ?, '1', NULL)`, number, number, name, nameKey(name));
    }
    older.close();

    const store = openSqliteCatalogStore(url, 'simulated');
    expect(await store.boards.namesWithWord('fox', 9)).toEqual([
      { match: 1, name: 'Fox Run', entries: 2, board: { titleId: '00000001', leaderboardId: 1 } },
      { match: 2, name: 'Ember Fox', entries: 2, board: null },
    ]);
    await store.close();
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
