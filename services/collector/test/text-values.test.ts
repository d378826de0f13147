import { readActivity, readCount, readLapTime, readPlayerCount } from '../src/pages/text-values.ts';

/** The digits 0 to 9 of each numbering system that has digits, by the data of the runtime. */
const SYSTEMS = Intl.supportedValuesOf('numberingSystem')
  .map((system) => {
    const format = new Intl.NumberFormat('en', { numberingSystem: system, useGrouping: false });
    return { system, digits: Array.from({ length: 10 }, (_, digit) => format.format(digit)) };
  })
  .filter(({ digits }) => digits.every((digit) => /^\p{Nd}$/u.test(digit)));

describe('a count', () => {
  it('is read in the digits of every script', () => {
    expect(SYSTEMS.length).toBeGreaterThan(50);
    for (const { digits } of SYSTEMS) {
      expect(readCount([9, 0, 1, 2, 3, 4, 5, 6, 7].map((digit) => digits[digit]).join(''))).toBe(901_234_567);
      expect(readCount(`${digits[8]},${digits[1]}${digits[0]}${digits[9]}`)).toBe(8109);
    }
  });

  it.each([
    ['1,24,433', 124_433],
    ['12,34,567', 1_234_567],
    ['१,२४,४३३', 124_433],
    ['٢٤٬٤٣٣', 24_433],
    ['２４，４３３', 24_433],
    ['👥 481', 481],
    ['\u200f481\u200e', 481],
    ['481\u200d', 481],
  ])('is read from %s', (text, count) => {
    expect(readCount(text)).toBe(count);
  });

  it.each([
    '24.4K',
    '24K',
    '1.2M',
    '24,433+',
    '1,24,43',
    '1,2433',
    '1.24.433',
    '1,24.433',
    '0,433',
    '0.433',
    '٢٤٫٤٣٣',
    '4٨1',
    '48\u200f1',
    '48\u200c1',
    '\u202e184',
    '481²',
    '4½',
    '①',
    '➖5',
    '👥',
    '',
  ])('is not read from %j', (text) => {
    expect(readCount(text)).toBeUndefined();
  });
});

describe('players of a maximum', () => {
  it.each(['3/8', '3⁄8', '3∕8', '３／８', '٣/٨', '3 of 8', '3 out of 8', '3 / 8 players', '🎮 3/8'])(
    'are read from %s',
    (text) => {
      expect(readPlayerCount(text)).toEqual({ players: 3, maxPlayers: 8 });
    },
  );

  it.each(['⅜', '1 3⁄8', '3⁄8⁄9', '3\\8', '9⁄8'])('are not read from %s', (text) => {
    expect(readPlayerCount(text)).toBeUndefined();
  });
});

it('reads activities and times in other digits', () => {
  expect(readActivity('٤ in ١ session')).toEqual({ players: 4, sessions: 1 });
  expect(readActivity('٠')).toEqual({ players: 0, sessions: 0 });
  expect(readActivity('🎮')).toBeNull();
  expect(readLapTime('٠٠:٤٩٫٣٠٠')).toBe(49_300);
  expect(readLapTime('००：४९．३')).toBe(49_300);
});
