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

describe('time', () => {
  it('is read back as it was written, in each of its three forms', () => {
    fc.assert(
      fc.property(seconds, (t) => {
        expect(parseInstant(timestamp.parse(formatTimestamp(t)))).toBe(t);
        expect(parseInstant(instant.parse(formatInstant(t)))).toBe(t);
        expect(parseInstant(date.parse(formatDate(t)))).toBe(t - (t % 86_400));
      }),
    );
  });

  it('puts an instant into the slot that began at most 5 minutes before', () => {
    fc.assert(
      fc.property(seconds, (t) => {
        expect(slotOf(t) % 300).toBe(0);
        expect(t - slotOf(t)).toBeGreaterThanOrEqual(0);
        expect(t - slotOf(t)).toBeLessThan(300);
      }),
    );
  });

  it.each(['2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', ' 2026-01-01', '2026-01-01\n'])(
    'refuses %j as a date',
    (text) => {
      expect(date.safeParse(text).success).toBe(false);
    },
  );

  it.each(['2026-01-01 24:00:00', '2026-01-01 12:60:00', '2026-01-01T12:00:00', '2026-01-01 12:00'])(
    'refuses %j as a timestamp',
    (text) => {
      expect(timestamp.safeParse(text).success).toBe(false);
    },
  );
});

describe('names', () => {
  it('are one name in every case, Unicode form and with spaces around', () => {
    expect(nameKey('  CAFE\u0301 ')).toBe(nameKey('caf\u00e9'));
  });

  it('are ordered by code point, not by UTF-16 unit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const expected = Buffer.compare(Buffer.from(a), Buffer.from(b));
        expect(Math.sign(compareCodePoints(a, b))).toBe(expected);
      }),
    );
  });
});

describe('a title ID', () => {
  it('is 8 hexadecimal digits, in lower case once read', () => {
    expect(titleId.parse('4D53006E')).toBe('4d53006e');
  });

  it.each(['4d53006', '4d53006ee', '4d53006g', '', '4d53006e ', '4d53006e\n'])('is not %j', (text) => {
    expect(titleId.safeParse(text).success).toBe(false);
  });
});
