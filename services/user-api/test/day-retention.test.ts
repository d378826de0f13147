import { AppError } from '@lobbystats/errors';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { startDayRetention } from '../src/domain/day-retention.ts';
import { DAY, NOON, openPeople, past, SLOT, spans } from './observed-people.ts';

const first = NOON - 30 * 86_400;
const days = Array.from({ length: 40 }, (_, index) => ({ key: 'emberfox', day: DAY / 86_400 - 36 + index }));

const onFault = (error: unknown): never => {
  throw error;
};

describe('days of play', () => {
  it('that are over are taken out, and their minutes stay', async () => {
    const { people, store, clock, user } = openPeople();
    await people.observePlay([past(spans({ from: first, slots: 288 * 30 }))], true);
    clock.nowMs += 10 * 86_400_000;
    const retention = startDayRetention({ store: store.users, clock: () => clock.nowMs, onFault });
    cleanUp(() => retention.stop());
    await eventually(async () => {
      expect(await store.users.playDays(days)).toHaveLength(23);
    });
    expect((await user())?.titles).toMatchObject([{ minutes: 30 * 1440 }]);
  });

  it('in which something can still be earned are kept: no slot is earned twice', async () => {
    const { people, store, clock } = openPeople();
    const told = [past(spans({ from: first, slots: 3 }))];
    await people.observePlay(told, true);
    const removed: number[] = [];
    const removeDaysBefore = async (day: number) => {
      removed.push(await store.users.removeDaysBefore(day));
      return 0;
    };
    const retention = startDayRetention({ store: { removeDaysBefore }, clock: () => clock.nowMs, onFault });
    await eventually(() => {
      expect(removed).toEqual([0]);
    });
    await retention.stop();
    expect(await people.observePlay(told, true)).toMatchObject({ changed: 0, slots: 0 });
    clock.nowMs += SLOT * 3000;
    expect(await people.observePlay(told, true)).toMatchObject({ changed: 0, refused: 3 });
  });

  it('are taken out later where the store fails, and nothing is in hand once it is stopped', async () => {
    const faults: unknown[] = [];
    let calls = 0;
    const removeDaysBefore = async () => {
      calls += 1;
      if (calls === 1) return 2000;
      throw new AppError('unavailable', 'The store is not available');
    };
    const retention = startDayRetention({
      store: { removeDaysBefore },
      clock: () => NOON * 1000,
      onFault: (error) => faults.push(error),
    });
    await eventually(() => {
      expect(faults).toHaveLength(1);
    });
    await retention.stop();
    expect(calls).toBe(2);
  });

  it('tell when a title was played last where its last slot goes to another title days later', async () => {
    const { people, clock, user } = openPeople();
    const tennis = '4d530065';
    await people.observePlay([past(spans({ titleId: tennis, from: first }, { titleId: tennis, from: NOON }))], true);
    clock.nowMs += 86_400_000;
    await people.observePlay([past(spans({ from: NOON }))], true);
    expect((await user())?.titles).toMatchObject([
      { minutes: 5 },
      { titleId: tennis, minutes: 5, lastPlayedAt: first },
    ]);
  });
});
