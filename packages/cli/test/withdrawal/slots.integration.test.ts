import { join } from 'node:path';
import { formatInstant, SLOT_SECONDS, slotWithdrawn } from '@lobbystats/contracts';
import { cleanUp, eventually, temporaryDirectory } from '@lobbystats/test-kit';
import { run } from '../../testing/run-captured.ts';
import { countOf, readStore } from '../../src/operator/standalone/standalone-stores.ts';
import { NOW, seedStandalone, startServices } from '../operator/seed-standalone.ts';

const clock = () => (NOW + 90) * 1000;
/** All seeded slots. */
const FIRST = formatInstant(NOW - 23 * SLOT_SECONDS);
const [FROM, TO] = [formatInstant(NOW - SLOT_SECONDS), formatInstant(NOW)];

let directory: string;
beforeEach(async () => {
  directory = temporaryDirectory();
  await seedStandalone(directory);
});

const slots = (...args: string[]) => run(['slots', ...args], { DATA_DIR: directory }, clock);
const storedSlots = () =>
  readStore(join(directory, 'series.sqlite'), (db) => countOf(db, 'SELECT count(*) AS n FROM site_snapshot'));
/** The leading collector publishes these withdrawals. */
const pending = () =>
  readStore(join(directory, 'collector.sqlite'), (db) =>
    db
      .prepare('SELECT message FROM withdrawal')
      .all()
      .map(({ message }) => slotWithdrawn.data.parse(JSON.parse(String(message)))),
  );

describe('slots withdraw', () => {
  it('lists what is stored of the slots, and has the collector withdraw it from the running services', async () => {
    const services = await startServices({ DIRECTORY: directory });
    cleanUp(() => services.stop());
    const plan = await slots('withdraw', FIRST, TO, '--dry-run');
    expect(plan).toMatchObject({ code: 0, error: '' });
    expect(plan.out).toMatch(/^(?: {2}slot [\d :-]+: \d+ online, (?:\d+|unknown) lobbies\n){24}/);
    expect(plan.out).toMatch(/^ {2}peak of users online on /m);
    expect(plan.out).toMatch(/^ {2}play time: 10 minutes of 2 users$/m);
    expect(await pending()).toEqual([]);

    const done = await slots('withdraw', FIRST, TO);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('within seconds') });
    const [withdrawal] = await pending();
    expect(withdrawal).toEqual({
      withdrawnAt: formatInstant(NOW + 90),
      slots: { from: FIRST, to: TO },
      titleIds: [],
    });
    await services.bus.publish(slotWithdrawn, withdrawal!);
    await eventually(async () => expect(await storedSlots()).toBe(0));
    // Lists changes of leaderboards and play time too.
    const nothing = { code: 1, out: 'There is nothing to withdraw.\n' };
    await eventually(async () => expect(await slots('withdraw', FIRST, TO)).toMatchObject(nothing));
  });

  it.each([
    [['yesterday', TO], /is not the time of a slot/],
    [[FROM.replace(':00Z', ':01Z'), TO], /is not the time of a slot/],
    [[TO, FROM], /TO is before FROM/],
    [[formatInstant(NOW - 86_400), TO], /more than a day apart/],
    [['2020-01-01T00:00:00Z', '2020-01-01T00:05:00Z'], /FROM must not be before/],
  ])('refuses %j', async (args, message) => {
    const { code, error } = await slots('withdraw', ...args);
    expect({ code, error }).toEqual({ code: 1, error: expect.stringMatching(message) });
  });
});
