import { DebtTokenBucket } from '../../src/concurrency/index.ts';
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
