import { passOf, turnIn, turnOf, TURNS } from '../src/domain/board-schedule.ts';
import { createPlaces } from '../src/domain/places.ts';

const HOUR = 1_799_996_400;

describe('the boards’ schedule', () => {
  it('gives each board one turn in an hour, every hour the same, spread over it', () => {
    const turns = Array.from({ length: 12 }, (_, index) => turnIn(HOUR + index * 300));
    expect(new Set(turns).size).toBe(TURNS);
    expect(turnIn(HOUR + 7 * 300)).toBe(turnIn(HOUR + 3600 + 7 * 300));
    const counts = Array<number>(TURNS).fill(0);
    for (let board = 0; board < 3000; board += 1) {
      const turn = turnOf({ titleId: '4d530064', leaderboardId: board });
      counts[turn] = (counts[turn] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(180);
    expect(Math.max(...counts)).toBeLessThan(320);
  });

  it('has passes of an hour', () => {
    expect([HOUR - 1, HOUR, HOUR + 3599.9, HOUR + 3600].map(passOf)).toEqual([HOUR - 3600, HOUR, HOUR, HOUR + 3600]);
  });
});

describe('places', () => {
  const never = () => new Promise<void>(() => undefined);
  const time = {
    now: () => 0,
    sleep: (ms: number, signal: AbortSignal) => (ms === 0 ? Promise.resolve() : aborted(signal)),
  };

  it('are for so many at once; the next gets in when one leaves', async () => {
    const places = createPlaces(2, 1, time);
    let inside = 0;
    let most = 0;
    const visit = () =>
      places.in(async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise(setImmediate);
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 9 }, visit));
    await visit().catch(() => undefined);
    expect([most, inside]).toEqual([2, 0]);
  });

  it('are given up by who has waited long enough, and lost by nobody', async () => {
    const places = createPlaces(1, 0, time);
    void places.in(never);
    await expect(places.in(never)).rejects.toMatchObject({ kind: 'busy' });
    const others = createPlaces(1, 0, time);
    await expect(others.in(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await others.in(() => Promise.resolve('had'))).toBe('had');
  });

  function aborted(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  }
});
