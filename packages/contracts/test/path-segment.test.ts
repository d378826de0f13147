import fc from 'fast-check';
import { decodeSegment, encodeSegment } from '../src/index.ts';

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
