import { DebtTokenBucket, DailyGrowth, growthAllowance, exponentialBackoff } from '../../src/concurrency/index.ts';
import fc from 'fast-check';

it('usage never exceeds the share of elapsed time plus the burst and the last charge', () => {
  const uses = fc.array(fc.record({ pauseMs: fc.nat(10_000), useMs: fc.nat(5000) }), { maxLength: 50 });
  fc.assert(
    fc.property(uses, fc.integer({ min: 1, max: 100 }), fc.nat(5000), (asked, percent, burstMs) => {
      let now = 0;
      const share = percent / 100;
      const account = new DebtTokenBucket({ share, burstMs, now: () => now });
      let used = 0;
      for (const { pauseMs, useMs } of asked) {
        now += pauseMs;
        while (account.retryAfterMs() > 0) now += account.retryAfterMs();
        // Tolerance for floating-point rounding.
        expect(used).toBeLessThanOrEqual(share * now + burstMs + 1e-3);
        now += useMs;
        used += useMs;
        account.charge(useMs);
      }
    }),
  );
});

it('retryAfterMs is the time in which the share pays off the debt', () => {
  let now = 0;
  const account = new DebtTokenBucket({ share: 0.1, burstMs: 0, now: () => now });
  now += 1000;
  account.charge(1000);
  expect(account.retryAfterMs()).toBe(9000 + 1000);
  now += 9999;
  expect(account.retryAfterMs()).toBe(1);
  now += 1;
  expect(account.retryAfterMs()).toBe(0);
});

it('credit saved while idle never exceeds the burst', () => {
  let now = 0;
  const account = new DebtTokenBucket({ share: 0.5, burstMs: 100, now: () => now });
  now += 1_000_000;
  account.charge(101);
  expect(account.retryAfterMs()).toBe(2);
});

const limit = { base: 50, share: 0.1 };

describe('growthAllowance', () => {
  it('allows the base and a share of what was known before', () => {
    expect(growthAllowance(limit, { known: 0, recent: 0 })).toBe(50);
    expect(growthAllowance(limit, { known: 1000, recent: 0 })).toBe(150);
  });

  it('counts what has come within the period, whose items allow no others', () => {
    expect(growthAllowance(limit, { known: 1100, recent: 100 })).toBe(50);
    expect(growthAllowance(limit, { known: 1150, recent: 150 })).toBe(0);
    expect(growthAllowance(limit, { known: 5000, recent: 4000 })).toBe(0);
  });
});

describe('DailyGrowth', () => {
  it('allows no more than the limit of a UTC day, and as much again on the next one', () => {
    let nowMs = Date.UTC(2026, 0, 15, 23, 59);
    const growth = new DailyGrowth(limit, () => nowMs);
    expect(growth.allowance(100)).toBe(60);
    growth.record(60);
    expect(growth.allowance(160)).toBe(0);
    nowMs += 60_000;
    expect(growth.allowance(160)).toBe(66);
  });
});

describe('exponentialBackoff', () => {
  it('doubles the delay from attempt to attempt, up to the maximum', () => {
    expect([1, 2, 3, 4, 5].map(exponentialBackoff(100, 900))).toEqual([100, 200, 400, 800, 900]);
  });
});
