import { DailyGrowth, growthAllowance } from '../../src/concurrency/index.ts';

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
