import { formatTimestamp, operations } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { BOARD } from './catalog-responses.ts';
import { catalogRoutes, HARBOR, network, NEWEST } from './network.ts';
import { readPage } from './page-text.ts';
import { CHANGE, HOSTILE, pageOf, runWorld } from './player-world.ts';
import { runGateway, startStubUpstream } from './running-gateway.ts';
import { FOX } from './user-responses.ts';

describe('activity of a player', () => {
  const at = (seconds: number) => formatTimestamp(NEWEST - seconds);
  const DAY = 86_400;

  it('is listed day by day, and shown in a calendar of 90 days', async () => {
    const changes = [
      CHANGE,
      { ...CHANGE, id: 8, type: 'new' as const, newRank: 7, oldRank: null },
      { ...CHANGE, id: 3, newRank: 4, changedAt: at(40 * DAY) },
      { ...CHANGE, id: 2, newRank: 4, changedAt: at(91 * DAY) },
    ];
    const page = await readPage(await runWorld({ changes }), pageOf(FOX));
    expect(page.texts('#story .list li')).toEqual([
      expect.stringMatching(/^Fri 15 Jan: 1 record, 1 new entry(, 1 achievement)?, played 65 min$/),
      '6 Dec 2026: 1 changed rating',
    ]);
    expect(page.document.querySelectorAll('.calendar rect')).toHaveLength(90);
    expect(page.texts('.calendar .active title')[0]).toBe('Sun 6 Dec 2026: 1 changed rating');
    expect(page.document.querySelector('.calendar')?.getAttribute('aria-label')).toBe(
      'Calendar: something happened on 2 days of 90',
    );
    expect(page.texts('#play-days-plot tbody tr')).toHaveLength(30);
    expect(page.text('#play-days-plot tbody tr')).toBe('Fri 15 Jan (so far) 65');
  });

  it('is of leaderboards alone for a player without an account', async () => {
    const known = { standings: new Map([['Lone Elk', [HARBOR.titleId]]]) };
    const page = await readPage(await runWorld({ known }), pageOf('Lone Elk'));
    expect([page.status, page.text('#story .empty')]).toEqual([200, 'Nothing in the last 90 days']);
    expect(page.document.querySelector('#play-days-plot')).toBeNull();
  });
});

describe('records of a player', () => {
  it('are those held, and those lost in the last 90 days', async () => {
    const lost = {
      ...CHANGE,
      id: 4,
      leaderboardId: 99,
      leaderboardName: 'Lost',
      changedAt: formatTimestamp(NEWEST - 9000),
    };
    const page = await readPage(await runWorld({ changes: [CHANGE, lost] }), pageOf(FOX));
    const [held] = page.texts('#held-records .list');
    expect(held).toContain(`${BOARD.name} from Owl by 0.056 s: 0:49.300`);
    expect(held).toMatch(/since Fri 15 Jan, \d\d:\d\d UTC/);
    expect(page.texts('#held-records li[id^=lost]')).toEqual([
      'Lost Harbor Racing · set Fri 15 Jan, 05:30 UTC · not on the board any more',
    ]);
  });
});

describe('rivals of a player', () => {
  it('are those who passed in the last week, with both results', async () => {
    const rating = { rating: '00:48.000', timeMs: 48_000, timeFormatted: '0:48.000', isTime: true };
    const rival = {
      ...{ titleId: HARBOR.titleId, gameName: HARBOR.name, leaderboardId: BOARD.id, leaderboardName: BOARD.name },
      ...{
        playerName: HOSTILE,
        rank: 1,
        ...rating,
        passedAt: '2027-01-14 10:00:00',
        ownRank: 2,
        ownRating: '0:49.300',
      },
    };
    const known = network({ standings: new Map([[FOX, [HARBOR.titleId]]]) });
    const catalog = await startStubUpstream(
      catalogRoutes(known, [route(operations.listRivals, async () => ({ body: { rivals: [rival] } }))]),
    );
    const gateway = await runGateway({ network: known, env: { CATALOG_API_URL: catalog.url } });
    const page = await readPage(gateway, pageOf(FOX));
    expect(page.texts('#rivals li')).toEqual([
      expect.stringContaining('0:48.000 against 0:49.300, rank 2 now · Harbor Racing · Thu 14 Jan, 10:00 UTC'),
    ]);
    expect(page.texts('#rivals li a')[0]).toBe(HOSTILE);
  });

  it('can be none', async () => {
    const page = await readPage(await runWorld(), pageOf(FOX));
    expect(page.text('#rivals .empty')).toBe('Nobody has passed this player in the last 7 days');
  });
});
