import fc from 'fast-check';
import { TimeAccount } from '../src/domain/time-account.ts';

it('lets nobody use more than their share, what they have put by, and what they began last', () => {
  const uses = fc.array(fc.record({ pauseMs: fc.nat(10_000), useMs: fc.nat(5000) }), { maxLength: 50 });
  fc.assert(
    fc.property(uses, fc.integer({ min: 1, max: 100 }), fc.nat(5000), (asked, percent, savingsMs) => {
      let now = 0;
      const share = percent / 100;
      const account = new TimeAccount({ share, savingsMs, now: () => now });
      let used = 0;
      for (const { pauseMs, useMs } of asked) {
        now += pauseMs;
        while (account.debtMs() > 0) now += account.debtMs();
        // To within what a sum of fractions is off.
        expect(used).toBeLessThanOrEqual(share * now + savingsMs + 1e-3);
        now += useMs;
        used += useMs;
        account.pay(useMs);
      }
    }),
  );
});

it('owes for a use as long as its share of the time takes to come to it', () => {
  let now = 0;
  const account = new TimeAccount({ share: 0.1, savingsMs: 0, now: () => now });
  now += 1000;
  account.pay(1000);
  expect(account.debtMs()).toBe(9000 + 1000);
  now += 9999;
  expect(account.debtMs()).toBe(1);
  now += 1;
  expect(account.debtMs()).toBe(0);
});

it('puts by no more than it may', () => {
  let now = 0;
  const account = new TimeAccount({ share: 0.5, savingsMs: 100, now: () => now });
  now += 1_000_000;
  account.pay(101);
  expect(account.debtMs()).toBe(2);
});
