import fc from 'fast-check';
import type { Board, BoardEntry, BoardKey } from '../src/index.ts';
import { createWorld } from '../src/world/world.ts';
import { NOW_SLOT } from './running-simulator.ts';

const HOUR = 3_600;
const NOW_HOUR = NOW_SLOT - (NOW_SLOT % HOUR);
const SMALL = { titles: 20, boards: 60, entries: 3_000, boardChanges: 0.2 };
const world = createWorld(SMALL);
const keys = world.boardKeysAt(NOW_SLOT);
const anyKey = fc.constantFrom(...keys);
const anySlot = fc.integer({ min: 0, max: 8_000_000 }).map((index) => index * 300);

describe('leaderboards', () => {
  it('are independent of the order of requests', () => {
    fc.assert(
      fc.property(anyKey, fc.array(anySlot, { minLength: 2, maxLength: 6 }), ({ titleId, id }, slots) => {
        const other = createWorld(SMALL);
        const forward = slots.map((slot) => world.board(slot, titleId, id));
        const backward = slots.toReversed().map((slot) => other.board(slot, titleId, id));
        expect(backward.toReversed()).toEqual(forward);
      }),
      { numRuns: 40 },
    );
  });

  it('differ with another seed', () => {
    const [{ titleId, id }] = keys as [(typeof keys)[0]];
    expect(createWorld({ ...SMALL, seed: 2 }).board(NOW_SLOT, titleId, id)).not.toEqual(
      world.board(NOW_SLOT, titleId, id),
    );
  });

  it('rank the best first, with equal ranks for equal ratings', () => {
    fc.assert(
      fc.property(anyKey, anySlot, ({ titleId, id }, slot) => {
        const board = world.board(slot, titleId, id);
        if (board !== undefined) expectToBeRanked(board);
      }),
    );
  });

  it('change only at full hours', () => {
    for (const { titleId, id } of keys) {
      const atTheHour = world.board(NOW_HOUR, titleId, id);
      expect(world.board(NOW_HOUR + HOUR - 300, titleId, id)).toEqual(atTheHour);
    }
    expect(world.boardsAt(NOW_HOUR + 3_300, keys[0]!.titleId)).toEqual(world.boardsAt(NOW_HOUR, keys[0]!.titleId));
  });

  it('boardChanges lists exactly the boards that differ from the hour before', () => {
    for (let hour = 0; hour < 40; hour += 1) {
      const slot = NOW_HOUR - hour * HOUR;
      const changed = world.boardChanges(slot).map(keyText);
      const different = world.titlesAt(slot).flatMap((title) =>
        world
          .boardsOf(title)
          .map(({ id }) => ({ titleId: title.titleId, id }))
          .filter((key) => content(slot, key) !== content(slot - HOUR, key))
          .map(keyText),
      );
      expect(changed).toEqual(different);
    }
  });

  it('gain and lose entries, improve ratings, and rename players', () => {
    const seen = { better: 0, came: 0, went: 0, renamed: 0 };
    for (const { titleId, id } of keys) {
      for (let hour = 0; hour < 48; hour += 1) {
        const before = world.board(NOW_HOUR - hour * HOUR - HOUR, titleId, id);
        const after = world.board(NOW_HOUR - hour * HOUR, titleId, id);
        if (before !== undefined && after !== undefined) count(seen, before, after);
      }
    }
    expect(seen.better).toBeGreaterThan(200);
    expect(Math.min(seen.came, seen.went)).toBeGreaterThan(50);
    expect(seen.renamed).toBeGreaterThan(5);
  });

  it('rarely return to an earlier state', () => {
    const { titleId, id } = keys[0]!;
    const versions = Array.from({ length: 2_000 }, (_, day) => content(NOW_HOUR - day * 6 * HOUR, { titleId, id }));
    const distinct = new Set(versions);
    const runs = versions.filter((version, index) => version !== versions[index - 1]).length;
    // An absent board may come back unchanged.
    expect(runs - distinct.size).toBeLessThan(30);
    expect(distinct.size).toBeGreaterThan(1_000);
  });

  it('are occasionally absent and come back', () => {
    const days = Array.from(
      { length: 120 },
      (_, day) => new Set(world.boardKeysAt(NOW_HOUR - day * 12 * HOUR).map(keyText)),
    );
    const removedKeys = days.slice(1).flatMap((then, day) => [...then].filter((key) => !days[day]!.has(key)));
    const back = days.slice(1).flatMap((then, day) => [...days[day]!].filter((key) => !then.has(key)));
    expect(Math.min(removedKeys.length, back.length)).toBeGreaterThan(0);
    const away = removedKeys.find((key) => back.includes(key));
    expect(away).toBeDefined();
  });

  it('are undefined for unknown titles and IDs', () => {
    const [title] = world.titlesAt(NOW_SLOT);
    expect(world.boardsAt(NOW_SLOT, 'deadbeef')).toEqual([]);
    for (const id of [0, -1, 0.5, Number.NaN, title!.firstBoardId + title!.boardCount]) {
      expect(world.board(NOW_SLOT, title!.titleId, id)).toBeUndefined();
    }
  });

  it('never change when boardChanges is 0', () => {
    const still = createWorld({ ...SMALL, boardChanges: 0 });
    expect(still.board(NOW_SLOT, keys[3]!.titleId, keys[3]!.id)?.entries).toEqual(
      still.board(NOW_SLOT - 5_000 * HOUR, keys[3]!.titleId, keys[3]!.id)?.entries,
    );
  });
});

describe('leaderboards of the default network', () => {
  const usual = createWorld();
  const boards = usual.boardKeysAt(NOW_SLOT).map(({ titleId, id }) => summary(usual.board(NOW_SLOT, titleId, id)!));

  it('are about 3,000 with 500,000 entries in total, few large and many small', () => {
    const sizes = boards.map(({ size }) => size).sort((one, other) => one - other);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(sizes.length).toBeGreaterThan(2_950);
    expect(Math.abs(total - 500_000)).toBeLessThan(10_000);
    expect(sizes[0]).toBeGreaterThan(0);
    expect(sizes[1_500]).toBeLessThan(40);
    expect(sizes.at(-1)).toBeGreaterThan(3_000);
  });

  it('rank times on two thirds of the boards, and have ties', () => {
    const times = boards.filter(({ isTime }) => isTime).length / boards.length;
    expect(times).toBeGreaterThan(0.6);
    expect(times).toBeLessThan(0.73);
    expect(boards.filter(({ hasTies }) => hasTies).length).toBeGreaterThan(1_000);
  });

  it('sometimes list a player twice, and include awkward names', () => {
    const twice = boards.filter(({ hasTwins }) => hasTwins).length;
    expect(twice).toBeGreaterThan(100);
    expect(twice).toBeLessThan(1_500);
    const names = new Set(boards.flatMap(({ oddNames }) => oddNames));
    expect([...names]).toEqual(expect.arrayContaining(['<b>Bold</b>', '__proto__', '=1+1', '"Quoted"', '夜の灯台']));
    expect(names).toContain('Zoë Brontë'.normalize('NFC'));
    expect(names).toContain('Zoë Brontë'.normalize('NFD'));
  });

  it('change at the configured rate of 1 % per hour', () => {
    const changes = Array.from({ length: 200 }, (_, hour) => usual.boardChanges(NOW_HOUR - hour * HOUR).length);
    const mean = changes.reduce((sum, one) => sum + one, 0) / changes.length;
    expect(mean / boards.length).toBeGreaterThan(0.009);
    expect(mean / boards.length).toBeLessThan(0.012);
  });

  it('are small when the network has few players', () => {
    const few = createWorld({ titles: 5, boards: 10, entries: 1_000, players: 40, openMatches: 1 });
    for (const { titleId, id } of few.boardKeysAt(NOW_SLOT)) {
      expect(few.board(NOW_SLOT, titleId, id)!.entries.length).toBeLessThanOrEqual(11);
    }
  });
});

function expectToBeRanked({ isTime, entries }: Board): void {
  const values = entries.map((entry) => valueOf(entry, isTime));
  expect(entries.filter((_, index) => Number.isNaN(values[index]))).toEqual([]);
  expect(values).toEqual(values.toSorted((one, other) => one - other));
  const ranks: number[] = [];
  for (const [index, value] of values.entries())
    ranks.push(value === values[index - 1] ? ranks[index - 1]! : index + 1);
  expect(entries.map(({ rank }) => rank)).toEqual(ranks);
}

/** Lower is better; NaN for an entry whose rating and time disagree. */
function valueOf({ rating, timeMs }: BoardEntry, isTime: boolean): number {
  if (!isTime)
    return /^\d{1,3}(,\d{3})*$/.test(rating) && timeMs === 0 ? -Number(rating.replaceAll(',', '')) : Number.NaN;
  const [, minutes, seconds, millis] = /^(\d\d+):([0-5]\d)\.(\d{3})$/.exec(rating) ?? [];
  const shownMs = (Number(minutes) * 60 + Number(seconds)) * 1_000 + Number(millis);
  return shownMs === timeMs && timeMs > 10_000 ? timeMs : Number.NaN;
}

function count(seen: Record<'better' | 'came' | 'went' | 'renamed', number>, before: Board, after: Board): void {
  const old = new Map(before.entries.map((entry) => [entry.name, entry]));
  const came = after.entries.filter(({ name }) => !old.has(name));
  const now = new Set(after.entries.map(({ name }) => name));
  const went = before.entries.filter(({ name }) => !now.has(name));
  for (const entry of after.entries) {
    const was = old.get(entry.name);
    if (was !== undefined && scoreOf(entry) > scoreOf(was)) seen.better += 1;
  }
  seen.came += came.length;
  seen.went += went.length;
  seen.renamed += came.filter(({ rating }) => went.some((one) => one.rating === rating)).length;
}

/** Higher is better. */
function scoreOf({ rating, timeMs }: BoardEntry): number {
  return timeMs === 0 ? Number(rating.replaceAll(',', '')) : -timeMs;
}

function summary({ isTime, entries }: Board): {
  isTime: boolean;
  size: number;
  hasTies: boolean;
  hasTwins: boolean;
  oddNames: string[];
} {
  return {
    isTime,
    size: entries.length,
    hasTies: new Set(entries.map(({ rank }) => rank)).size < entries.length,
    hasTwins: new Set(entries.map(({ name }) => name)).size < entries.length,
    oddNames: entries.map(({ name }) => name).filter((name) => !/^[A-Za-z0-9& ]{1,15}$/.test(name)),
  };
}

function content(slot: number, { titleId, id }: BoardKey): string | undefined {
  const board = world.board(slot, titleId, id);
  return board && JSON.stringify(board.entries);
}

function keyText({ titleId, id }: BoardKey): string {
  return `${titleId} ${id}`;
}
