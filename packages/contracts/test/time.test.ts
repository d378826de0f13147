import fc from 'fast-check';
import {
  compareCodePoints,
  date,
  formatDate,
  formatInstant,
  formatTimestamp,
  instant,
  nameKey,
  parseInstant,
  slotOf,
  timestamp,
  titleId,
} from '@lobbystats/contracts';

const seconds = fc.integer({ min: 0, max: 4_000_000_000 });

describe('time formats', () => {
  it('timestamps, instants and dates survive formatting and parsing', () => {
    fc.assert(
      fc.property(seconds, (t) => {
        expect(parseInstant(timestamp.parse(formatTimestamp(t)))).toBe(t);
        expect(parseInstant(instant.parse(formatInstant(t)))).toBe(t);
        expect(parseInstant(date.parse(formatDate(t)))).toBe(t - (t % 86_400));
      }),
    );
  });

  it('slotOf returns the beginning of the slot that contains the instant', () => {
    fc.assert(
      fc.property(seconds, (t) => {
        expect(slotOf(t) % 300).toBe(0);
        expect(t - slotOf(t)).toBeGreaterThanOrEqual(0);
        expect(t - slotOf(t)).toBeLessThan(300);
      }),
    );
  });

  it.each(['2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', ' 2026-01-01', '2026-01-01\n'])(
    'rejects %j as a date',
    (text) => {
      expect(date.safeParse(text).success).toBe(false);
    },
  );

  it.each(['2026-01-01 24:00:00', '2026-01-01 12:60:00', '2026-01-01T12:00:00', '2026-01-01 12:00'])(
    'rejects %j as a timestamp',
    (text) => {
      expect(timestamp.safeParse(text).success).toBe(false);
    },
  );
});

describe('names', () => {
  it('nameKey ignores case, Unicode form and surrounding spaces', () => {
    expect(nameKey('  CAFE\u0301 ')).toBe(nameKey('caf\u00e9'));
  });

  it('compareCodePoints orders by code point, not by UTF-16 unit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const expected = Buffer.compare(Buffer.from(a), Buffer.from(b));
        expect(Math.sign(compareCodePoints(a, b))).toBe(expected);
      }),
    );
  });
});

describe('titleId', () => {
  it('accepts 8 hexadecimal digits and converts them to lower case', () => {
    expect(titleId.parse('4D53006E')).toBe('4d53006e');
  });

  it.each(['4d53006', '4d53006ee', '4d53006g', '', '4d53006e ', '4d53006e\n'])('rejects %j as a title ID', (text) => {
    expect(titleId.safeParse(text).success).toBe(false);
  });
});
