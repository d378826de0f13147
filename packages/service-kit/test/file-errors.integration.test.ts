import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeFileError, fileExists } from '@lobbystats/service-kit';
import { temporaryDirectory } from '@lobbystats/test-kit';

/** Any user but root, which may read and write everywhere. */
const UNPRIVILEGED = 65_534;

function asUnprivileged<Result>(work: () => Result): Result {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(UNPRIVILEGED);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('no error');
}

describe('an error of a file', () => {
  it.each([
    [
      'a directory of another user',
      (path: string) => mkdirSync(join(path, 'new')),
      /new.*give its directory to user \d+/,
    ],
    ['a missing file', (path: string) => readFileSync(join(path, 'none')), /none.*create it, or name another/],
    ['a file in place of a directory', (path: string) => readFileSync(join(path, 'file', 'x')), /x.*is a file/],
    ['a directory in place of a file', (path: string) => writeFileSync(path, ''), /it is a directory/],
  ])('%s names the path and the remedy', (_name, work, expected) => {
    const path = temporaryDirectory();
    writeFileSync(join(path, 'file'), '');
    chmodSync(path, 0o555);
    expect(describeFileError(asUnprivileged(() => errorOf(() => work(path))))).toMatch(expected);
  });

  it('of a full database says that space is needed', () => {
    const db = new DatabaseSync(':memory:');
    db.exec('CREATE TABLE t (x); PRAGMA max_page_count = 2');
    const error = errorOf(() => db.exec('INSERT INTO t VALUES (zeroblob(100000))'));
    expect(describeFileError(error)).toMatch(/full: free space on its disk/);
    db.close();
  });
});

it('a file in a directory that this user can not open is not taken for a missing one', () => {
  const path = join(temporaryDirectory(), 'private');
  mkdirSync(path);
  chmodSync(join(path, '..'), 0o755);
  expect(fileExists(join(path, 'none'))).toBe(false);
  chmodSync(path, 0o000);
  expect(() => asUnprivileged(() => fileExists(join(path, 'none')))).toThrow('EACCES');
});
