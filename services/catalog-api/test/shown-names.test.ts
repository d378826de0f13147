import { nameKey } from '@lobbystats/contracts';
import fc from 'fast-check';
import { shownNames, type NamedTitle } from '../src/domain/shown-names.ts';

describe('the names that titles are shown under', () => {
  it('give the lowest title ID the plain name and each other one its ID', () => {
    expect(names({ '4d530064': 'Foo', '4d530001': 'Foo', ffffffff: 'foo ' })).toEqual({
      '4d530001': 'Foo',
      '4d530064': 'Foo (4d530064)',
      ffffffff: 'foo  (ffffffff)',
    });
  });

  it('leave a title its own name when that is what another would be qualified as', () => {
    expect(names({ '00000001': 'Foo', '4d530064': 'Foo', ffffffff: 'FOO (4D530064)' })).toEqual({
      '00000001': 'Foo',
      '4d530064': 'Foo (4d530064) (4d530064)',
      ffffffff: 'FOO (4D530064)',
    });
  });

  it('take a name in two normal forms for one', () => {
    expect(names({ '00000001': 'Pok\u00e9', '00000002': 'Poke\u0301' })['00000002']).toBe('Poke\u0301 (00000002)');
  });

  it('are unique, and the same whatever order the titles come in', () => {
    fc.assert(
      fc.property(titleSets, (titles) => {
        const shown = shownNames(titles);
        const keys = [...shown.values()].map(nameKey);
        expect(new Set(keys).size).toBe(titles.length);
        expect(new Map([...shownNames(titles.toReversed())].sort())).toEqual(new Map([...shown].sort()));
      }),
    );
  });

  it('are plain for the lowest title ID of each name', () => {
    fc.assert(
      fc.property(titleSets, (titles) => {
        const shown = shownNames(titles);
        for (const { titleId, name } of titles) {
          const first = titles.every((other) => nameKey(other.name) !== nameKey(name) || other.titleId >= titleId);
          expect(shown.get(titleId) === name).toBe(first);
        }
      }),
    );
  });
});

const ids = ['00000001', '4d530064', '4d530065', 'ffffffff', '0000000a', '0000000b'];

/** Names that are made to collide: with each other, and with what qualifying one of them gives. */
const collidingNames = fc
  .tuple(
    fc.constantFrom('Foo', 'foo', 'FOO ', 'ΟΔΟΣ', 'İ', 'é', 'e\u0301', '__proto__', '4d530064'),
    fc.array(fc.constantFrom(...ids), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([name, suffixes, upper]) => {
    const full = [name, ...suffixes.map((id) => `(${id})`)].join(' ');
    return upper ? full.toUpperCase() : full;
  });

const titleSets: fc.Arbitrary<NamedTitle[]> = fc.uniqueArray(
  fc.record({ titleId: fc.constantFrom(...ids), name: fc.oneof(collidingNames, fc.string({ unit: 'binary' })) }),
  { selector: ({ titleId }) => titleId },
);

function names(byId: Record<string, string>): Record<string, string> {
  return Object.fromEntries(shownNames(Object.entries(byId).map(([titleId, name]) => ({ titleId, name }))));
}
