import { passOf, slotIndexInPass, slotIndexOf, SLOTS_PER_PASS } from '../src/domain/board-schedule.ts';
import { createSemaphore } from '../src/domain/semaphore.ts';

const HOUR = 1_799_996_400;

describe('board schedule', () => {
  it('assigns each board the same slot of every hour, spread evenly', () => {
    const slotIndexes = Array.from({ length: 12 }, (_, index) => slotIndexInPass(HOUR + index * 300));
    expect(new Set(slotIndexes).size).toBe(SLOTS_PER_PASS);
    expect(slotIndexInPass(HOUR + 7 * 300)).toBe(slotIndexInPass(HOUR + 3600 + 7 * 300));
    const counts = Array<number>(SLOTS_PER_PASS).fill(0);
    for (let board = 0; board < 3000; board += 1) {
      const slotIndex = slotIndexOf({ titleId: '4d530064', leaderboardId: board });
      counts[slotIndex] = (counts[slotIndex] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(180);
    expect(Math.max(...counts)).toBeLessThan(320);
  });

  it('divides time into passes of one hour', () => {
    expect([HOUR - 1, HOUR, HOUR + 3599.9, HOUR + 3600].map(passOf)).toEqual([HOUR - 3600, HOUR, HOUR, HOUR + 3600]);
  });
});

describe('createSemaphore', () => {
  const never = () => new Promise<void>(() => undefined);
  const time = {
    now: () => 0,
    sleep: (ms: number, signal: AbortSignal) => (ms === 0 ? Promise.resolve() : aborted(signal)),
  };

  it('runs at most the given number of tasks at once and starts the next when one ends', async () => {
    const semaphore = createSemaphore(2, 1, time);
    let inside = 0;
    let most = 0;
    const visit = () =>
      semaphore.run(async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise(setImmediate);
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 9 }, visit));
    await visit().catch(() => undefined);
    expect([most, inside]).toEqual([2, 0]);
  });

  it('rejects as busy after the wait, and releases the permit of a failed task', async () => {
    const semaphore = createSemaphore(1, 0, time);
    void semaphore.run(never);
    await expect(semaphore.run(never)).rejects.toMatchObject({ kind: 'busy' });
    const others = createSemaphore(1, 0, time);
    await expect(others.run(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await others.run(() => Promise.resolve('had'))).toBe('had');
  });

  function aborted(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  }
});
