import fc from 'fast-check';
import { isolated, plainText, backfillText, decodeSegment, encodeSegment } from '../src/index.ts';

describe('a name in a text without markup', () => {
  it.each([
    ['Ember Fox', 'Ember Fox'],
    ['Été 🏁 50%', 'Été 🏁 50%'],
    ['\u202Eevil', '\u2068\u202Eevil\u2069'],
    ['שלום', '\u2068שלום\u2069'],
    ['a\u2069\u202Eb', '\u2068a\u202Eb\u2069'],
    ['\u2067a', '\u2068\u2067a\u2069\u2069'],
    ['\u2067a\u2069b', '\u2068\u2067a\u2069b\u2069'],
  ])('%j becomes %j', (name, expected) => {
    expect(isolated(name)).toBe(expected);
  });

  it('ends with it, whatever controls it has', () => {
    const unit = fc.constantFrom(...'ab \u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069א'.split(''));
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1 }), (name) => {
        fc.pre(/[^ab ]/.test(name));
        let depth = 0;
        // The isolate that begins with the name ends at its last character, and no earlier.
        const depths = isolated(name)
          .split('')
          .map((unitOfName) => {
            if (/[\u2066-\u2068]/.test(unitOfName)) depth += 1;
            if (unitOfName === '\u2069') depth -= 1;
            return depth;
          });
        expect(depths.slice(0, -1).every((one) => one > 0)).toBe(true);
        expect(depths.at(-1)).toBe(0);
      }),
    );
  });

  it('is isolated by the template', () => {
    expect(plainText`${'\u202Eevil'} is rank ${3} of ${'Old Pier'}`).toBe(
      '\u2068\u202Eevil\u2069 is rank 3 of Old Pier',
    );
  });
});

describe('backfill text', () => {
  it('names each unfinished part with its percentage and days', () => {
    expect(
      backfillText([
        { part: 'snapshots', done: 1031, total: 8640 },
        { part: 'leaderboards', done: 23, total: 168 },
      ]),
    ).toBe('Reading the past: 11 % of 30 days of snapshots, 13 % of 7 days of leaderboards.');
    expect(backfillText([{ part: 'snapshots', done: 287, total: 288 }])).toBe(
      'Reading the past: 99 % of 1 day of snapshots.',
    );
  });

  it.each([[[]], [[{ part: 'snapshots', done: 8640, total: 8640 } as const]]])('is undefined for %j', (parts) => {
    expect(backfillText(parts)).toBeUndefined();
  });
});

describe('a path segment', () => {
  it.each(['.', '..', '%2E', '%2e%2E', '.%2E', '%252E.', '...', '%', '%2F', 'a/b', 'Ember Fox', '🏁'])(
    'of %j is one segment, stays it in a URL, and is decoded to the text',
    (text) => {
      const { pathname } = new URL(`http://host/u/${encodeSegment(text)}/x`);
      const [, , segment = '', ...rest] = pathname.split('/');
      expect([decodeSegment(decodeURIComponent(segment)), rest]).toEqual([text, ['x']]);
    },
  );

  it('is different for different texts', () => {
    const dots = fc.array(fc.constantFrom('.', '%2E', '%2e', '%252E', 'a'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.oneof(
          dots.map((parts) => parts.join('')),
          fc.string({ minLength: 1 }),
        ),
        (text) => {
          const { pathname } = new URL(`http://host/${encodeSegment(text)}`);
          expect(decodeSegment(decodeURIComponent(pathname.slice(1)))).toBe(text.toWellFormed());
        },
      ),
    );
  });
});
