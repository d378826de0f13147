import fc from 'fast-check';

import type { BoardKey, World } from '../src/index.ts';
import { brokenMarkup, harmlessMarkup } from '../src/faults/changed-markup.ts';
import { readBoardPage, readWholeBoard } from './board-reader.ts';
import { readGamePage } from './page-reader.ts';
import { instant, NOW, NOW_SECONDS, NOW_SLOT, withSimulator } from './running-simulator.ts';

const HOUR = 3_600;
const NOW_HOUR = NOW_SLOT - (NOW_SLOT % HOUR);
const SMALL = { titles: 14, boards: 30, entries: 3_000, openMatches: 5, boardChanges: 0.2 };
const MIDDLE = { titles: 20, boards: 60, entries: 9_000, openMatches: 5 };

describe('the pages of a leaderboard', () => {
  it('say to the very end what the world says, 100 rows a page', async () => {
    await withSimulator(SMALL, async ({ text, world }) => {
      const heads = new Set<string>();
      let longest = 0;
      for (const key of world.boardKeysAt(NOW_SLOT)) {
        const board = world.board(NOW_SLOT, key.titleId, key.id)!;
        const read = await readWholeBoard(text, addressOf(key));
        expect(read.entries).toEqual(board.entries.map(({ rank, name, rating }) => ({ rank, name, rating })));
        expect(read.pages).toBe(Math.max(1, Math.ceil(board.entries.length / 100)));
        expect(['Time', 'Lap', 'Best time'].includes(read.ratingHead)).toBe(board.isTime);
        heads.add(read.ratingHead);
        longest = Math.max(longest, read.pages);
      }
      expect(longest).toBeGreaterThan(2);
      expect(heads.size).toBeGreaterThan(4);
    });
  });

  it('are those that the game page names', async () => {
    await withSimulator(SMALL, async ({ get, text, world }) => {
      for (const { titleId } of world.titlesAt(NOW_SLOT)) {
        const { boards } = readGamePage(await text(`/games/${titleId}`));
        expect(boards).toEqual(world.boardsAt(NOW_SLOT, titleId).map(({ id, name }) => ({ id: String(id), name })));
        for (const { id } of boards) expect((await get(`/games/${titleId}/leaderboards/${id}`)).status).toBe(200);
      }
    });
  });

  it('are 404 past the last one, for what is no number, and for boards that are not there', async () => {
    await withSimulator(SMALL, async ({ get, world }) => {
      const [key] = world.boardKeysAt(NOW_SLOT);
      const address = addressOf(key!);
      const pages = Math.ceil(world.board(NOW_SLOT, key!.titleId, key!.id)!.entries.length / 100);
      expect((await get(`${address}?page=${pages}`)).status).toBe(200);
      const bad = [
        `?page=${pages + 1}`,
        '?page=0',
        '?page=-1',
        '?page=1.5',
        '?page=',
        '?page=1&page=1',
        '?page=99999999999',
      ];
      const unknown = [`/games/${key!.titleId}/leaderboards/999`, '/games/deadbeef/leaderboards/1'];
      const malformed = [`/games/${key!.titleId}/leaderboards/x`, `/games/${key!.titleId}/leaderboards/`];
      for (const path of [...bad.map((query) => address + query), ...unknown, ...malformed]) {
        const response = await get(path);
        expect([path, response.status]).toEqual([path, 404]);
        expect(await response.text()).toContain('</html>');
      }
    });
  });

  it('vanish with the board and come back with it', async () => {
    await withSimulator({ ...MIDDLE, entries: 600 }, async ({ get, world }) => {
      const { key, slot } = absence(world);
      const statuses = async (at: number) => (await get(`${addressOf(key)}?at=${instant(at)}`)).status;
      expect([await statuses(slot - HOUR), await statuses(slot), await statuses(slot + HOUR - 1)]).toEqual([
        200, 404, 404,
      ]);
    });
  });

  it('stay as they are within an hour, and have another ETag when they change', async () => {
    let now = NOW;
    await withSimulator({ ...SMALL, boardChanges: 1, clock: () => now }, async ({ get, world }) => {
      const address = addressOf(world.boardKeysAt(NOW_SLOT)[0]!);
      const first = await get(address);
      const etag = first.headers.get('etag')!;
      expect(etag).toMatch(/^"/);
      now = (NOW_HOUR + HOUR) * 1_000 - 1;
      expect((await get(address, { 'if-none-match': etag })).status).toBe(304);
      now += 1;
      const changed = await get(address, { 'if-none-match': etag });
      expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false]);
    });
  });

  it('of an instant link to pages of that instant', async () => {
    await withSimulator(MIDDLE, async ({ get, text, world }) => {
      const then = NOW_SLOT - 40 * 24 * HOUR;
      const key = world
        .boardKeysAt(then)
        .find(({ titleId, id }) => world.board(then, titleId, id)!.entries.length > 300)!;
      const read = await readWholeBoard(text, `${addressOf(key)}?at=${instant(then)}`);
      expect(read.entries).toEqual(
        world.board(then, key.titleId, key.id)!.entries.map(({ rank, name, rating }) => ({ rank, name, rating })),
      );
      expect((await get(`${addressOf(key)}?at=${instant(NOW_SECONDS + 1)}`)).status).toBe(400);
    });
  });

  it('have columns that come, go and move from day to day, and still say the same', async () => {
    await withSimulator({ ...SMALL, boardChanges: 0 }, async ({ text, world }) => {
      const address = addressOf(world.boardKeysAt(NOW_SLOT)[5]!);
      const days = await Promise.all(
        Array.from({ length: 8 }, async (_, day) =>
          readBoardPage(await text(`${address}?at=${instant(NOW_SLOT - day * 24 * HOUR)}`)),
        ),
      );
      expect(new Set(days.map(({ heads }) => heads.join())).size).toBeGreaterThan(3);
      for (const day of days) expect(day.entries).toEqual(days[0]!.entries);
    });
  });

  it('let no name become markup', async () => {
    await withSimulator(MIDDLE, async ({ text, world }) => {
      const key = world
        .boardKeysAt(NOW_SLOT)
        .find(({ titleId, id }) =>
          world.board(NOW_SLOT, titleId, id)!.entries.some(({ name }) => name === '<b>Bold</b>'),
        );
      const read = await readWholeBoard(text, addressOf(key!));
      expect(read.entries.map(({ name }) => name)).toContain('<b>Bold</b>');
    });
  });

  it('have the faults of the paths that they lie below', async () => {
    await withSimulator(SMALL, async ({ faults, get, world }) => {
      const key = world.boardKeysAt(NOW_SLOT)[0]!;
      await faults({ path: `/games/${key.titleId}/leaderboards`, kind: 'status', status: 503, times: 1 });
      expect((await get(`/games/${key.titleId}`)).status).toBe(200);
      expect((await get(addressOf(key))).status).toBe(503);
      expect((await get(addressOf(key))).status).toBe(200);
    });
  });

  it('say the same in harmless markup, and something else or nothing in a breaking one', async () => {
    await withSimulator(SMALL, async ({ text, world }) => {
      const pages = await Promise.all(
        world
          .boardKeysAt(NOW_SLOT)
          .slice(0, 8)
          .map((key) => text(addressOf(key))),
      );
      fc.assert(
        fc.property(fc.nat(), fc.constantFrom(...pages), (chance, page) => {
          const right = readBoardPage(page);
          expect(readBoardPage(harmlessMarkup(page, chance))).toEqual(right);
          expect(readIfPossible(brokenMarkup(page, chance))).not.toEqual(right);
        }),
        { numRuns: 40 },
      );
    });
  });
});

function addressOf({ titleId, id }: BoardKey): string {
  return `/games/${titleId}/leaderboards/${id}`;
}

/** A board that vanishes, and the first hour without it. */
function absence(world: World): { key: BoardKey; slot: number } {
  for (let slot = NOW_HOUR; ; slot -= HOUR) {
    const key = world.boardChanges(slot).find(({ titleId, id }) => world.board(slot, titleId, id) === undefined);
    if (key !== undefined) return { key, slot };
  }
}

function readIfPossible(html: string): unknown {
  try {
    return readBoardPage(html);
  } catch {
    return undefined;
  }
}
