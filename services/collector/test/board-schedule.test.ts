import { passOf, slotIndexInPass, slotIndexOf, SLOTS_PER_PASS } from '../src/leaderboards/board-schedule.ts';

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
