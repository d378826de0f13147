import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '@lobbystats/service-kit';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { prepareDataDirectory } from '../src/prepare-data-directory.ts';

/** Any user but root, which may write everywhere. */
const UNPRIVILEGED = 65_534;

describe('data directory', () => {
  it('is created for its user only, and nothing is left in it', () => {
    const directory = join(temporaryDirectory(), 'new', 'data');
    prepareDataDirectory(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is rejected when it is read-only', () => {
    const directory = join(temporaryDirectory(), 'data');
    mkdirSync(directory);
    chmodSync(join(directory, '..'), 0o755);
    chmodSync(directory, 0o555);
    const prepare = () => asUnprivileged(() => prepareDataDirectory(directory));
    expect(prepare).toThrow(StartError);
    expect(prepare).toThrow(
      `the data directory ${directory} can't be written: this user has no permission: set DATA_DIR to another`,
    );
  });

  it('is rejected when a file is in its place', () => {
    const file = join(temporaryDirectory(), 'data');
    writeFileSync(file, '');
    expect(() => prepareDataDirectory(file)).toThrow(`${file} can't be written: it is a file`);
    expect(() => prepareDataDirectory(join(file, 'data'))).toThrow('a part of the path is not a directory');
  });

  it('is rejected when its disk has less free space than required', () => {
    const prepare = () => prepareDataDirectory(temporaryDirectory(), 2 ** 60);
    expect(prepare).toThrow(StartError);
    expect(prepare).toThrow(/ has \d+ MB of free space, and a start needs 1152921504606 MB: /);
  });
});

/** Runs the work without the rights of root, if this process has them. */
function asUnprivileged(work: () => void): void {
  const isRoot = process.getuid?.() === 0;
  try {
    if (isRoot) process.seteuid?.(UNPRIVILEGED);
    work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
