import { groupDueIn, groupOf, passOf, SLOTS_PER_PASS } from '../src/boards/board-schedule.ts';

const HOUR = 1_799_996_400;
const slotsOf = (pass: number) => Array.from({ length: SLOTS_PER_PASS }, (_, index) => pass + index * 300);

describe('board schedule', () => {
  it('spreads boards evenly over the groups', () => {
    const counts = Array<number>(SLOTS_PER_PASS).fill(0);
    for (let board = 0; board < 3000; board += 1) {
      const group = groupOf({ titleId: '4d530064', leaderboardId: board });
      counts[group] = (counts[group] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(180);
    expect(Math.max(...counts)).toBeLessThan(320);
  });

  it('reads each group once in every hour, one slot later than in the hour before', () => {
    for (const pass of [HOUR, HOUR + 3600, HOUR + 24 * 3600]) {
      expect(new Set(slotsOf(pass).map(groupDueIn)).size).toBe(SLOTS_PER_PASS);
      expect(groupDueIn(pass + 3600 + 8 * 300)).toBe(groupDueIn(pass + 7 * 300));
    }
  });

  it('reads each group in ten of twelve hours when the last two slots of an hour are cut', () => {
    const reads = Array<number>(SLOTS_PER_PASS).fill(0);
    for (let hour = 0; hour < 12; hour += 1) {
      for (const slot of slotsOf(HOUR + hour * 3600).slice(0, -2)) {
        const group = groupDueIn(slot);
        reads[group] = (reads[group] ?? 0) + 1;
      }
    }
    expect(reads).toEqual(Array(SLOTS_PER_PASS).fill(10));
  });

  it('divides time into passes of one hour', () => {
    expect([HOUR - 1, HOUR, HOUR + 3599.9, HOUR + 3600].map(passOf)).toEqual([HOUR - 3600, HOUR, HOUR, HOUR + 3600]);
  });
});
