import { nameKey, type GameMetadata } from '@lobbystats/contracts';
import fc from 'fast-check';
import { TitleDirectory } from '../src/titles/title-directory.ts';
import { HARBOR, title } from './network.ts';

const IDS = ['00000001', '0000000a', '4d530064', 'deadbeef', 'ffffffff'];
const NAMES = ['Rally', 'AC/DC', '__proto__', 'constructor', '1942', 'Café', '🏁', '4d530064', 'cafebabe'];

describe('title directory', () => {
  it('throws unavailable before it is loaded', () => {
    const directory = new TitleDirectory();
    directory.put(1, [HARBOR]);
    expect(directory.isLoaded()).toBe(false);
    expect(() => directory.resolve(HARBOR.name)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(() => directory.byName()).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(() => directory.find(HARBOR.titleId)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(directory.known(HARBOR.titleId)).toBeUndefined();
  });

  it('finds titles that match a text, or else those that do but for one letter', () => {
    const directory = new TitleDirectory();
    const named = ['Inkstained Citadel', 'Citadel Run', 'Clockwork Legion'].map((name, id) =>
      title(`0000000${id}`, name),
    );
    directory.load({ revision: 1, titles: named });
    const similar = (text: string) => directory.similar(text).map(({ name }) => name);
    expect(similar('inkst')).toEqual(['Inkstained Citadel']);
    expect(similar('citadel')).toEqual(['Citadel Run', 'Inkstained Citadel']);
    expect(similar('clokwork legion')).toEqual(['Clockwork Legion']);
    expect([similar('nothing'), similar('   ')]).toEqual([[], []]);
  });

  it('converges to the final titles for facts in any order and with repeats', () => {
    fc.assert(
      fc.property(histories, ({ states, loadedAt, before, after }) => {
        const directory = new TitleDirectory();
        for (const revision of before) directory.put(revision, factOf(states, revision));
        directory.load({ revision: loadedAt, titles: states[loadedAt]! });
        for (const revision of after) directory.put(revision, factOf(states, revision));
        expectSame(directory, loadedDirectory(states.at(-1)!));
      }),
    );
  });
});

/** Titles at each revision, with unique names. Titles are added, never removed. */
const titleStates: fc.Arbitrary<GameMetadata[][]> = fc
  .array(fc.record({ names: fc.shuffledSubarray(NAMES, { minLength: IDS.length }), more: fc.nat(2) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((revisions) => {
    let count = 0;
    return revisions.map(({ names, more }) => {
      count = Math.min(IDS.length, count + more);
      return IDS.slice(0, count).map((id, index) => title(id, names[index]!));
    });
  });

/** Facts before the load, the loaded revision, and all later facts with repeats. */
const histories = titleStates.chain((states) =>
  fc.nat(states.length - 1).chain((loadedAt) => {
    const revisions = states.map((_, revision) => revision);
    const [old, following] = [revisions.slice(1, loadedAt + 1), revisions.slice(loadedAt + 1)];
    return fc.record({
      states: fc.constant(states),
      loadedAt: fc.constant(loadedAt),
      before: fc.shuffledSubarray(old),
      after: fc.shuffledSubarray([...following, ...following, ...old], {
        minLength: following.length * 2 + old.length,
      }),
    });
  }),
);

/** The titles that a revision changed. */
function factOf(states: GameMetadata[][], revision: number): GameMetadata[] {
  const known = new Map(states[revision - 1]?.map((one) => [one.titleId, one.name]));
  return states[revision]!.filter(({ titleId, name }) => known.get(titleId) !== name);
}

function loadedDirectory(titles: GameMetadata[]): TitleDirectory {
  const directory = new TitleDirectory();
  directory.load({ revision: 0, titles });
  return directory;
}

function expectSame(directory: TitleDirectory, expected: TitleDirectory): void {
  for (const game of [...IDS, ...NAMES, ...NAMES.map(nameKey), 'unknown']) {
    expect([game, directory.resolve(game)]).toEqual([game, expected.resolve(game)]);
  }
  for (const id of [...IDS, 'unknown']) expect(directory.find(id)).toEqual(expected.find(id));
  expect(directory.byName()).toEqual(expected.byName());
}
