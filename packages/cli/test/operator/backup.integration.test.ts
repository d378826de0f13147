import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { formatInstant, operations, slotObserved } from '@lobbystats/contracts';
import { slotObservation, temporaryDirectory } from '@lobbystats/test-kit';
import { MANIFEST, readManifest } from '../../src/operator/backup/manifest.ts';
import { readAllRows } from './read-all-rows.ts';
import { seedStandalone, NOW, startServices } from './seed-standalone.ts';
import { run } from '../../testing/run-captured.ts';

describe('backup and restore of standalone data', () => {
  let data: string;
  let copy: string;
  beforeAll(async () => {
    data = join(temporaryDirectory('file'), 'data');
    copy = join(temporaryDirectory('file'), 'copy');
    mkdirSync(data);
    await seedStandalone(data);
    writeFileSync(join(data, 'erasure.key'), 'a-key-of-tests-alone', { mode: 0o600 });
    await run(['backup', '--to', copy], { DATA_DIR: data });
  });

  it('a restore reproduces every row of every store and the erasure key', async () => {
    const target = join(temporaryDirectory(), 'restored');
    const restored = await run(['restore', '--from', copy], { DATA_DIR: target });
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('all counts match the backup') });
    expect(readAllRows(target)).toEqual(readAllRows(data));
    expect(readFileSync(join(target, 'erasure.key'), 'utf8')).toBe('a-key-of-tests-alone');
    expect(readManifest(copy)).toMatchObject({ form: 'standalone', origin: 'simulated', parts: expect.any(Array) });
    const counted = Object.fromEntries(readManifest(copy).parts.map(({ file, counts }) => [file, counts]));
    expect(counted['reputation.sqlite']).toMatchObject({ rating: 1, rated_user: 2 });
    expect(counted['series.sqlite']).toMatchObject({ site_snapshot: 24 });
    expect(readdirSync(copy).every((file) => (statSync(join(copy, file)).mode & 0o077) === 0)).toBe(true);
    const services = await startServices({ DIRECTORY: target });
    const reputation = operations.getReputation.path.replace(':username', 'Marlow');
    expect(await services.ask('reputation', reputation)).toMatchObject({
      ratingCount: 1,
      feedback: [{ stars: 4, comment: null }],
    });
    await services.stop();
  });

  it('a backup without channels has neither them nor the key, which a restore needs', async () => {
    const from = temporaryDirectory();
    cpSync(data, from, { recursive: true });
    const sealed = 'sealed-of-a-channel';
    const users = new DatabaseSync(join(from, 'users.sqlite'));
    users.exec(
      `INSERT INTO channel VALUES ('c', 'u', 'n', 'discord', '${sealed}', 'r', 1, 'active', NULL, 0, NULL, 0, NULL, 0, NULL)`,
    );
    users.close();
    const to = join(temporaryDirectory(), 'copy');
    expect(await run(['backup', '--to', to, '--without-channels'], { DATA_DIR: from })).toMatchObject({ code: 0 });
    expect(readdirSync(to)).not.toContain('erasure.key');
    expect(readFileSync(join(to, 'users.sqlite'), 'latin1')).not.toContain(sealed);
    const target = join(temporaryDirectory(), 'restored');
    expect(await run(['restore', '--from', to], { DATA_DIR: target })).toMatchObject({
      code: 1,
      error: expect.stringContaining('set ERASURE_KEY'),
    });
    const key = { ERASURE_KEY_FILE: join(from, 'erasure.key') };
    expect(await run(['restore', '--from', to], { DATA_DIR: target, ...key })).toMatchObject({ code: 0 });
    expect(readAllRows(target)['users.sqlite']?.['channel']).toEqual([]);
    expect(readAllRows(target)['reputation.sqlite']).toEqual(readAllRows(from)['reputation.sqlite']);
    writeFileSync(join(target, 'erasure.key'), 'a-key-of-tests-alone', { mode: 0o600 });
    expect(await run(['restore', '--from', to, '--force'], { DATA_DIR: target })).toMatchObject({ code: 0 });
    expect(readFileSync(join(target, 'erasure.key'), 'utf8')).toBe('a-key-of-tests-alone');
  });

  it('a backup of a running system copies all stores as of one instant', async () => {
    const busy = temporaryDirectory();
    cpSync(data, busy, { recursive: true });
    const services = await startServices({ DIRECTORY: busy });
    const stop = new AbortController();
    let slot = NOW;
    const writing = (async () => {
      while (!stop.signal.aborted) {
        slot += 300;
        await services.bus.publish(slotObserved, slotObservation({ slot: formatInstant(slot), titles: [] }));
      }
    })();
    const to = join(temporaryDirectory(), 'busy');
    expect(await run(['backup', '--to', to], { DATA_DIR: busy })).toMatchObject({ code: 0 });
    stop.abort();
    await writing;
    await services.stop();
    const published = (slot - NOW) / 300;
    const counts = Object.fromEntries(readManifest(to).parts.map(({ file, counts }) => [file, counts]));
    const stored = (counts['series.sqlite']?.['site_snapshot'] ?? 0) - 24;
    // Each slot is stored, queued or later: none is lost between the files.
    const target = join(temporaryDirectory(), 'restored');
    expect(await run(['restore', '--from', to], { DATA_DIR: target })).toMatchObject({ code: 0 });
    const seen = new Set(readAllRows(target)['series.sqlite']?.['site_snapshot']?.map((row) => Number(row['slot'])));
    const waiting = readAllRows(target)['bus.sqlite']?.['queued']?.length ?? 0;
    expect(stored + waiting).toBeLessThanOrEqual(published + 1);
    const newest = Math.max(...seen);
    expect(seen.size).toBe((newest - NOW) / 300 + 24);
  });

  it('a directory that is not empty is refused without --force', async () => {
    const target = temporaryDirectory();
    cpSync(data, target, { recursive: true });
    writeFileSync(join(target, 'notes.txt'), 'mine');
    expect(await run(['restore', '--from', copy], { DATA_DIR: target })).toMatchObject({
      code: 1,
      error: expect.stringContaining('is not empty: --force'),
    });
    expect(await run(['restore', '--from', copy, '--force'], { DATA_DIR: target })).toMatchObject({ code: 0 });
    expect(readAllRows(target)).toEqual(readAllRows(data));
    expect(await run(['backup', '--to', copy], { DATA_DIR: data })).toMatchObject({
      code: 1,
      error: expect.stringContaining('is not empty'),
    });
  });

  it('a restore refuses the directory of a running system', async () => {
    const target = temporaryDirectory();
    const services = await startServices({ DIRECTORY: target });
    expect(await run(['restore', '--from', copy, '--force'], { DATA_DIR: target })).toMatchObject({
      code: 1,
      error: expect.stringContaining('is in use by process'),
    });
    await services.stop();
  });

  it('a restore changes nothing when a file of the backup is corrupt', async () => {
    const [other, target] = [join(temporaryDirectory(), 'copy'), temporaryDirectory()];
    await run(['backup', '--to', other], { DATA_DIR: data });
    appendFileSync(join(other, 'reputation.sqlite'), 'x');
    cpSync(data, target, { recursive: true });
    const before = readAllRows(target);
    expect(await run(['restore', '--from', other, '--force'], { DATA_DIR: target })).toMatchObject({
      code: 1,
      error: expect.stringContaining('reputation.sqlite is not what was backed up'),
    });
    expect(readAllRows(target)).toEqual(before);
    // The failed restore does not block the next one.
    expect(await run(['restore', '--from', copy, '--force'], { DATA_DIR: target })).toMatchObject({ code: 0 });
    rmSync(join(other, MANIFEST));
    expect(await run(['restore', '--from', other], { DATA_DIR: target })).toMatchObject({
      code: 1,
      error: expect.stringContaining("wasn't finished"),
    });
  });

  it('a restore refuses a manifest with file paths outside the backup', async () => {
    const other = join(temporaryDirectory(), 'copy');
    await run(['backup', '--to', other], { DATA_DIR: data });
    const manifest = readFileSync(join(other, MANIFEST), 'utf8').replace(
      '"reputation.sqlite"',
      '"../reputation.sqlite"',
    );
    writeFileSync(join(other, MANIFEST), manifest);
    expect(await run(['restore', '--from', other], { DATA_DIR: temporaryDirectory() })).toMatchObject({
      code: 1,
      error: expect.stringContaining("can't be understood"),
    });
  });

  it('backup and restore start over after an interrupted run', async () => {
    const to = join(temporaryDirectory(), 'copy');
    mkdirSync(`${to}.unfinished`);
    writeFileSync(join(`${to}.unfinished`, '.unfinished-backup'), '');
    writeFileSync(join(`${to}.unfinished`, 'bus.sqlite'), 'half');
    expect(await run(['backup', '--to', to], { DATA_DIR: data })).toMatchObject({ code: 0 });
    expect(existsSync(`${to}.unfinished`)).toBe(false);
    const target = temporaryDirectory();
    mkdirSync(join(target, '.restoring'));
    writeFileSync(join(target, 'catalog.sqlite'), 'half');
    expect(await run(['backup', '--to', join(temporaryDirectory(), 'half')], { DATA_DIR: target })).toMatchObject({
      code: 1,
      error: expect.stringContaining('was interrupted'),
    });
    expect(await run(['restore', '--from', to], { DATA_DIR: target })).toMatchObject({ code: 0 });
    expect(readAllRows(target)).toEqual(readAllRows(data));
  });

  it('a directory without data is refused', async () => {
    const env = { DATA_DIR: join(temporaryDirectory(), 'none') };
    expect(await run(['backup', '--to', 'x'], env)).toMatchObject({
      code: 1,
      error: expect.stringContaining('set DATA_DIR'),
    });
  });
});
