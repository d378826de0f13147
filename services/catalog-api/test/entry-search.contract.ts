import { nameKey } from '@lobbystats/contracts';
import fc from 'fast-check';
import { boardId } from '../src/boards/board.ts';
import type { BoardWrite } from '../src/ingest/commits.queries.ts';
import type { FoundEntry } from '../src/boards/entries.queries.ts';
import type { CatalogStore } from '../src/open-store.ts';
import { commitNext, times, write, type BoardStore } from './stored-boards.ts';

/** Contract tests of {@link BoardStore}: searches. `open` returns an empty catalog each time. */
export function describeEntrySearch(adapter: string, open: () => Promise<CatalogStore>): void {
  describe(`${adapter} as an entry search`, () => {
    let catalog: CatalogStore;
    let store: BoardStore;
    let all: PositionedEntry[];
    beforeAll(async () => {
      catalog = await open();
      store = catalog.boards;
      const boards = boardsWithTies();
      all = boards.flatMap(entriesWithPosition);
      await commitNext(store, { boards });
    });
    afterAll(async () => {
      await catalog.close();
    });

    it('finds the nearest times, ordered by distance, then by title, board and rank', async () => {
      await fc.assert(
        fc.asyncProperty(nearTimes, async (query) => {
          const { timeMs, tolerance, from, limit } = query;
          const distance = ({ entry }: PositionedEntry) => Math.abs(entry.timeMs - timeMs);
          const expected = all
            .filter((one) => one.entry.isTime && distance(one) <= tolerance && isIn(one, query.titleId))
            .sort((a, b) => distance(a) - distance(b) || inBoardOrder(a, b));
          const titleIds = [query.titleId ?? ['00000001', 'fffffffe', '4d530064']].flat();
          expect(await store.countNearTime({ timeMs, tolerance, titleIds })).toBe(expected.length);
          const page = expected.filter((one) => distance(one) >= from).slice(0, limit);
          expect(await store.nearTime(defined(query))).toEqual(page.map(({ entry }) => entry));
        }),
        { numRuns: 300 },
      );
    });

    it('finds entries of players, ordered by title, board, rank and position', async () => {
      const queries = fc.record({
        keys: fc.uniqueArray(keys, { minLength: 1, maxLength: 4 }),
        titleId: title,
        limit: fc.option(limits, { nil: undefined }),
      });
      await fc.assert(
        fc.asyncProperty(queries, async (query) => {
          const expected = all
            .filter((one) => query.keys.includes(nameKey(one.entry.playerName)) && isIn(one, query.titleId))
            .sort(inBoardOrder)
            .slice(0, query.limit);
          expect(await store.ofPlayers(defined(query))).toEqual(expected.map(({ entry }) => entry));
        }),
        { numRuns: 150 },
      );
    });

    it('streams times of players in the same order, without splitting a board', async () => {
      const queries = fc.record({ keys: fc.uniqueArray(keys, { minLength: 1, maxLength: 4 }), titleId: title });
      await fc.assert(
        fc.asyncProperty(queries, async (query) => {
          const parts = await Array.fromAsync(store.timesOfPlayers(defined(query)));
          const expected = await store.ofPlayers(defined(query));
          expect(parts.flat()).toEqual(expected.filter(({ isTime }) => isTime));
          const boards = parts.flatMap((part) => [...new Set(part.map(boardId))]);
          expect(new Set(boards).size).toBe(boards.length);
        }),
        { numRuns: 80 },
      );
    });

    it('streams thousands of times in batches of whole boards', async () => {
      const players = Array.from({ length: 20 }, (_, index) => `player ${index}`);
      const entries = times(...players.map((name, index) => [name, 10_000 + index] as const));
      const boards = Array.from({ length: 150 }, (_, leaderboardId) =>
        write({ titleId: 'cccccccc', leaderboardId, entries }),
      );
      await commitNext(store, { boards });
      const parts = await Array.fromAsync(store.timesOfPlayers({ keys: players }));
      expect(parts.length).toBeGreaterThan(2);
      expect(parts.filter(({ length }) => length % players.length > 0)).toEqual([]);
      expect(parts.flat()).toEqual(boards.flatMap(entriesWithPosition).map(({ entry }) => entry));
    });

    it('finds each entry of given players at given ranks once', async () => {
      const pairs = fc.array(fc.record({ key: keys, rank: fc.integer({ min: 1, max: 6 }) }), { minLength: 1 });
      await fc.assert(
        fc.asyncProperty(fc.record({ pairs, titleId: title }), async (query) => {
          const isMatch = ({ entry }: PositionedEntry) =>
            query.pairs.some(({ key, rank }) => nameKey(entry.playerName) === key && entry.rank === rank);
          const expected = all.filter((one) => isMatch(one) && isIn(one, query.titleId)).sort(inBoardOrder);
          expect(await store.atRanks(defined(query))).toEqual(expected.map(({ entry }) => entry));
        }),
        { numRuns: 150 },
      );
    });
  });
}

interface PositionedEntry {
  readonly entry: FoundEntry;
  readonly place: number;
}

const NAMES = ['A', 'a', 'Élan', 'e\u0301lan', '__proto__', '$gt', 'a\0b', '%', 'Ember Fox'];
const at = fc.integer({ min: 0, max: 14 }).map((n) => n * 5);
const limits = fc.integer({ min: 1, max: 40 });
const fromDistance = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }));
const keys = fc.constantFrom(...NAMES.map(nameKey), 'nobody', '');
const title = fc.option(fc.constantFrom('00000001', 'fffffffe', '00000007'), { nil: undefined });

const nearTimes = fc.record({ timeMs: at, tolerance: at, from: fromDistance, titleId: title, limit: limits });

/** Boards with few names and few times, so that nearly everything ties. */
function boardsWithTies(): BoardWrite[] {
  const boards = ['fffffffe', '00000001', '4d530064'].flatMap((titleId) => [10, 9, 2].map((id) => ({ titleId, id })));
  return boards.map(({ titleId, id }, index) => {
    const isTime = index % 4 !== 3;
    const entries = Array.from({ length: 14 }, (_, position) => ({
      rank: Math.floor(position / 3) + 1,
      name: NAMES[(position * (index + 2)) % NAMES.length] ?? '',
      rating: `${position}`,
      timeMs: isTime ? ((position * 3 + index) % 13) * 5 : 0,
    }));
    return write({ titleId, leaderboardId: id, name: `Board ${index}`, isTime, entries });
  });
}

function entriesWithPosition({
  state: { titleId, leaderboardId, name, isTime },
  entries,
}: BoardWrite): PositionedEntry[] {
  return entries.map(({ name: playerName, rank, rating, timeMs }, position) => ({
    place: position,
    entry: { titleId, leaderboardId, leaderboardName: name, isTime, playerName, rank, rating, timeMs },
  }));
}

function inBoardOrder(a: PositionedEntry, b: PositionedEntry): number {
  if (a.entry.titleId !== b.entry.titleId) return a.entry.titleId < b.entry.titleId ? -1 : 1;
  return a.entry.leaderboardId - b.entry.leaderboardId || a.entry.rank - b.entry.rank || a.place - b.place;
}

function isIn({ entry }: PositionedEntry, titleId: string | undefined): boolean {
  return titleId === undefined || entry.titleId === titleId;
}

/** Omits undefined properties, which the port does not accept. */
function defined<Expected extends object>(query: Expected): { [Key in keyof Expected]: NonNullable<Expected[Key]> } {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as never;
}
