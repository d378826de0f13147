import fc from 'fast-check';
import { formatDate, formatInstant, slotOf } from '@lobbystats/contracts';
import { parseInstant } from '../src/instants.ts';

const anyInstant = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) / 1000 });

describe('instants', () => {
  it('parseInstant is the inverse of formatInstant', () => {
    fc.assert(
      fc.property(anyInstant, (epochSeconds) => {
        expect(parseInstant(formatInstant(epochSeconds))).toBe(epochSeconds);
        expect(formatInstant(epochSeconds).startsWith(formatDate(epochSeconds))).toBe(true);
      }),
    );
  });

  it('slotOf returns the slot that began less than five minutes ago', () => {
    fc.assert(
      fc.property(anyInstant, (epochSeconds) => {
        const slot = slotOf(epochSeconds);
        expect(slot % 300).toBe(0);
        expect(epochSeconds - slot).toBeGreaterThanOrEqual(0);
        expect(epochSeconds - slot).toBeLessThan(300);
      }),
    );
  });

  it.each(['', '2026-02-29T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01 00:00:00', '1969-12-31T23:59:59Z'])(
    'parseInstant rejects %j',
    (text) => {
      expect(parseInstant(text)).toBeUndefined();
    },
  );
});
