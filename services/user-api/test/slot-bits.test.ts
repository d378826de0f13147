import fc from 'fast-check';
import {
  mergeDay,
  countBits,
  DAY_BYTES,
  dayOf,
  hasBit,
  highestBit,
  indexOf,
  setBits,
  slotAt,
} from '../src/users/play-day.ts';

const index = fc.integer({ min: 0, max: 287 });

describe('slot bitmap', () => {
  it('has exactly the set range of bits', () => {
    fc.assert(
      fc.property(index, index, index, (first, last, any) => {
        const bits = new Uint8Array(DAY_BYTES);
        setBits(bits, first, last);
        expect(hasBit(bits, any)).toBe(any >= first && any <= last);
        expect(countBits(bits)).toBe(Math.max(last - first + 1, 0));
        expect(highestBit(bits)).toBe(first <= last ? last : -1);
      }),
    );
  });

  it('maps an instant to the slot that contains it', () => {
    fc.assert(
      fc.property(fc.integer({ min: -200_000_000, max: 4_000_000_000 }), (at) => {
        const slot = slotAt(dayOf(at), indexOf(at));
        expect(slot <= at && at < slot + 300).toBe(true);
      }),
    );
  });
});

describe('mergeDay', () => {
  it('assigns each slot to the lowest claiming titleId in any order', () => {
    const claims = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), index, fc.integer({ min: 0, max: 9 })));
    fc.assert(
      fc.property(claims, (dayClaims) => {
        const titleBySlot = new Map<number, string>();
        let day: ReadonlyMap<string, Uint8Array> = new Map();
        for (const [title, first, more] of dayClaims) {
          const bits = new Uint8Array(DAY_BYTES);
          const last = Math.min(first + more, 287);
          setBits(bits, first, last);
          const before = day;
          day = mergeDay(before, new Map([[title, bits]])) ?? before;
          expect(mergeDay(day, new Map([[title, bits]]))).toBeUndefined();
          for (let slot = first; slot <= last; slot += 1) {
            const assignedTitle = titleBySlot.get(slot);
            if (assignedTitle === undefined || title < assignedTitle) titleBySlot.set(slot, title);
          }
        }
        const slots = Array.from({ length: 288 }, (_, slot) => slot);
        const holders = slots.map((slot) => [...day].filter(([, bits]) => hasBit(bits, slot)).map(([title]) => title));
        expect(holders).toEqual(slots.map((slot) => (titleBySlot.has(slot) ? [titleBySlot.get(slot)] : [])));
      }),
      { numRuns: 50 },
    );
  });
});
