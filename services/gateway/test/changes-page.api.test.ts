import { operations, type Change } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { route } from '@lobbystats/service-kit';
import { BOARD_PAGE, change, HOSTILE_NAMES, runBoardGateway } from './board-gateway.ts';
import { BOARD } from './catalog-responses.ts';
import { HARBOR } from './network.ts';
import { readPage } from './page-text.ts';
import { runGateway, UNREACHABLE_URL } from './running-gateway.ts';

const RECORD = change(3, { playerName: 'Pike', oldRank: 2, newRank: 1 });
const NEW = change(2, { type: 'new', playerName: 'Owl', oldRank: null, oldRating: null, oldTimeMs: null });
const REMOVED = change(1, { type: 'removed', newRank: null, newRating: null, newTimeMs: null });
const CHANGES = [RECORD, NEW, REMOVED];

/** The texts of a change beside its player and leaderboard, on every page that lists it. */
const SHOWN: readonly (readonly [Change, readonly string[]])[] = [
  [change(4), ['limbed from rank 5 to 3 on', '0:49.300, before 0:50.100']],
  [change(3, { oldRank: 2, newRank: 1 }), ['ook ', 'from Oak by 0.056 s', '0:49.300, before 0:50.100']],
  [{ ...NEW, playerName: 'Ember Fox' }, ['ntered', 'at rank 3', '0:49.300']],
  [REMOVED, ['s no longer on', '(was rank 5)', '0:50.100']],
];

it.each([`/game/${HARBOR.titleId}`, '/u/Ember%20Fox', '/changes'])(
  '%s tells a change in a sentence, with its previous values',
  async (path) => {
    const changes = SHOWN.map(([one]) => one);
    const body = { changes, total: 4, limit: 50, offset: 0, hasMore: false, nextCursor: null };
    const routes = [operations.listTitleChanges, operations.listPlayerChanges].map((operation) =>
      route(operation, async () => ({ body })),
    );
    const page = await readPage(await runBoardGateway({ changes, routes }), path);
    for (const [{ id }, texts] of SHOWN) {
      const named = path.startsWith('/u/') ? [] : ['Ember Fox'];
      for (const text of [...named, BOARD.name, ...texts]) expect(page.text(`#change-${id}`)).toContain(text);
      expect(page.texts(`#change-${id} .tag`)).toEqual(texts.includes('ook ') ? ['record'] : []);
      expect(page.text(`#change-${id}`)?.includes(HARBOR.name)).toBe(!path.startsWith('/game/'));
    }
  },
);

/** Whose changes are listed. */
const players = (page: Awaited<ReturnType<typeof readPage>>) => page.texts('#list .list > li > a:first-child');

describe('page of changes', () => {
  it('shows time, player, game, leaderboard and what has changed', async () => {
    const page = await readPage(await runBoardGateway({ changes: CHANGES }), '/changes');
    expect(page.status).toBe(200);
    expect(players(page)).toEqual(['Pike', 'Owl', 'Ember Fox']);
    expect(page.texts('#list .list li')).toEqual([
      `Pike took ${BOARD.name} from Oak by 0.056 s record ` +
        `0:49.300, before 0:50.100 · ${HARBOR.name} · Fri 15 Jan, 07:58 UTC`,
      `Owl entered ${BOARD.name} at rank 3 0:49.300 · ${HARBOR.name} · Fri 15 Jan, 07:58 UTC`,
      `Ember Fox is no longer on ${BOARD.name} (was rank 5) 0:50.100 · ${HARBOR.name} · Fri 15 Jan, 07:58 UTC`,
    ]);
    expect(page.links('#list .list > li:first-child a')).toEqual([
      '/u/Pike',
      BOARD_PAGE,
      '/u/Oak',
      `/game/${HARBOR.titleId}`,
    ]);
    expect(page.text('#list > .hint')).toBe('3 changes');
    expect(page.document.querySelector('main')?.getAttribute('data-stream')).toContain('topics=changes');
  });

  it('filters by game, player and kind, and keeps the filters in its form, feed and links', async () => {
    const gateway = await runBoardGateway({ changes: CHANGES });
    const page = await readPage(gateway, '/changes?game=Harbor+Racing&player=Owl&type=new');
    expect(players(page)).toEqual(['Owl']);
    const value = (selector: string) => page.document.querySelector(`main ${selector}`)?.getAttribute('value');
    expect(['[name=game]', '[name=player]', 'option[selected]'].map(value)).toEqual(['Harbor Racing', 'Owl', 'new']);
    const [feed] = page.links('link[type="application/atom+xml"]');
    expect(feed).toBe('/api/changes.atom?game=Harbor%20Racing&player=Owl&type=new');
    expect(page.links('#list .head a')).toEqual([feed]);
    for (const href of page.links('link[rel=alternate]')) expect((await gateway.request(href)).status).toBe(200);
  });

  it('takes the empty fields of its form', async () => {
    const page = await readPage(await runBoardGateway({ changes: CHANGES }), '/changes?game=&player=&type=all');
    expect(players(page)).toHaveLength(3);
  });

  it('shows records alone, in pages of their own, with a feed of them', async () => {
    const many = Array.from({ length: 180 }, (_, index) => change(180 - index, { newRank: (index % 3) + 1 }));
    const gateway = await runBoardGateway({ changes: many });
    const page = await readPage(gateway, '/changes?records=only');
    expect(page.texts('#list .tag')).toEqual(Array.from({ length: 30 }, () => 'record'));
    expect(page.text('#list > .hint')).toBe('60 records');
    expect(page.links('.pager a')).toEqual(['/changes?records=only&cursor=30']);
    const [feed = ''] = page.links('#list .head a');
    expect(feed).toBe('/api/changes.atom?records=only');
    expect((await gateway.request(feed)).text).toContain('leaderboard changes (records)');
    const older = await readPage(gateway, '/changes?records=only&cursor=30');
    expect(players(older)).toHaveLength(30);
    expect(older.links('.pager a')).toEqual(['/changes?records=only']);
  });

  it('shows those of a period, and keeps it in its links and form', async () => {
    const old = change(1, { playerName: 'Owl', changedAt: '2026-12-31 07:58:00' });
    const gateway = await runBoardGateway({ changes: [RECORD, old] });
    const page = await readPage(gateway, '/changes?game=Harbor+Racing');
    expect(players(page)).toEqual(['Pike', 'Owl']);
    const periods = page.links('nav[aria-label="Period"] a');
    expect(periods).toEqual(
      ['', '&range=24h', '&range=7d', '&range=30d'].map((range) => `/changes?game=Harbor%20Racing${range}`),
    );
    const week = await readPage(gateway, '/changes?range=7d');
    expect(players(week)).toEqual(['Pike']);
    expect(week.document.querySelector('form [name=range]')?.getAttribute('value')).toBe('7d');
  });

  it('leads to older changes with the same filters', async () => {
    const many = Array.from({ length: 120 }, (_, index) => change(120 - index));
    const gateway = await runBoardGateway({ changes: many });
    const page = await readPage(gateway, '/changes?type=updated');
    expect(page.links('.pager a')).toEqual(['/changes?type=updated&cursor=30']);
    const older = await readPage(gateway, '/changes?type=updated&cursor=100');
    expect(players(older)).toHaveLength(20);
    expect(older.links('.pager a')).toEqual(['/changes?type=updated']);
    expect(older.document.querySelector('main')?.getAttribute('data-stream')).toBe('');
  });

  it.each([
    ['?game=%22%3E%3Cscript%3E', 'There is no game “"><script>”.'],
    ['?player=Nobody', 'No player “Nobody” is or was on a leaderboard'],
  ])('says for %s: %s', async (query, text) => {
    const page = await readPage(await runBoardGateway(), `/changes${query}`);
    expect([page.status, page.text('#list .empty')]).toEqual([200, text]);
  });

  it('shows hostile names as text', async () => {
    const changes = HOSTILE_NAMES.map((text, index) =>
      change(index + 1, { playerName: text, leaderboardName: text, gameName: text, oldRating: text, isTime: false }),
    );
    const page = await readPage(await runBoardGateway({ changes }), '/changes');
    expect(players(page)).toEqual(HOSTILE_NAMES);
    expect(page.texts('#list .list > li > a:nth-of-type(2)')).toEqual(HOSTILE_NAMES);
    expect(page.document.querySelectorAll('main script')).toHaveLength(0);
  });

  it('says that a name is no player, and links nothing in its name', async () => {
    const routes = [route(operations.listChanges, () => Promise.reject(new AppError('not-found', 'Unknown player')))];
    const page = await readPage(await runBoardGateway({ routes }), '/changes?player=Nobody');
    expect(page.text('#list .empty')).toBe('No player “Nobody” is or was on a leaderboard');
    expect(page.links('a, link').filter((href) => href.includes('Nobody'))).toEqual([
      expect.stringMatching(/^http.*\/changes\?player=Nobody$/),
    ]);
  });

  it('says when there is no change, and when changes are unavailable', async () => {
    expect((await readPage(await runBoardGateway(), '/changes')).text('#list .empty')).toBe('No changes');
    const page = await readPage(await runGateway({ env: { CATALOG_API_URL: UNREACHABLE_URL } }), '/changes');
    expect([page.status, page.text('#list .unavailable')]).toEqual([200, 'This part is unavailable at the moment.']);
  });

  it.each(['?type=better', '?records=yes', '?player=a&player=b', `?player=${'x'.repeat(201)}`])(
    'is 400 for %s',
    async (query) => {
      expect((await readPage(await runGateway(), operations.listChanges.path.replace('/api', '') + query)).status).toBe(
        400,
      );
    },
  );
});
