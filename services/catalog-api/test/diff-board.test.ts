import fc from 'fast-check';
import type { BoardContent, Entry } from '../src/boards/board.ts';
import { diffBoard, type EntryChange } from '../src/ingest/diff-board.ts';
import { scores, times } from './stored-boards.ts';

describe('diffBoard', () => {
  it('applying the changes to the old entries gives the new entries', () => {
    fc.assert(
      fc.property(boardPairs, ({ before, after, isTime }) => {
        const rows = bag(before, isTime);
        for (const change of diffBoard(board(before, isTime), board(after, isTime))) apply(rows, change, isTime);
        expect(positive(rows)).toEqual(positive(bag(after, isTime)));
      }),
      { numRuns: 500 },
    );
  });

  it('produces the minimal number of changes for each name', () => {
    fc.assert(
      fc.property(boardPairs, ({ before, after, isTime }) => {
        const changes = diffBoard(board(before, isTime), board(after, isTime));
        for (const name of new Set([...before, ...after].map((entry) => entry.name))) {
          const [old, now] = [before, after].map((entries) =>
            bag(
              entries.filter((one) => one.name === name),
              isTime,
            ),
          );
          const fewest = Math.max(surplus(old, now), surplus(now, old));
          expect(changes.filter(({ playerName }) => playerName === name)).toHaveLength(fewest);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('produces no changes when only positions and ranks differ', () => {
    fc.assert(
      fc.property(
        fc.array(entries).chain((all) => fc.tuple(fc.constant(all), shuffled(all))),
        ([before, after]) => {
          expect(diffBoard(board(before, true), board(after, true))).toEqual([]);
        },
      ),
    );
  });

  it('orders changes by new position, followed by removals by old position', () => {
    const before = times(['Gone 1', 1], ['A', 20], ['B', 30], ['Gone 2', 40]);
    const after = times(['New', 5], ['B', 10], ['A', 19]);
    expect(brief(before, after)).toEqual(['new New', 'updated B', 'updated A', 'removed Gone 1', 'removed Gone 2']);
  });

  it('contains old and new rank, rating and time of an entry', () => {
    const [updated, added, removed] = diffBoard(
      board(times(['A', 49_900], ['C', 60_000]), true),
      board(times(['A', 49_300], ['B', 50_000]), true),
    );
    expect(updated).toEqual({
      type: 'updated',
      playerName: 'A',
      oldRank: 1,
      newRank: 1,
      oldRating: '0:49.900',
      newRating: '0:49.300',
      oldTimeMs: 49_900,
      newTimeMs: 49_300,
    });
    expect(added).toMatchObject({ type: 'new', oldRank: null, newRank: 2, oldRating: null, oldTimeMs: null });
    expect(removed).toMatchObject({ type: 'removed', oldRank: 2, newRank: null, newRating: null, newTimeMs: null });
  });

  it('contains no times for a score board', () => {
    const [changed] = diffBoard(board(scores(['A', '10']), false), board(scores(['A', '12']), false));
    expect(changed).toMatchObject({ type: 'updated', oldTimeMs: null, newTimeMs: null, oldRating: '10' });
  });

  it.each([
    ['12,345', '12345', 0],
    ['12 345', "12'345", 0],
    ['12\u202f345 ', '12’345', 0],
    ['12.5', '125', 1],
    ['1,2', '12', 1],
    ['1,234,567', '1234567', 0],
    ['', '0', 1],
  ])('compares scores by value, ignoring thousands separators: %j and %j', (old, now, count) => {
    expect(diffBoard(board(scores(['A', old]), false), board(scores(['A', now]), false))).toHaveLength(count);
  });

  it('compares times by milliseconds, not by their text', () => {
    const [entry] = times(['A', 49_300]) as [Entry];
    const other = { ...entry, rating: '00:49.3' };
    expect(diffBoard(board([entry], true), board([other], true))).toEqual([]);
  });

  it('reports a renamed player as one removal and one new entry', () => {
    expect(brief(times(['Old', 5]), times(['New', 5]))).toEqual(['new New', 'removed Old']);
    expect(brief(times(['a', 5]), times(['A', 5]))).toEqual(['new A', 'removed a']);
  });

  it('pairs entries of one name by equal value first, then in order', () => {
    expect(brief(times(['A', 10], ['A', 20], ['A', 30]), times(['A', 5], ['A', 20], ['A', 30]))).toEqual(['updated A']);
    const [first, second] = diffBoard(board(times(['A', 10], ['A', 20]), true), board(times(['A', 1], ['A', 2]), true));
    expect([first?.oldTimeMs, first?.newTimeMs, second?.oldTimeMs, second?.newTimeMs]).toEqual([10, 1, 20, 2]);
    expect(brief(times(['A', 10]), times(['A', 10], ['A', 10]))).toEqual(['new A']);
  });

  it('distinguishes names from values for any content', () => {
    expect(brief(scores(['A 1', '2']), scores(['A', ' 1 2']))).toEqual(['new A', 'removed A 1']);
    expect(brief(scores(['__proto__', '1']), scores(['constructor', '1']))).toHaveLength(2);
  });

  it('compares 20,000 entries of a single name quickly', () => {
    const many = (add: number) => scores(...Array.from({ length: 20_000 }, (_, i) => ['A', `${i * 2 + add}`] as const));
    expect(diffBoard(board(many(0), false), board(many(1), false))).toHaveLength(20_000);
  });
});

function brief(before: readonly Entry[], after: readonly Entry[]): string[] {
  const isTime = before.some(({ timeMs }) => timeMs > 0);
  return diffBoard(board(before, isTime), board(after, isTime)).map(({ type, playerName }) => `${type} ${playerName}`);
}

function board(rows: readonly Entry[], isTime: boolean): BoardContent {
  return { name: 'Old Pier', isTime, entries: rows };
}

type Bag = Map<string, number>;

function bag(rows: readonly Entry[], isTime: boolean): Bag {
  const counted: Bag = new Map();
  for (const { name, timeMs, rating } of rows) add(counted, name, isTime ? timeMs : rating, 1);
  return counted;
}

function apply(rows: Bag, change: EntryChange, isTime: boolean): void {
  const { playerName, oldTimeMs, newTimeMs, oldRating, newRating } = change;
  const [old, now] = isTime ? [oldTimeMs, newTimeMs] : [oldRating, newRating];
  if (old !== null) add(rows, playerName, old, -1);
  if (now !== null) add(rows, playerName, now, 1);
}

function add(counted: Bag, name: string, value: number | string, count: number): void {
  const key = JSON.stringify([name, value]);
  counted.set(key, (counted.get(key) ?? 0) + count);
}

function positive(counted: Bag): Record<string, number> {
  return Object.fromEntries([...counted].filter(([, count]) => count !== 0).sort());
}

/** The number of items in `one` that are not in `other`. */
function surplus(one: Bag = new Map(), other: Bag = new Map()): number {
  return [...one].reduce((sum, [key, count]) => sum + Math.max(count - (other.get(key) ?? 0), 0), 0);
}

const names = fc.constantFrom('A', 'B', 'C', 'a', '__proto__', '🏁', ' ');
const entries: fc.Arbitrary<Entry> = fc.record({
  rank: fc.integer({ min: 1, max: 5 }),
  name: names,
  rating: fc.integer({ min: 0, max: 5 }).map(String),
  timeMs: fc.integer({ min: 0, max: 5 }),
});
const boardPairs = fc.record({
  before: fc.array(entries, { maxLength: 12 }),
  after: fc.array(entries, { maxLength: 12 }),
  isTime: fc.boolean(),
});

function shuffled(all: Entry[]): fc.Arbitrary<Entry[]> {
  const others = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: all.length, maxLength: all.length });
  return fc
    .tuple(fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }), others)
    .map(([order, ranks]) => order.map((entry, index) => ({ ...entry, rank: ranks[index] ?? 1 })));
}
