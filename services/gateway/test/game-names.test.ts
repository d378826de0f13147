import { compareCodePoints } from '@lobbystats/contracts';
import fc from 'fast-check';
import { underOwnNames } from '../src/domain/game-names.ts';
import { jsonMember, jsonObject } from '../src/domain/json-object.ts';

const titles = fc.uniqueArray(
  fc.record({
    titleId: fc.stringMatching(/^[0-9a-f]{8}$/),
    name: fc.constantFrom('Rally', '1942', '7', '__proto__', 'constructor', '🏁', '\uffff', 'a"b'),
    value: fc.nat(),
  }),
  { selector: ({ titleId }) => titleId, maxLength: 12 },
);

describe('titles under names of their own', () => {
  it('are all there, once, by name, whatever order they come in', () => {
    fc.assert(
      fc.property(titles, (given) => {
        const named = underOwnNames(given);
        expect(underOwnNames(given.toReversed())).toEqual(named);
        const names = named.map(([name]) => name);
        expect(names).toEqual(names.toSorted(compareCodePoints));
        const json = jsonObject(named.map(([name, value]) => jsonMember(name, value)));
        expect(Object.entries(JSON.parse(json) as object).toSorted()).toEqual(named.toSorted());
        expect(named.map(([, value]) => value).toSorted()).toEqual(given.map(({ value }) => value).toSorted());
      }),
    );
  });

  it('leave the plain name to the lowest ID', () => {
    const given = ['b', 'a', 'c'].map((digit) => ({ titleId: digit.repeat(8), name: 'Rally', value: digit }));
    expect(underOwnNames(given)).toEqual([
      ['Rally', 'a'],
      ['Rally (bbbbbbbb)', 'b'],
      ['Rally (cccccccc)', 'c'],
    ]);
  });
});
