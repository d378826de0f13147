import { compareCodePoints } from '@lobbystats/contracts';
import fc from 'fast-check';
import { withUniqueNames } from '../src/titles/game-names.ts';
import { jsonMember, jsonObject } from '../src/upstreams/json-object.ts';

const titles = fc.uniqueArray(
  fc.record({
    titleId: fc.stringMatching(/^[0-9a-f]{8}$/),
    name: fc.constantFrom('Rally', '1942', '7', '__proto__', 'constructor', '🏁', '\uffff', 'a"b'),
    value: fc.nat(),
  }),
  { selector: ({ titleId }) => titleId, maxLength: 12 },
);

describe('titles by unique name', () => {
  it('contain every title once, sorted by name, for any input order', () => {
    fc.assert(
      fc.property(titles, (input) => {
        const named = withUniqueNames(input);
        expect(withUniqueNames(input.toReversed())).toEqual(named);
        const names = named.map(([name]) => name);
        expect(names).toEqual(names.toSorted(compareCodePoints));
        const json = jsonObject(named.map(([name, value]) => jsonMember(name, value)));
        expect(Object.entries(JSON.parse(json) as object).toSorted()).toEqual(named.toSorted());
        expect(named.map(([, value]) => value).toSorted()).toEqual(input.map(({ value }) => value).toSorted());
      }),
    );
  });

  it('give the plain name to the lowest title ID and append the ID to the others', () => {
    const input = ['b', 'a', 'c'].map((digit) => ({ titleId: digit.repeat(8), name: 'Rally', value: digit }));
    expect(withUniqueNames(input)).toEqual([
      ['Rally', 'a'],
      ['Rally (bbbbbbbb)', 'b'],
      ['Rally (cccccccc)', 'c'],
    ]);
  });
});
