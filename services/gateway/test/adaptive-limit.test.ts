import { AdaptiveLimit } from '../src/adapters/http/adaptive-limit.ts';

const MOST = 320;
const WITHIN_MS = 500;
/** Who has asked waits for so long. */
const PATIENCE_MS = 5000;
const STEP_MS = 10;

/**
 * Somebody who does so much a second, shared among all whom they have at once, is asked so often; who has waited in vain has cost as
 * much as an answer. Returns how many a second were answered in the second half of the time.
 */
function answered(perSecond: number, askedPerSecond: number, seconds: number): number {
  let nowMs = 0;
  const limit = new AdaptiveLimit(MOST, WITHIN_MS, () => nowMs);
  let underWay: { place: number; beganMs: number; left: number }[] = [];
  let [due, count] = [0, 0];
  for (; nowMs < seconds * 1000; nowMs += STEP_MS) {
    for (due += (askedPerSecond * STEP_MS) / 1000; due >= 1; due -= 1) {
      const place = limit.enter();
      if (place > 0) underWay.push({ place, beganMs: nowMs, left: 1 });
    }
    const part = (perSecond * STEP_MS) / 1000 / Math.max(1, underWay.length);
    underWay = underWay.filter((question) => {
      question.left -= part;
      const tookMs = nowMs - question.beganMs;
      const isOver = question.left <= 0 || tookMs >= PATIENCE_MS;
      if (!isOver) return true;
      limit.took(tookMs, question.place);
      limit.leave();
      if (question.left <= 0 && nowMs >= seconds * 500) count += 1;
      return false;
    });
  }
  return count / (seconds / 2);
}

describe('an adaptive limit', () => {
  it.each([10, 43, 200, 2000])(
    'leaves somebody who does %i a second nearly all of that, when ten times as much is asked',
    (perSecond) => {
      expect(answered(perSecond, 10 * perSecond, 60)).toBeGreaterThan(0.8 * perSecond);
    },
  );

  it('lets the most in while answers come in time', () => {
    const limit = new AdaptiveLimit(3, WITHIN_MS, () => 0);
    const places = [limit.enter(), limit.enter(), limit.enter(), limit.enter()];
    expect(places).toEqual([1, 2, 3, 0]);
    limit.took(WITHIN_MS, 3);
    limit.leave();
    expect(limit.enter()).toBe(3);
  });

  it('does not take slowness beside few for that of a crowd', () => {
    const limit = new AdaptiveLimit(MOST, WITHIN_MS, () => 0);
    limit.took(10 * WITHIN_MS, 31);
    const places = Array.from({ length: MOST }, () => limit.enter());
    expect(places.at(-1)).toBe(MOST);
  });

  it('halves what was refused for want of time, and grows back with time alone', () => {
    let nowMs = 0;
    const limit = new AdaptiveLimit(MOST, WITHIN_MS, () => nowMs);
    const fill = () => {
      let count = 0;
      while (limit.enter() > 0) count += 1;
      for (let left = count; left > 0; left -= 1) limit.leave();
      return count;
    };
    limit.refused(100);
    expect(fill()).toBe(50);
    nowMs = 5000;
    expect(fill()).toBeGreaterThan(90);
    nowMs = 60_000;
    expect(fill()).toBe(MOST);
  });

  it('never goes below eight', () => {
    const limit = new AdaptiveLimit(MOST, WITHIN_MS, () => 0);
    for (const place of [320, 40, 20, 10, 8, 8, 8]) limit.took(60_000, place);
    expect(Array.from({ length: 9 }, () => limit.enter())).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 0]);
  });
});
