import fc from 'fast-check';
import type { BoardKey, World } from '../src/index.ts';
import { brokenMarkup, harmlessMarkup } from '../src/faults/changed-markup.ts';
import { parseBoardPage, readWholeBoard } from './board-reader.ts';
import { parseGamePage } from './page-reader.ts';
import { instant, NOW, NOW_SECONDS, NOW_SLOT, withSimulator } from './running-simulator.ts';

const HOUR = 3_600;
const NOW_HOUR = NOW_SLOT - (NOW_SLOT % HOUR);
const SMALL = { titles: 14, boards: 30, entries: 3_000, openMatches: 5, boardChanges: 0.2 };
const MIDDLE = { titles: 20, boards: 60, entries: 9_000, openMatches: 5 };

describe('leaderboard pages', () => {
  it('show all entries of the board, 100 on each page', async () => {
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

  it('match the leaderboards listed on the game page', async () => {
    await withSimulator(SMALL, async ({ get, text, world }) => {
      for (const { titleId } of world.titlesAt(NOW_SLOT)) {
        const { boards } = parseGamePage(await text(`/games/${titleId}`));
        expect(boards).toEqual(world.boardsAt(NOW_SLOT, titleId).map(({ id, name }) => ({ id: String(id), name })));
        for (const { id } of boards) expect((await get(`/games/${titleId}/leaderboards/${id}`)).status).toBe(200);
      }
    });
  });

  it('return 404 past the last page, for malformed page numbers, and for unknown boards', async () => {
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

  it('return 404 while the board is absent', async () => {
    await withSimulator({ ...MIDDLE, entries: 600 }, async ({ get, world }) => {
      const { key, slot } = findAbsence(world);
      const statuses = async (at: number) => (await get(`${addressOf(key)}?at=${instant(at)}`)).status;
      expect([await statuses(slot - HOUR), await statuses(slot), await statuses(slot + HOUR - 1)]).toEqual([
        200, 404, 404,
      ]);
    });
  });

  it('keep their ETag within an hour and change it with their content', async () => {
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

  it('pages of a past instant link to pages of the same instant', async () => {
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

  it('show the same entries while their columns change from day to day', async () => {
    await withSimulator({ ...SMALL, boardChanges: 0 }, async ({ text, world }) => {
      const address = addressOf(world.boardKeysAt(NOW_SLOT)[5]!);
      const days = await Promise.all(
        Array.from({ length: 8 }, async (_, day) =>
          parseBoardPage(await text(`${address}?at=${instant(NOW_SLOT - day * 24 * HOUR)}`)),
        ),
      );
      expect(new Set(days.map(({ heads }) => heads.join())).size).toBeGreaterThan(3);
      for (const day of days) expect(day.entries).toEqual(days[0]!.entries);
    });
  });

  it('escape markup in player names', async () => {
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

  it('apply faults of their parent paths', async () => {
    await withSimulator(SMALL, async ({ faults, get, world }) => {
      const key = world.boardKeysAt(NOW_SLOT)[0]!;
      await faults({ path: `/games/${key.titleId}/leaderboards`, kind: 'status', status: 503, times: 1 });
      expect((await get(`/games/${key.titleId}`)).status).toBe(200);
      expect((await get(addressOf(key))).status).toBe(503);
      expect((await get(addressOf(key))).status).toBe(200);
    });
  });

  it('parse the same in harmless markup, and differently or not at all in breaking markup', async () => {
    await withSimulator(SMALL, async ({ text, world }) => {
      const pages = await Promise.all(
        world
          .boardKeysAt(NOW_SLOT)
          .slice(0, 8)
          .map((key) => text(addressOf(key))),
      );
      fc.assert(
        fc.property(fc.nat(), fc.constantFrom(...pages), (chance, page) => {
          const right = parseBoardPage(page);
          expect(parseBoardPage(harmlessMarkup(page, chance))).toEqual(right);
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

/** A board that becomes absent, and the first hour without it. */
function findAbsence(world: World): { key: BoardKey; slot: number } {
  for (let slot = NOW_HOUR; ; slot -= HOUR) {
    const key = world.boardChanges(slot).find(({ titleId, id }) => world.board(slot, titleId, id) === undefined);
    if (key !== undefined) return { key, slot };
  }
}

function readIfPossible(html: string): unknown {
  try {
    return parseBoardPage(html);
  } catch {
    return undefined;
  }
}
