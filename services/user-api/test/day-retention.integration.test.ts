import { AppError } from '@lobbystats/contracts/errors';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { startDayRetention } from '../src/play-time/day-retention.ts';
import { DAY, NOON, openUsers, playMessage, SLOT, spans } from './observed-users.ts';

const first = NOON - 30 * 86_400;
const days = Array.from({ length: 40 }, (_, index) => ({ key: 'emberfox', day: DAY / 86_400 - 36 + index }));

const onFault = (error: unknown): never => {
  throw error;
};

describe('play day retention', () => {
  it('removes expired days and keeps their minutes', async () => {
    const { catalog, store, clock, user } = openUsers();
    await catalog.applyPlayTime([playMessage(spans({ from: first, slots: 288 * 30 }))], true);
    clock.nowMs += 10 * 86_400_000;
    const retention = startDayRetention({ store: store.users, clock: () => clock.nowMs, onFault });
    cleanUp(() => retention.stop());
    await eventually(async () => {
      expect(await store.users.playDays(days)).toHaveLength(23);
    });
    expect((await user())?.titles).toMatchObject([{ minutes: 30 * 1440 }]);
  });

  it('keeps days whose slots can still be credited, so that no slot is credited twice', async () => {
    const { catalog, store, clock } = openUsers();
    const messages = [playMessage(spans({ from: first, slots: 3 }))];
    await catalog.applyPlayTime(messages, true);
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
    expect(await catalog.applyPlayTime(messages, true)).toMatchObject({ changed: 0, slots: 0 });
    clock.nowMs += SLOT * 3000;
    expect(await catalog.applyPlayTime(messages, true)).toMatchObject({ changed: 0, refused: 3 });
  });

  it('retries after a store failure and has no running work after it was stopped', async () => {
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

  it('finds the earlier last-played time when the last slot moves to another title days later', async () => {
    const { catalog, clock, user } = openUsers();
    const tennis = '4d530065';
    await catalog.applyPlayTime(
      [playMessage(spans({ titleId: tennis, from: first }, { titleId: tennis, from: NOON }))],
      true,
    );
    clock.nowMs += 86_400_000;
    await catalog.applyPlayTime([playMessage(spans({ from: NOON }))], true);
    expect((await user())?.titles).toMatchObject([
      { minutes: 5 },
      { titleId: tennis, minutes: 5, lastPlayedAt: first },
    ]);
  });
});
