import fc from 'fast-check';
import { Roster } from '../src/http/roster.ts';

describe('a roster', () => {
  it('has those who have entered and not left, whoever leaves in whatever order, and twice', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 }), { maxLength: 60 }), (steps) => {
        const roster = new Roster<number>();
        const leave = new Map<number, () => void>();
        const there = new Set<number>();
        for (const item of steps) {
          const known = leave.get(item);
          if (known === undefined || !there.has(item)) {
            leave.set(item, roster.enter(item));
            there.add(item);
          } else {
            known();
            known();
            there.delete(item);
          }
          expect([...roster].toSorted((a, b) => a - b)).toEqual([...there].toSorted((a, b) => a - b));
        }
      }),
    );
  });
});
