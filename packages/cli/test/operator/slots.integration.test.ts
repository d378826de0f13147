import { join } from 'node:path';
import { formatInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { run } from '../../testing/run-captured.ts';
import { countOf, readStore } from '../../src/operator/standalone/standalone-stores.ts';
import { NOW, seedStandalone, startServices } from './seed-standalone.ts';

const clock = () => (NOW + 90) * 1000;
const [FROM, TO] = [formatInstant(NOW - 2 * SLOT_SECONDS), formatInstant(NOW - SLOT_SECONDS)];

let directory: string;
beforeEach(async () => {
  directory = temporaryDirectory();
  await seedStandalone(directory);
});

const slots = (...args: string[]) => run(['slots', ...args], { DATA_DIR: directory }, clock);
const storedSlots = () =>
  readStore(join(directory, 'series.sqlite'), (db) => countOf(db, 'SELECT count(*) AS n FROM site_snapshot'));

describe('slots withdraw', () => {
  it('lists what would change, then changes it', async () => {
    const before = await storedSlots();
    const plan = await slots('withdraw', FROM, TO, '--dry-run');
    expect(plan).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Would withdraw: 2 slots, \d+ snapshots of titles/),
    });
    expect(plan.out).toMatch(/^ {2}snapshots of \d{4}-\d{2}-\d{2}: \d+ -> \d+$/m);
    expect(await storedSlots()).toBe(before);
    const done = await slots('withdraw', FROM, TO);
    expect(done).toEqual({ ...plan, out: plan.out.replace('Would withdraw', 'Withdrawn') });
    expect(await storedSlots()).toBe(before - 2);
    expect(await slots('withdraw', FROM, TO)).toMatchObject({ code: 1 });
  });

  it('takes changes of leaderboards, play time and unlocks only with their options', async () => {
    const [first, last] = [formatInstant(NOW - 23 * SLOT_SECONDS), formatInstant(NOW)];
    const all = ['--changes', '--play-time', '--unlocks'];
    const plain = await slots('withdraw', first, last, '--dry-run');
    expect(plain.out).not.toMatch(/changes of|play time|unlock/);
    const plan = await slots('withdraw', first, last, ...all, '--dry-run');
    expect(plan.out).toMatch(/^ {2}changes of leaderboards: 1$/m);
    expect(plan.out).toMatch(/^ {2}play time of EmberFox: 5 -> 0 minutes$/m);
    const done = await slots('withdraw', first, last, ...all);
    expect(done.out).toBe(plan.out.replace('Would withdraw', 'Withdrawn'));
    const again = await slots('withdraw', first, last, ...all);
    expect(again).toMatchObject({ code: 1, out: expect.stringMatching(/^ {2}changes of leaderboards: 0$/m) });
    expect(again.out).not.toMatch(/play time/);
  });

  it.each([
    [['yesterday', TO], /is not the time of a slot/],
    [[FROM.replace(':00Z', ':01Z'), TO], /is not the time of a slot/],
    [[TO, FROM], /TO is before FROM/],
    [['2020-01-01T00:00:00Z', TO], /FROM must not be before/],
    [[FROM, TO, '--title', 'Halo'], /--title is a title ID/],
  ])('refuses %j', async (args, message) => {
    const { code, error } = await slots('withdraw', ...args);
    expect({ code, error }).toEqual({ code: 1, error: expect.stringMatching(message) });
  });

  it('refuses while the system runs', async () => {
    const services = await startServices({ DIRECTORY: directory });
    const { code, error } = await slots('withdraw', FROM, TO);
    await services.stop();
    expect(code).toBe(1);
    expect(error).toContain('in use');
  });
});
