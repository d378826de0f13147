import { matches, matchOf, nameKey, wordKeys } from '@lobbystats/contracts';
import fc from 'fast-check';
import type { FoundName } from '../src/names/names.queries.ts';
import type { CatalogStore } from '../src/open-store.ts';
import { BOARD, commitNext, put, times, TITLE, write, type BoardDraft, type BoardStore } from './stored-boards.ts';

/** Contract tests of {@link BoardStore}: names while they are typed. `open` returns an empty catalog each time. */
export function describeNameSearch(adapter: string, open: () => Promise<CatalogStore>): void {
  describe(`${adapter} as a search of names`, () => {
    let catalog: CatalogStore;
    let store: BoardStore;
    beforeEach(async () => {
      catalog = await open();
      store = catalog.boards;
    });
    afterEach(async () => {
      await catalog.close();
    });

    it('finds nothing before the first commit', async () => {
      expect(await store.namesWithWord('a', 9)).toEqual([]);
      expect([...(await store.entryCounts([TITLE])).values()]).not.toContain(1);
    });

    it('orders exact names, names that begin with the text and later words, each by number of entries', async () => {
      const entries = (...names: string[]) => times(...names.map((name) => [name, 1] as const));
      await put(
        store,
        { leaderboardId: 1, name: 'Fox', entries: entries('Ember Fox', 'Foxes', 'Fox Den') },
        { leaderboardId: 2, name: 'Red Fox', entries: entries('Fox', 'Fox Den', 'x', 'y') },
      );
      expect((await store.namesWithWord('fox', 9)).map(brief)).toEqual([
        '0 Fox 3 1',
        '0 Fox 1',
        '1 Fox Den 2',
        '1 Foxes 1',
        '2 Red Fox 4 2',
        '2 Ember Fox 1',
      ]);
      expect((await store.namesWithWord('fox', 3)).map(brief)).toEqual(['0 Fox 3 1', '0 Fox 1', '1 Fox Den 2']);
    });

    it('orders names with equally many entries by their word, then boards by ID before players by name', async () => {
      const players = ['Fox D', 'Fox B', 'Foxes', 'Fox A', 'Fox C', 'Red Fox', 'Blue Fox', 'Old Foxes'];
      for (const [index, player] of players.entries()) {
        const leaderboardId = 12 - index;
        await put(store, { leaderboardId, name: index < 2 ? 'Fox' : `Board ${index}`, entries: times([player, 1]) });
      }
      const all = (await store.namesWithWord('fox', 20)).map(brief);
      expect(all).toEqual([
        ...['0 Fox 1 11', '0 Fox 1 12', '1 Fox A 1', '1 Fox B 1', '1 Fox C 1', '1 Fox D 1', '1 Foxes 1'],
        ...['2 Blue Fox 1', '2 Red Fox 1', '2 Old Foxes 1'],
      ]);
      for (const limit of [1, 3, 5, 9]) {
        expect((await store.namesWithWord('fox', limit)).map(brief)).toEqual(all.slice(0, limit));
      }
    });

    it('finds names with a part inside a word, and forgets those that are gone', async () => {
      const entries = (...names: string[]) => times(...names.map((name) => [name, 1] as const));
      await put(
        store,
        { leaderboardId: 1, name: 'Foxholes', entries: entries('xXfoxXx', 'Dogfox', 'Fox') },
        { leaderboardId: 2, name: 'Snowfoxes', entries: entries('Dogfox') },
      );
      expect((await store.namesWithPart('oxh', 9)).map(brief)).toEqual(['4 Foxholes 3 1']);
      expect((await store.namesWithPart('fox', 9)).map(brief)).toEqual([
        '4 Dogfox 2',
        '4 Snowfoxes 1 2',
        '4 xXfoxXx 1',
      ]);
      expect((await store.namesWithPart('fox', 2)).map(brief)).toEqual(['4 Dogfox 2', '4 Snowfoxes 1 2']);
      await put(store, { leaderboardId: 1, gone: true, version: 2 });
      await put(store, { leaderboardId: 2, name: 'Hens', entries: entries('DOGFOX'), version: 2 });
      expect((await store.namesWithPart('fox', 9)).map(({ name }) => nameKey(name))).toEqual(['dogfox']);
      expect(await store.namesWithPart('oxh', 9)).toEqual([]);
    });

    it('counts the boards of each title that players are on', async () => {
      const entries = times(['A', 1], ['a', 2], ['B', 3]);
      await put(store, { entries }, { leaderboardId: 2, entries }, { titleId: '00000001', entries: times(['A', 1]) });
      const counts = await store.boardCounts(['a', 'b', 'none']);
      const boardsOf = (player: string) => Object.fromEntries(counts.get(player) ?? []);
      expect([boardsOf('a'), boardsOf('b'), boardsOf('none')]).toEqual([
        { [TITLE]: 2, '00000001': 1 },
        { [TITLE]: 2 },
        {},
      ]);
    });

    it('counts entries on the boards of each title that are not gone', async () => {
      const entries = times(['A', 1], ['B', 2]);
      await put(store, { entries }, { leaderboardId: 2, entries }, { titleId: '00000001', entries });
      await put(store, { leaderboardId: 2, gone: true, version: 2 });
      const counts = await store.entryCounts([TITLE, '00000001', 'ffffffff']);
      expect([counts.get(TITLE), counts.get('00000001'), counts.get('ffffffff') ?? 0]).toEqual([2, 2, 0]);
    });

    it('finds exactly the names of the current entries and boards after any commits', async () => {
      let versions = 0;
      const boards = new Map<number, BoardDraft>();
      await fc.assert(
        fc.asyncProperty(commits, async (drafts) => {
          versions += 1;
          for (const draft of drafts) boards.set(draft.leaderboardId, draft);
          await commitNext(store, { boards: drafts.map((draft) => write({ ...draft, version: versions })) });
          for (const key of KEYS) {
            const expected = namesOf([...boards.values()], key);
            const found = await store.namesWithWord(key, 500);
            expect(found.map(comparable).sort()).toEqual(expected.map(comparable).sort());
            expect(found.map(order)).toEqual(expected.map(order).sort());
            expect((await store.namesWithWord(key, 3)).map(order)).toEqual(expected.map(order).sort().slice(0, 3));
          }
        }),
        { numRuns: 40 },
      );
    });
  });
}

const NAMES = [
  'Fox',
  'FOX',
  'Ember Fox',
  'EmberFox99',
  'Élan',
  'e\u0301lan',
  '__proto__',
  '$gt',
  'a\0b',
  '%',
  '🏁',
  'Fox fox fox',
  '.*',
];
const KEYS = ['f', 'fox', 'e', 'elan', 'proto', 'gt', 'ab', '%', '🏁', '.*', 'none', "' or 1=1"];
const commits = fc.uniqueArray(
  fc
    .record({
      leaderboardId: fc.integer({ min: 1, max: 4 }),
      name: fc.constantFrom('Fox Run', 'Run, fox', 'Élan', '%'),
      names: fc.option(fc.array(fc.constantFrom(...NAMES), { maxLength: 6 }), { freq: 6 }),
    })
    .map(({ leaderboardId, name, names }) => ({
      ...{ leaderboardId, name, gone: names === null },
      entries: times(...(names ?? []).map((player) => [player, 1] as const)),
    })),
  { selector: ({ leaderboardId }) => leaderboardId, minLength: 1 },
);

/** The expected names, computed from all boards. */
function namesOf(boards: readonly BoardDraft[], key: string): FoundName[] {
  const current = boards.filter(({ gone }) => gone !== true);
  const players = Map.groupBy(
    current.flatMap(({ entries = [] }) => entries),
    ({ name }) => nameKey(name),
  );
  const all = [
    ...Array.from(players.values(), (entries) => ({
      name: entries[0]?.name ?? '',
      entries: entries.length,
      board: null,
    })),
    ...current.map(({ leaderboardId = 0, name = '', entries = [] }) => ({
      ...{ name, entries: entries.length },
      board: { ...BOARD, leaderboardId },
    })),
  ];
  return all.flatMap((one) => {
    const match = matchOf(wordKeys(one.name), { key, words: [key] });
    return match === undefined || match > matches.laterWord ? [] : [{ match, ...one }];
  });
}

/** A player with several spellings may be found by any of them. */
function comparable({ name, board, ...rest }: FoundName): string {
  return JSON.stringify([nameKey(name), board, rest.match, rest.entries]);
}

function order({ match, entries }: FoundName): string {
  return `${match} ${String(1000 - entries).padStart(4)}`;
}

function brief({ match, name, entries, board }: FoundName): string {
  return [match, name, entries, board?.leaderboardId].filter((part) => part !== undefined).join(' ');
}
