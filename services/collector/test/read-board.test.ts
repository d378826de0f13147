import { BOARD_ENTRIES_MAX } from '@lobbystats/contracts';
import fc from 'fast-check';
import { readBoardPage } from './read-pages.ts';
import type { BoardContent } from '../src/network/board.ts';
import type { PageValidators } from '../src/network/page-cache.ts';
import { readBoard } from '../src/boards/read-board.ts';
import type { BoardPageResponse, BoardSource } from '../src/network/network.ts';
import { boardPageHtml, entriesOf, pagesOf, timed } from './board-builder.ts';

const BOARD = { titleId: '4d530064', leaderboardId: 7 };

/** A site that serves `pages(request)`, with the text of a page as its ETag. */
function siteOf(pages: (request: number) => readonly string[], withETags = true, sources: object = {}) {
  const asked: string[] = [];
  const site: BoardSource = {
    async boardPage(_, page, _deadlineMs, validators): Promise<BoardPageResponse> {
      const html = pages(asked.length)[page - 1];
      asked.push(`${page}${validators === undefined ? '' : '?'}`);
      await Promise.resolve();
      if (html === undefined) return { kind: 'absent' };
      if (validators?.etag === html) return { kind: 'unchanged' };
      return {
        kind: 'read',
        page: readBoardPage(html, sources, { page }),
        validators: { etag: withETags ? html : null, lastModified: null },
      };
    },
  };
  return { site, asked };
}

const validatorsOf = (pages: readonly string[]): PageValidators[] =>
  pages.map((etag) => ({ etag, lastModified: null }));

const time = (entries: BoardContent['entries']): BoardContent => ({ isTime: true, entries });
const torn = expect.objectContaining({ kind: 'inconsistent' }) as unknown;

describe('readBoard', () => {
  it('joins all pages of a board and fetches every page but the last again, in reverse order', async () => {
    const content = time(entriesOf(250));
    const pages = pagesOf(content);
    const { site, asked } = siteOf(() => pages);
    expect(await readBoard(site, BOARD, 0, [])).toEqual({ kind: 'read', content, validators: validatorsOf(pages) });
    expect(asked).toEqual(['1', '2', '3', '2?', '1?']);
  });

  it('compares the content of pages without validators and returns no validators', async () => {
    const content = time(entriesOf(101));
    const { site, asked } = siteOf(() => pagesOf(content), false);
    expect(await readBoard(site, BOARD, 0, [])).toEqual({ kind: 'read', content, validators: [] });
    expect(asked).toEqual(['1', '2', '1']);
  });

  it('fetches a single-page board once, also when it is empty', async () => {
    for (const entries of [[], entriesOf(1), entriesOf(100)]) {
      const { site, asked } = siteOf(() => pagesOf(time(entries)));
      expect(await readBoard(site, BOARD, 0, [])).toMatchObject({ content: { entries } });
      expect(asked).toEqual(['1']);
    }
  });

  it('reports a board as unchanged when each of its pages is unchanged', async () => {
    const pages = pagesOf(time(entriesOf(250)));
    const { site, asked } = siteOf(() => pages);
    expect(await readBoard(site, BOARD, 0, validatorsOf(pages))).toEqual({ kind: 'unchanged' });
    expect(asked).toEqual(['1?', '2?', '3?']);
  });

  it('reads the whole board when any of its pages has changed', async () => {
    const before = pagesOf(time(entriesOf(250)));
    const content = time([...entriesOf(249), timed(250, 'New', 99_000)]);
    const { site } = siteOf(() => pagesOf(content));
    expect(await readBoard(site, BOARD, 0, validatorsOf(before))).toMatchObject({ kind: 'read', content });
    const top = time([timed(1, 'New', 1), ...entriesOf(249, 2)]);
    expect(await readBoard(siteOf(() => pagesOf(top)).site, BOARD, 0, validatorsOf(before))).toMatchObject({
      content: top,
    });
  });

  it('reports a board as gone when its first page is absent', async () => {
    expect(await readBoard(siteOf(() => []).site, BOARD, 0, [])).toEqual({ kind: 'gone' });
    const known = validatorsOf(pagesOf(time(entriesOf(3))));
    expect(await readBoard(siteOf(() => []).site, BOARD, 0, known)).toEqual({ kind: 'gone' });
  });

  it('rejects a board as torn when it changes between any two page requests', async () => {
    // A new record moves all other entries down by one.
    const before = time(entriesOf(300));
    const after = time([timed(1, 'New', 1), ...entriesOf(300).map((entry) => ({ ...entry, rank: entry.rank + 1 }))]);
    for (let request = 1; request <= 3; request += 1) {
      const { site } = siteOf((count) => pagesOf(count < request ? before : after));
      await expect(readBoard(site, BOARD, 0, [])).rejects.toEqual(torn);
    }
  });

  it('never returns a mixture of two states of a board', async () => {
    const state = fc.integer({ min: 0, max: 12 }).map((count) => time(entriesOf(count)));
    await fc.assert(
      fc.asyncProperty(state, fc.nat(6), fc.nat(12), async (before, change, at) => {
        const remainingEntries = before.entries
          .filter((_, index) => index !== at)
          .map((entry, index) => ({ ...entry, rank: index + 1 }));
        const states = [before, time(remainingEntries)];
        const { site } = siteOf((count) => pagesOf(count < change ? before : time(remainingEntries), 3));
        const reading = await readBoard(site, BOARD, 0, []).catch((error: unknown) => error);
        expect([torn, ...states.map((content) => expect.objectContaining({ content }) as unknown)]).toContainEqual(
          reading,
        );
      }),
    );
  });

  it('ends after a full page that no other one follows', async () => {
    const paged = { leaderboards: { page: { pages: { rows: 3 } } } };
    const read = (count: number, ending: string[] = []) => {
      const pages = [...pagesOf(time(entriesOf(count)), 3), ...ending].map((html) =>
        html.replace(/<a href.*?<\/a>/, ''),
      );
      return readBoard(siteOf(() => pages, true, paged).site, BOARD, 0, []);
    };
    for (const ending of [[], [boardPageHtml([])]]) {
      expect(await read(6, ending)).toMatchObject({ content: { entries: entriesOf(6) }, validators: [] });
    }
    expect(await read(7)).toMatchObject({ content: { entries: entriesOf(7) }, validators: [{}, {}, {}] });
  });

  it.each([
    ['each its own place after a tie', [1, 1, 3, 4, 4, 4, 7]],
    ['the next rank after a tie', [1, 1, 2, 3, 3, 4]],
    ['ranks that hidden players leave out', [1, 2, 4, 5, 6, 9]],
    ['ranks left out before and after a tie', [1, 3, 3, 5, 6]],
  ])('accepts a board with %s', async (_, ranks) => {
    const entries = ranks.map((rank, index) => timed(rank, `P${index}`, 1));
    const reading = await readBoard(siteOf(() => pagesOf(time(entries), 3)).site, BOARD, 0, []);
    expect(reading).toMatchObject({ content: { entries } });
  });

  it('rejects a board as torn when a rank is left out between two pages', async () => {
    const pages = [
      boardPageHtml(
        [1, 2, 3].map((rank) => timed(rank, `P${rank}`, 1)),
        { hasNext: true },
      ),
      boardPageHtml([5, 6].map((rank) => timed(rank, `P${rank}`, 1))),
    ];
    await expect(readBoard(siteOf(() => pages).site, BOARD, 0, [])).rejects.toEqual(torn);
  });

  it.each([
    ['a page is missing', [boardPageHtml(entriesOf(2), { hasNext: true })]],
    ['a page that should go on is empty', [boardPageHtml(entriesOf(2), { hasNext: true }), boardPageHtml([])]],
    [
      'pages are of two kinds',
      [boardPageHtml(entriesOf(2), { hasNext: true }), boardPageHtml([timed(3, 'x', 1)], { valueWord: 'Score' })],
    ],
  ])('rejects a board as torn when %s', async (_, pages) => {
    await expect(readBoard(siteOf(() => pages).site, BOARD, 0, [])).rejects.toEqual(torn);
  });

  it('stops with an oversized failure when a board has a next page on every page', async () => {
    const asked: number[] = [];
    const site: BoardSource = {
      async boardPage(_, page) {
        asked.push(page);
        await Promise.resolve();
        const rows = entriesOf(100, (page - 1) * 100 + 1);
        return {
          kind: 'read',
          page: { isTime: true, rows, hasNext: true },
          validators: { etag: null, lastModified: null },
        };
      },
    };
    await expect(readBoard(site, BOARD, 0, [])).rejects.toMatchObject({ kind: 'oversized' });
    expect(asked).toHaveLength(BOARD_ENTRIES_MAX / 100 + 1);
  });
});
