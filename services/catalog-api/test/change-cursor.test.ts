import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '../src/changes/change-pages.ts';

const cursors = fc.record({
  direction: fc.constantFrom('older' as const, 'newer' as const),
  id: fc.nat(Number.MAX_SAFE_INTEGER),
});

describe('change cursor', () => {
  it('a cursor decodes to the encoded position and uses only URL-safe characters', () => {
    fc.assert(
      fc.property(cursors, (position) => {
        const cursor = encodeCursor(position);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(cursor)).toEqual(position);
      }),
    );
  });

  it('rejects a modified cursor unless it is another valid cursor', () => {
    fc.assert(
      fc.property(
        cursors,
        fc.nat(),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        (position, at, character) => {
          const cursor = encodeCursor(position);
          const index = at % (cursor.length + 1);
          expectValidOrRejected(cursor.slice(0, index) + character + cursor.slice(index + 1));
          expectValidOrRejected(cursor.slice(0, index));
        },
      ),
    );
  });

  it('rejects arbitrary text unless it is a valid cursor', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), expectValidOrRejected));
  });

  it.each([
    ['an empty text', ''],
    ['a number', '17'],
    ['a position without encoding', 'changes older 17'],
    ['padding', `${encodeCursor({ direction: 'older', id: 1 })}=`],
    ['a space', ` ${encodeCursor({ direction: 'older', id: 1 })}`],
    ['base64 of another alphabet', Buffer.from('changes older 1?>').toString('base64')],
    ['another direction', Buffer.from('changes __proto__ 17').toString('base64url')],
    ['a negative id', Buffer.from('changes older -1').toString('base64url')],
    ['a leading zero', Buffer.from('changes older 017').toString('base64url')],
    ['an ID beyond the safe integers', Buffer.from('changes older 9007199254740993').toString('base64url')],
    ['10,000 digits', Buffer.from(`changes older ${'9'.repeat(10_000)}`).toString('base64url')],
    ['a trailing line break', Buffer.from('changes older 17\n').toString('base64url')],
  ])('rejects %s as a cursor', (_what, cursor) => {
    expect(() => decodeCursor(cursor)).toThrow('cursor must be one that an answer gave');
  });
});

function expectValidOrRejected(text: string): void {
  let decoded;
  try {
    decoded = decodeCursor(text);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid', message: 'cursor must be one that an answer gave' });
    return;
  }
  expect(encodeCursor(decoded)).toBe(text);
}
