import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openSqliteStore, restrictToOwner, type SqliteStore } from '../../src/sqlite/index.ts';
import { cleanUp, temporaryDirectory } from '@lobbystats/test-kit';

const TABLE = 'CREATE TABLE thing (label TEXT) STRICT';
const modeOf = (path: string) => statSync(path).mode & 0o777;

/** The modes of the files of a directory, by name. */
const modesIn = (directory: string) =>
  Object.fromEntries(readdirSync(directory).map((name) => [name, modeOf(join(directory, name))]));

function open(path: string): SqliteStore {
  const store = openSqliteStore({
    url: `sqlite:${path}`,
    name: 'things',
    origin: 'simulated',
    durability: 'normal',
    migrations: [TABLE],
  });
  cleanUp(() => store.close());
  return store;
}

describe('the files of a store', () => {
  it('are accessible only to their owner when created, like their new directories', () => {
    const directory = join(temporaryDirectory(), 'deep', 'data');
    open(join(directory, 'new.sqlite')).run("INSERT INTO thing VALUES ('x')");
    expect([modeOf(dirname(directory)), modeOf(directory)]).toEqual([0o700, 0o700]);
    expect(modesIn(directory)).toEqual({ 'new.sqlite': 0o600, 'new.sqlite-shm': 0o600, 'new.sqlite-wal': 0o600 });
  });

  it('lose the permissions of group and others when opened; the directory keeps its own', () => {
    const directory = temporaryDirectory();
    chmodSync(directory, 0o755);
    const path = join(directory, 'old.sqlite');
    open(path).run("INSERT INTO thing VALUES ('x')");
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o644);
    open(path);
    expect(modesIn(directory)).toEqual({ 'old.sqlite': 0o600, 'old.sqlite-shm': 0o600, 'old.sqlite-wal': 0o600 });
    expect(modeOf(directory)).toBe(0o755);
  });

  it('cannot be a directory, whose mode is kept', () => {
    const path = join(temporaryDirectory(), 'directory.sqlite');
    mkdirSync(path, { mode: 0o755 });
    expect(() => open(path)).toThrow("can't be opened");
    expect(modeOf(path)).toBe(0o755);
  });
});

describe('restricting a path to its owner', () => {
  const uid = process.getuid?.() ?? 0;

  it.each([
    ['of another user', 0o644, uid + 1, false],
    ['that is shared by design', 0o1777, uid, false],
    ['that is already private', 0o700, uid, true],
  ])('keeps the mode of a path %s, and returns whether it is private', (_what, mode, asUid, isPrivate) => {
    const path = join(temporaryDirectory(), 'file');
    writeFileSync(path, '');
    chmodSync(path, mode);
    expect(restrictToOwner(path, asUid)).toBe(isPrivate);
    expect(statSync(path).mode & 0o7777).toBe(mode);
  });

  it('keeps the permissions of the owner', () => {
    const path = join(temporaryDirectory(), 'file');
    writeFileSync(path, '');
    chmodSync(path, 0o475);
    expect(restrictToOwner(path)).toBe(true);
    expect(modeOf(path)).toBe(0o400);
    expect(restrictToOwner(join(path, 'nothing'), uid)).toBe(true);
  });
});
