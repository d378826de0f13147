import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '../src/domain/change-cursor.ts';

const places = fc.record({
  towards: fc.constantFrom('older' as const, 'newer' as const),
  id: fc.nat(Number.MAX_SAFE_INTEGER),
});

describe('a cursor', () => {
  it('is the place that it was made from, in characters that need no encoding in a URL', () => {
    fc.assert(
      fc.property(places, (place) => {
        const cursor = encodeCursor(place);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(cursor)).toEqual(place);
      }),
    );
  });

  it('that anything was done to is refused, or is another that could have been given', () => {
    fc.assert(
      fc.property(
        places,
        fc.nat(),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        (place, at, character) => {
          const cursor = encodeCursor(place);
          const index = at % (cursor.length + 1);
          expectOursOrRefused(cursor.slice(0, index) + character + cursor.slice(index + 1));
          expectOursOrRefused(cursor.slice(0, index));
        },
      ),
    );
  });

  it('of any other making is refused', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), expectOursOrRefused));
  });

  it.each([
    ['nothing', ''],
    ['a number', '17'],
    ['a place without encoding', 'changes older 17'],
    ['padding', `${encodeCursor({ towards: 'older', id: 1 })}=`],
    ['a space', ` ${encodeCursor({ towards: 'older', id: 1 })}`],
    ['base64 of another alphabet', Buffer.from('changes older 1?>').toString('base64')],
    ['another direction', Buffer.from('changes __proto__ 17').toString('base64url')],
    ['a negative id', Buffer.from('changes older -1').toString('base64url')],
    ['a leading zero', Buffer.from('changes older 017').toString('base64url')],
    ['an id that no number holds', Buffer.from('changes older 9007199254740993').toString('base64url')],
    ['10,000 digits', Buffer.from(`changes older ${'9'.repeat(10_000)}`).toString('base64url')],
    ['a line behind it', Buffer.from('changes older 17\n').toString('base64url')],
  ])('that is %s is refused', (_what, cursor) => {
    expect(() => decodeCursor(cursor)).toThrow('cursor must be one that an answer gave');
  });
});

function expectOursOrRefused(text: string): void {
  let decoded;
  try {
    decoded = decodeCursor(text);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid', message: 'cursor must be one that an answer gave' });
    return;
  }
  expect(encodeCursor(decoded)).toBe(text);
}
