import { growthAllowance } from '@lobbystats/concurrency';

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
