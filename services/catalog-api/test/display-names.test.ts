import { nameKey } from '@lobbystats/contracts';
import fc from 'fast-check';
import { displayNames, type NamedTitle } from '../src/titles/catalog.ts';

describe('displayNames', () => {
  it('gives the lowest title ID the plain name and qualifies the others by ID', () => {
    expect(names({ '4d530064': 'Foo', '4d530001': 'Foo', ffffffff: 'foo ' })).toEqual({
      '4d530001': 'Foo',
      '4d530064': 'Foo (4d530064)',
      ffffffff: 'foo  (ffffffff)',
    });
  });

  it('keeps the own name of a title that equals the qualified name of another', () => {
    expect(names({ '00000001': 'Foo', '4d530064': 'Foo', ffffffff: 'FOO (4D530064)' })).toEqual({
      '00000001': 'Foo',
      '4d530064': 'Foo (4d530064) (4d530064)',
      ffffffff: 'FOO (4D530064)',
    });
  });

  it('treats two Unicode normal forms of a name as equal', () => {
    expect(names({ '00000001': 'Pok\u00e9', '00000002': 'Poke\u0301' })['00000002']).toBe('Poke\u0301 (00000002)');
  });

  it('gives unique names that do not depend on the order of titles', () => {
    fc.assert(
      fc.property(titleSets, (titles) => {
        const namesById = displayNames(titles);
        const keys = [...namesById.values()].map(nameKey);
        expect(new Set(keys).size).toBe(titles.length);
        expect(new Map([...displayNames(titles.toReversed())].sort())).toEqual(new Map([...namesById].sort()));
      }),
    );
  });

  it('gives the plain name exactly to the lowest title ID of each name', () => {
    fc.assert(
      fc.property(titleSets, (titles) => {
        const namesById = displayNames(titles);
        for (const { titleId, name } of titles) {
          const first = titles.every((other) => nameKey(other.name) !== nameKey(name) || other.titleId >= titleId);
          expect(namesById.get(titleId) === name).toBe(first);
        }
      }),
    );
  });
});

const ids = ['00000001', '4d530064', '4d530065', 'ffffffff', '0000000a', '0000000b'];

/** Names that collide with each other and with qualified names. */
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
  return Object.fromEntries(displayNames(Object.entries(byId).map(([titleId, name]) => ({ titleId, name }))));
}
