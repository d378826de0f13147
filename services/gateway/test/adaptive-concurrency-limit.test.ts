import { AdaptiveConcurrencyLimit } from '../src/upstreams/adaptive-concurrency-limit.ts';

const MAX_LIMIT = 320;
const TARGET_LATENCY_MS = 500;
/** Client timeout. */
const CLIENT_TIMEOUT_MS = 5000;
const STEP_MS = 10;

/**
 * Simulates an upstream whose capacity is shared among concurrent requests; timed-out requests cost as much as answered ones.
 * Returns the responses per second in the second half of the time.
 */
function simulatedGoodput(perSecond: number, askedPerSecond: number, seconds: number): number {
  let nowMs = 0;
  const limit = new AdaptiveConcurrencyLimit(MAX_LIMIT, TARGET_LATENCY_MS, () => nowMs);
  let underWay: { place: number; beganMs: number; left: number }[] = [];
  let [due, count] = [0, 0];
  for (; nowMs < seconds * 1000; nowMs += STEP_MS) {
    for (due += (askedPerSecond * STEP_MS) / 1000; due >= 1; due -= 1) {
      const permit = limit.tryAcquire();
      if (permit > 0) underWay.push({ place: permit, beganMs: nowMs, left: 1 });
    }
    const part = (perSecond * STEP_MS) / 1000 / Math.max(1, underWay.length);
    underWay = underWay.filter((question) => {
      question.left -= part;
      const tookMs = nowMs - question.beganMs;
      const isOver = question.left <= 0 || tookMs >= CLIENT_TIMEOUT_MS;
      if (!isOver) return true;
      limit.recordSample(tookMs, question.place);
      limit.release();
      if (question.left <= 0 && nowMs >= seconds * 500) count += 1;
      return false;
    });
  }
  return count / (seconds / 2);
}

describe('adaptive concurrency limit', () => {
  it.each([10, 43, 200, 2000])(
    'keeps goodput of an upstream that handles %i requests/s above 80 percent under tenfold overload',
    (perSecond) => {
      expect(simulatedGoodput(perSecond, 10 * perSecond, 60)).toBeGreaterThan(0.8 * perSecond);
    },
  );

  it('admits requests up to the maximum while latency stays within the target', () => {
    const limit = new AdaptiveConcurrencyLimit(3, TARGET_LATENCY_MS, () => 0);
    const permits = [limit.tryAcquire(), limit.tryAcquire(), limit.tryAcquire(), limit.tryAcquire()];
    expect(permits).toEqual([1, 2, 3, 0]);
    limit.recordSample(TARGET_LATENCY_MS, 3);
    limit.release();
    expect(limit.tryAcquire()).toBe(3);
  });

  it('does not lower the limit for slow responses at low concurrency', () => {
    const limit = new AdaptiveConcurrencyLimit(MAX_LIMIT, TARGET_LATENCY_MS, () => 0);
    limit.recordSample(10 * TARGET_LATENCY_MS, 31);
    const permits = Array.from({ length: MAX_LIMIT }, () => limit.tryAcquire());
    expect(permits.at(-1)).toBe(MAX_LIMIT);
  });

  it('halves the limit when the upstream sheds load, and recovers with time alone', () => {
    let nowMs = 0;
    const limit = new AdaptiveConcurrencyLimit(MAX_LIMIT, TARGET_LATENCY_MS, () => nowMs);
    const measureLimit = () => {
      let count = 0;
      while (limit.tryAcquire() > 0) count += 1;
      for (let left = count; left > 0; left -= 1) limit.release();
      return count;
    };
    limit.recordRejection(100);
    expect(measureLimit()).toBe(50);
    nowMs = 5000;
    expect(measureLimit()).toBeGreaterThan(90);
    nowMs = 60_000;
    expect(measureLimit()).toBe(MAX_LIMIT);
  });

  it('never lowers the limit below eight', () => {
    const limit = new AdaptiveConcurrencyLimit(MAX_LIMIT, TARGET_LATENCY_MS, () => 0);
    for (const permit of [320, 40, 20, 10, 8, 8, 8]) limit.recordSample(60_000, permit);
    expect(Array.from({ length: 9 }, () => limit.tryAcquire())).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 0]);
  });
});
