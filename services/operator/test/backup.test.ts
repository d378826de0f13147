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
import { formatInstant, operations, slotObserved } from '@lobbystats/contracts';
import { slotObservation, temporaryDirectory } from '@lobbystats/test-kit';
import { MANIFEST, readManifest } from '../src/backup/manifest.ts';
import { runBackup } from '../src/backup/run-backup.ts';
import { runRestore } from '../src/restore/run-restore.ts';
import { contentsOf } from './contents.ts';
import { fillStandalone, NOW, startServices } from './filled-standalone.ts';
import { run } from './run.ts';

describe('npm run backup and restore, of what npm start keeps', () => {
  let data: string;
  let copy: string;
  beforeAll(async () => {
    data = join(temporaryDirectory('file'), 'data');
    copy = join(temporaryDirectory('file'), 'copy');
    mkdirSync(data);
    await fillStandalone(data);
    writeFileSync(join(data, 'forgotten.key'), 'a-key-of-tests-alone', { mode: 0o600 });
    await run(runBackup, ['--to', copy], { DATA_DIR: data });
  });

  it('bring back each row of each store, and the key of the forgotten', async () => {
    const target = join(temporaryDirectory(), 'restored');
    const restored = await run(runRestore, ['--from', copy], { DATA_DIR: target });
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('all counts are those of the copy') });
    expect(contentsOf(target)).toEqual(contentsOf(data));
    expect(readFileSync(join(target, 'forgotten.key'), 'utf8')).toBe('a-key-of-tests-alone');
    expect(readManifest(copy)).toMatchObject({ form: 'standalone', origin: 'simulated', parts: expect.any(Array) });
    const counted = Object.fromEntries(readManifest(copy).parts.map(({ file, counts }) => [file, counts]));
    expect(counted['reputation.sqlite']).toMatchObject({ rating: 1, person: 2 });
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

  it('copy all stores as they are at one instant, while they are written to', async () => {
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
    expect(await run(runBackup, ['--to', to], { DATA_DIR: busy })).toMatchObject({ code: 0 });
    stop.abort();
    await writing;
    await services.stop();
    const published = (slot - NOW) / 300;
    const counts = Object.fromEntries(readManifest(to).parts.map(({ file, counts }) => [file, counts]));
    const stored = (counts['series.sqlite']?.['site_snapshot'] ?? 0) - 24;
    // Each slot is stored, or still waits, or came later: none is lost between the files.
    const target = join(temporaryDirectory(), 'restored');
    expect(await run(runRestore, ['--from', to], { DATA_DIR: target })).toMatchObject({ code: 0 });
    const seen = new Set(contentsOf(target)['series.sqlite']?.['site_snapshot']?.map((row) => Number(row['slot'])));
    const waiting = contentsOf(target)['bus.sqlite']?.['queued']?.length ?? 0;
    expect(stored + waiting).toBeLessThanOrEqual(published + 1);
    const newest = Math.max(...seen);
    expect(seen.size).toBe((newest - NOW) / 300 + 24);
  });

  it('refuse a place that is not empty, but with --force', async () => {
    const target = temporaryDirectory();
    cpSync(data, target, { recursive: true });
    writeFileSync(join(target, 'notes.txt'), 'mine');
    expect(await run(runRestore, ['--from', copy], { DATA_DIR: target })).toMatchObject({
      code: 1,
      error: expect.stringContaining('is not empty: --force'),
    });
    expect(await run(runRestore, ['--from', copy, '--force'], { DATA_DIR: target })).toMatchObject({ code: 0 });
    expect(contentsOf(target)).toEqual(contentsOf(data));
    expect(await run(runBackup, ['--to', copy], { DATA_DIR: data })).toMatchObject({
      code: 1,
      error: expect.stringContaining('is not empty'),
    });
  });

  it('leave a running system alone', async () => {
    const target = temporaryDirectory();
    const services = await startServices({ DIRECTORY: target });
    expect(await run(runRestore, ['--from', copy, '--force'], { DATA_DIR: target })).toMatchObject({
      code: 1,
      error: expect.stringContaining('is in use by process'),
    });
    await services.stop();
  });

  it('touch nothing when a file of the copy is not what was backed up', async () => {
    const [other, target] = [join(temporaryDirectory(), 'copy'), temporaryDirectory()];
    await run(runBackup, ['--to', other], { DATA_DIR: data });
    appendFileSync(join(other, 'reputation.sqlite'), 'x');
    cpSync(data, target, { recursive: true });
    const before = contentsOf(target);
    expect(await run(runRestore, ['--from', other, '--force'], { DATA_DIR: target })).toMatchObject({
      code: 1,
      error: expect.stringContaining('reputation.sqlite is not what was backed up'),
    });
    expect(contentsOf(target)).toEqual(before);
    // What the broken one has left is no obstacle.
    expect(await run(runRestore, ['--from', copy, '--force'], { DATA_DIR: target })).toMatchObject({ code: 0 });
    rmSync(join(other, MANIFEST));
    expect(await run(runRestore, ['--from', other], { DATA_DIR: target })).toMatchObject({
      code: 1,
      error: expect.stringContaining("wasn't finished"),
    });
  });

  it('refuse a manifest that names files elsewhere', async () => {
    const other = join(temporaryDirectory(), 'copy');
    await run(runBackup, ['--to', other], { DATA_DIR: data });
    const manifest = readFileSync(join(other, MANIFEST), 'utf8').replace(
      '"reputation.sqlite"',
      '"../reputation.sqlite"',
    );
    writeFileSync(join(other, MANIFEST), manifest);
    expect(await run(runRestore, ['--from', other], { DATA_DIR: temporaryDirectory() })).toMatchObject({
      code: 1,
      error: expect.stringContaining("can't be understood"),
    });
  });

  it('begin again after a run that was cut off', async () => {
    const to = join(temporaryDirectory(), 'copy');
    mkdirSync(`${to}.unfinished`);
    writeFileSync(join(`${to}.unfinished`, '.unfinished-backup'), '');
    writeFileSync(join(`${to}.unfinished`, 'bus.sqlite'), 'half');
    expect(await run(runBackup, ['--to', to], { DATA_DIR: data })).toMatchObject({ code: 0 });
    expect(existsSync(`${to}.unfinished`)).toBe(false);
    const target = temporaryDirectory();
    mkdirSync(join(target, '.restoring'));
    writeFileSync(join(target, 'catalog.sqlite'), 'half');
    expect(await run(runRestore, ['--from', to], { DATA_DIR: target })).toMatchObject({ code: 0 });
    expect(contentsOf(target)).toEqual(contentsOf(data));
  });

  it('say how they are used', async () => {
    expect(await run(runBackup, ['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--to DIRECTORY') });
    expect(await run(runRestore, ['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--force') });
    expect(await run(runBackup, ['--of', 'x'])).toMatchObject({ code: 2, error: expect.stringContaining('--help') });
    expect(await run(runBackup, ['--to', 'x'], { DATA_DIR: join(temporaryDirectory(), 'none') })).toMatchObject({
      code: 1,
      error: expect.stringContaining('set DATA_DIR'),
    });
  });
});
