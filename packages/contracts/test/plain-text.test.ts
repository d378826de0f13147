import fc from 'fast-check';
import { isolated, plainText } from '../src/index.ts';

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
