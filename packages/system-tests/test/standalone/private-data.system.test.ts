import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '@lobbystats/service-kit';
import { fixedClock, temporaryDirectory } from '@lobbystats/test-kit';
import { restrictDataDirectory } from '@lobbystats/standalone/data-directory';
import { runSystem } from './run-system.ts';

const clock = fixedClock('2026-01-31T12:00:05Z');
const world = { titles: 2, openMatches: 1, players: 5, boards: 0, entries: 0 };
const modeOf = (path: string) => statSync(path).mode & 0o777;

const oldDirectory = () => {
  const directory = join(temporaryDirectory(), 'data');
  mkdirSync(directory);
  for (const name of ['users.sqlite', 'notes.txt']) writeFileSync(join(directory, name), '');
  chmodSync(join(directory, 'users.sqlite'), 0o644);
  chmodSync(join(directory, 'notes.txt'), 0o644);
  chmodSync(directory, 0o755);
  return directory;
};

describe('standalone data directory', () => {
  it.each([
    ['a new directory', () => join(temporaryDirectory(), 'data')],
    ['one that others could read', oldDirectory],
  ])('is readable by its owner only, in %s', async (_what, make) => {
    const directory = make();
    await runSystem({ clock, world, env: { DATA_DIR: directory } });
    const files = readdirSync(directory).filter((name) => name !== 'notes.txt');
    expect(files).toEqual(
      expect.arrayContaining(['bus.sqlite', 'bus.sqlite.lock', 'users.sqlite', 'users.sqlite-wal']),
    );
    const modes = Object.fromEntries(files.map((name) => [name, modeOf(join(directory, name))]));
    expect(modes).toEqual(Object.fromEntries(files.map((name) => [name, 0o600])));
    expect(modeOf(directory)).toBe(0o700);
  });

  it('logs a warning when it belongs to another user, and leaves other files unchanged', () => {
    const directory = oldDirectory();
    const lines: string[] = [];
    const logger = createLogger({ service: 'x', level: 'warn', format: 'json', write: (line) => lines.push(line) });
    restrictDataDirectory(directory, logger, (process.getuid?.() ?? 0) + 1);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'warn', paths: [directory, join(directory, 'users.sqlite')] },
    ]);
    expect([modeOf(directory), modeOf(join(directory, 'notes.txt'))]).toEqual([0o755, 0o644]);
  });
});
