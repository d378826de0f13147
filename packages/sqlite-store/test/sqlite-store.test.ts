import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, StoreRefusedError, type SqliteStoreOptions } from '@lobbystats/sqlite-store';

const directory = mkdtempSync(join(tmpdir(), 'sqlite-store-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const base = { name: 'things', origin: 'simulated', durability: 'normal' } as const;
const first = 'CREATE TABLE thing (id INTEGER PRIMARY KEY) STRICT';
const second = 'ALTER TABLE thing ADD COLUMN label TEXT';

function openAndClose(options: Pick<SqliteStoreOptions, 'url' | 'migrations'> & Partial<SqliteStoreOptions>): void {
  openSqliteStore({ ...base, ...options }).close();
}

describe('a SQLite store', () => {
  it('keeps its rows over a second start and runs each migration once', () => {
    const url = `sqlite:${join(directory, 'deep', 'kept.sqlite')}`;
    const store = openSqliteStore({ ...base, url, migrations: [first] });
    store.run('INSERT INTO thing (id) VALUES (7)');
    store.close();
    const again = openSqliteStore({ ...base, url, migrations: [first, second] });
    expect(again.all<{ id: number; label: string | null }>('SELECT id, label FROM thing')).toMatchObject([
      { id: 7, label: null },
    ]);
    again.close();
  });

  it.each([
    ['another network', { origin: 'elsewhere' }, /filled by the network "simulated".*NETWORK_ORIGIN/],
    ['another kind', { name: 'others' }, /holds "things"/],
    ['newer code', { migrations: [] }, /run a newer release/],
  ])('refuses to open one of %s, with a word on what to do', (label, changes, message) => {
    const url = `sqlite:${join(directory, `${label}.sqlite`)}`;
    openAndClose({ url, migrations: [first] });
    const open = () => {
      openAndClose({ url, migrations: [first], ...changes });
    };
    expect(open).toThrow(StoreRefusedError);
    expect(open).toThrow(message);
  });

  it('commits all of a transaction or nothing', () => {
    const store = openSqliteStore({ ...base, url: 'sqlite::memory:', migrations: [first] });
    expect(() =>
      store.transaction(() => {
        store.run('INSERT INTO thing (id) VALUES (1)');
        throw new Error('half-way');
      }),
    ).toThrow('half-way');
    expect(store.all('SELECT id FROM thing')).toEqual([]);
    store.close();
  });

  it('says that it is unavailable when the disk is full, and goes on when there is room again', () => {
    const store = openSqliteStore({
      ...base,
      url: `sqlite:${join(directory, 'full.sqlite')}`,
      migrations: [first, second],
    });
    const fill = () =>
      store.transaction(() => {
        for (let id = 1; id <= 200; id += 1)
          store.run('INSERT INTO thing (id, label) VALUES (?, ?)', id, 'x'.repeat(1000));
      });
    store.db.exec('PRAGMA max_page_count = 20');
    expect(fill).toThrow(expect.objectContaining({ code: 'unavailable' }));
    store.db.exec('PRAGMA max_page_count = 2000');
    fill();
    expect(store.get<{ n: number }>('SELECT count(*) AS n FROM thing')?.n).toBe(200);
    expect(store.get<{ integrity_check: string }>('PRAGMA integrity_check')?.integrity_check).toBe('ok');
    store.close();
  });
});
