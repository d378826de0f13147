import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore, StoreRefusedError, type SqliteStoreOptions } from '../../src/sqlite/index.ts';

const directory = mkdtempSync(join(tmpdir(), 'sqlite-store-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const base = { name: 'things', origin: 'simulated', durability: 'normal' } as const;
const first = 'CREATE TABLE thing (id INTEGER PRIMARY KEY) STRICT';
const second = 'ALTER TABLE thing ADD COLUMN label TEXT';

const lockers: DatabaseSync[] = [];
afterEach(() => {
  for (const locker of lockers.splice(0)) locker.close();
});

/** Simulates another process that writes. */
function lock(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec('BEGIN IMMEDIATE');
  return db;
}

function openAndClose(options: Pick<SqliteStoreOptions, 'url' | 'migrations'> & Partial<SqliteStoreOptions>): void {
  openSqliteStore({ ...base, ...options }).close();
}

describe('a SQLite store', () => {
  it('maps its file, so that a read of more pages than its cache has copies none', () => {
    const store = openSqliteStore({ ...base, url: `sqlite:${join(directory, 'mapped.sqlite')}`, migrations: [first] });
    expect(store.get('PRAGMA mmap_size')).toEqual({ mmap_size: 1024 ** 3 });
    store.close();
  });

  it('keeps its rows over a restart and runs each migration once', () => {
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
  ])('refuses to open a store of %s, with instructions', (label, changes, message) => {
    const url = `sqlite:${join(directory, `${label}.sqlite`)}`;
    openAndClose({ url, migrations: [first] });
    const open = () => {
      openAndClose({ url, migrations: [first], ...changes });
    };
    expect(open).toThrow(StoreRefusedError);
    expect(open).toThrow(message);
  });

  it.each<[string, string, (path: string) => void, RegExp]>([
    ['is not a database', 'text.sqlite', (path) => writeFileSync(path, 'no database '.repeat(100)), /not a database/],
    ['is a directory', 'directory.sqlite', (path) => mkdirSync(path), /unable to open/],
    [
      'is below a file instead of a directory',
      'file/data.sqlite',
      () => writeFileSync(join(directory, 'file'), ''),
      /ENOTDIR|EEXIST/,
    ],
    [
      'is locked',
      'locked.sqlite',
      (path) => {
        openAndClose({ url: `sqlite:${path}`, migrations: [first] });
        lockers.push(lock(path));
      },
      /locked/,
    ],
  ])('names the file and the reason when the file %s', (_what, name, prepare, reason) => {
    const path = join(directory, name);
    prepare(path);
    const open = () => {
      openAndClose({ url: `sqlite:${path}`, migrations: [first] });
    };
    expect(open).toThrow(StoreRefusedError);
    expect(open).toThrow(`${path} can't be opened: `);
    expect(open).toThrow(reason);
  });

  it('reports a disk that becomes full during a migration', () => {
    const open = () => {
      openAndClose({
        url: `sqlite:${join(directory, 'full-at-start.sqlite')}`,
        migrations: [
          first,
          second,
          'PRAGMA max_page_count = 10; INSERT INTO thing (label) VALUES (hex(zeroblob(1000000)))',
        ],
      });
    };
    expect(open).toThrow(StoreRefusedError);
    expect(open).toThrow(/full-at-start\.sqlite can't be opened: .*full/);
  });

  it('fails as unavailable while another process holds the lock', () => {
    const path = join(directory, 'busy.sqlite');
    const store = openSqliteStore({ ...base, url: `sqlite:${path}`, migrations: [first] });
    lockers.push(lock(path));
    expect(() => store.transaction(() => undefined)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    store.close();
  });

  it('rolls back a transaction that throws', () => {
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

  it('fails as unavailable while the disk is full, and recovers', () => {
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
    const isFull = expect.objectContaining({ code: 'unavailable', message: 'The disk of the store is full' });
    expect(fill).toThrow(isFull);
    expect(store.all('SELECT id FROM thing')).toEqual([]);
    expect(() => store.check()).toThrow(isFull);
    store.db.exec('PRAGMA max_page_count = 2000');
    fill();
    store.check();
    expect(store.get<{ n: number }>('SELECT count(*) AS n FROM thing')?.n).toBe(200);
    expect(store.get<{ integrity_check: string }>('PRAGMA integrity_check')?.integrity_check).toBe('ok');
    store.close();
  });

  it('lowers durability only during a non-durable transaction', () => {
    const url = `sqlite:${join(directory, 'lossy.sqlite')}`;
    const store = openSqliteStore({ ...base, url, migrations: [first], durability: 'full' });
    const synchronous = () => store.get<{ synchronous: number }>('PRAGMA synchronous')?.synchronous;
    store.nonDurableTransaction(() => {
      expect(synchronous()).toBe(1);
      store.run('INSERT INTO thing (id) VALUES (7)');
    });
    expect(store.all('SELECT id FROM thing')).toHaveLength(1);
    expect(synchronous()).toBe(2);
    const broken = () => {
      throw new Error('broken');
    };
    expect(() => store.nonDurableTransaction(broken)).toThrow('broken');
    expect(synchronous()).toBe(2);
    store.close();
  });
});
