import { formatTimestamp, operations, parseInstant, usernameKey, type OperationResponse } from '@lobbystats/contracts';
import { notFound, route } from '@lobbystats/service-kit';
import { HARBOR, network } from './network.ts';
import { readPage } from './page-text.ts';
import { tableRows } from './table-rows.ts';
import { usersOnlineRoute } from './users-online-response.ts';
import { runGateway, startStubUpstream, UNREACHABLE_URL, type RunningGateway } from './running-gateway.ts';

type Catalogue = OperationResponse<typeof operations.listAchievements>;
type Achievement = Catalogue['achievements'][number];

const SITE = { groupId: 'site', titleId: null, displayName: 'Site', imageUrl: '' };
const GAME = { groupId: 'harbor', titleId: HARBOR.titleId, displayName: 'Harbor', imageUrl: '' };

function achievement(id: number, rest: Partial<Achievement>): Achievement {
  const { groupId, displayName } = rest.groupId === GAME.groupId ? GAME : SITE;
  return {
    ...{ id, key: `key-${id}`, name: `Name ${id}`, description: `Text ${id}`, points: 10, is_hidden: false },
    ...{ game_title_id: null, category: displayName, groupId, unlockedBy: 0 },
    ...rest,
  };
}

const CATALOGUE: Catalogue = {
  achievements: [
    achievement(1, { name: 'Common', points: 5, unlockedBy: 3_999 }),
    achievement(2, { name: 'Rare', points: 100, unlockedBy: 1 }),
    achievement(3, { name: 'Hidden Achievement', key: 'hidden-3', is_hidden: true, unlockedBy: 40 }),
    achievement(4, { name: 'Also', points: 50, groupId: 'harbor', unlockedBy: 0 }),
  ],
  groups: [
    { ...SITE, totalCount: 3, totalPoints: 115 },
    { ...GAME, totalCount: 1, totalPoints: 50 },
  ],
  stats: { maxGamerscore: 165, totalAchievements: 4, playersWithAchievements: 4_000 },
};

const USERS = Array.from({ length: 60 }, (_, index) => ({
  ...{ rank: index + 1, username: `User ${index + 1}`, totalScore: 1_000 - index, achievementCount: 3 },
}));
function minutesBefore(minutes: number): string {
  return formatTimestamp(parseInstant('2027-01-15 07:55:00') - 60 * minutes);
}

const UNLOCKS = USERS.map(({ username }, index) => ({
  ...{ username, unlockedAt: minutesBefore(index), achievementId: 4, achievementKey: 'key-4' },
  ...{ achievementName: 'Also (Harbor Racing)', gameName: 'Harbor Racing', points: 50 },
}));

async function runWithAchievements(all = CATALOGUE): Promise<RunningGateway> {
  const page = ({ limit, offset = 0 }: { limit: number; offset?: number | undefined }) => ({
    ...{ total: USERS.length, limit, offset, hasMore: offset + limit < USERS.length },
  });
  const users = await startStubUpstream([
    usersOnlineRoute({}),
    route(operations.listAchievements, async () => ({ body: all })),
    route(operations.getAchievementLeaderboard, async ({ query: { limit, offset, around } }) => {
      if (around === undefined) {
        const leaderboard = USERS.slice(offset, (offset ?? 0) + limit);
        return { body: { leaderboard, ...(offset !== undefined && page({ limit, offset })) } };
      }
      const index = USERS.findIndex(({ username }) => usernameKey(username) === usernameKey(around));
      if (index === -1) throw notFound('username');
      return { body: { leaderboard: USERS.slice(Math.max(0, index - 12), index + 13) } };
    }),
    route(operations.listRecentUnlocks, async ({ query }) => ({
      body: { recent: UNLOCKS.slice(query.offset, (query.offset ?? 0) + query.limit), ...page(query) },
    })),
  ]);
  return runGateway({ network: network(), env: { USER_API_URL: users.url } });
}

describe('catalogue of achievements', () => {
  it('lists achievements by group, with points and rarity', async () => {
    const page = await readPage(await runWithAchievements(), '/achievements');
    expect([page.status, page.texts('h1')]).toEqual([200, ['Achievements']]);
    expect(page.texts('.figures .value')).toEqual(['4', '165', '4,000', '60']);
    expect(page.texts('#catalogue h3')).toEqual(['Site', 'Harbor']);
    expect(page.texts('[aria-label=Parts] [aria-current]')).toEqual(['Catalogue']);
    expect(page.document.querySelectorAll('#catalogue tbody .trophy')).toHaveLength(4);
    expect(page.texts('#catalogue .group .head p')).toEqual([
      '3 achievements · 115 points',
      '1 achievement · 50 points · game: Harbor Racing',
    ]);
    expect(page.texts('#catalogue tbody th')).toEqual([
      'Common Text 1',
      'Rare Text 2',
      'Hidden Achievement hidden Text 3',
      'Also Text 4',
    ]);
    const cells = page.texts('#catalogue tbody td');
    expect(cells.slice(0, 6)).toEqual(['5', '3,999', '>99.9%', '100', '1', '<0.1%']);
    expect(cells.slice(6)).toEqual(['10', '40', '1%', '50', '0', '0%']);
  });

  it.each([
    ['?sort=rarity', ['Also', 'Rare', 'Hidden Achievement', 'Common']],
    ['?sort=rarity&order=descending', ['Common', 'Hidden Achievement', 'Rare', 'Also']],
    ['?sort=points', ['Rare', 'Also', 'Hidden Achievement', 'Common']],
    ['?sort=name', ['Also', 'Common', 'Hidden Achievement', 'Rare']],
    ['?group=harbor', ['Also']],
    ['?group=site&sort=points', ['Rare', 'Hidden Achievement', 'Common']],
    ['?group=', ['Common', 'Rare', 'Hidden Achievement', 'Also']],
  ])('is sorted and filtered by its URL: %s', async (query, names) => {
    const page = await readPage(await runWithAchievements(), `/achievements${query}`);
    expect(page.texts('#catalogue tbody th > a')).toEqual(names);
  });

  it('turns the order of the column by which it is sorted', async () => {
    const gateway = await runWithAchievements();
    const page = await readPage(gateway, '/achievements?sort=points');
    expect(page.text('[aria-sort=descending]')).toBe('Points');
    const [turned = ''] = page.links('[aria-sort] a');
    expect(turned).toBe('/achievements?sort=points&order=ascending#catalogue');
    expect((await readPage(gateway, turned)).texts('#catalogue tbody th > a')[0]).toBe('Common');
  });

  it('says that there are none', async () => {
    const stats = { maxGamerscore: 0, totalAchievements: 0, playersWithAchievements: 0 };
    const page = await readPage(await runWithAchievements({ achievements: [], groups: [], stats }), '/achievements');
    expect(page.text('#catalogue .empty')).toBe('No achievements yet');
  });

  it('has no rarity before anyone has an achievement', async () => {
    const stats = { ...CATALOGUE.stats, playersWithAchievements: 0 };
    const page = await readPage(await runWithAchievements({ ...CATALOGUE, stats }), '/achievements');
    expect(page.texts('#catalogue tbody td:last-child')).toEqual(['–', '–', '–', '–']);
  });

  it('renders hostile texts as text', async () => {
    const hostile = ['"><script>alert(1)</script>', '\u202Egnp.exe', 'M'.repeat(100), '__proto__', 'a/b%2F%&?#'];
    const groups = hostile.map((text) => ({
      ...SITE,
      groupId: text,
      displayName: text,
      totalCount: 1,
      totalPoints: 10,
    }));
    const achievements = hostile.map((text, id) =>
      achievement(id + 1, { name: text, description: text, category: text, groupId: text }),
    );
    const gateway = await runWithAchievements({ ...CATALOGUE, groups, achievements });
    const page = await readPage(gateway, '/achievements');
    expect(page.texts('#catalogue h3')).toEqual(hostile);
    expect(page.texts('#catalogue tbody th > a')).toEqual(hostile);
    expect(page.document.querySelectorAll('main script')).toHaveLength(0);
    for (const [index, link] of page.links('#catalogue h3 a').entries()) {
      expect((await readPage(gateway, link)).texts('#catalogue h3')).toEqual([hostile[index]]);
    }
  });
});

describe('leaderboard of achievement scores', () => {
  it('is shown in pages', async () => {
    const gateway = await runWithAchievements();
    const first = await readPage(gateway, '/achievements?tab=leaderboard');
    expect(first.texts('#leaderboard tbody tr')[0]).toBe('1User 11,0003');
    expect(first.links('#leaderboard tbody a')[0]).toBe('/u/User%201');
    expect(first.text('#leaderboard .pager p')).toBe('1–25 of 60');
    const second = await readPage(gateway, first.links('#leaderboard .pager a[rel=next]')[0] ?? '');
    expect(second.texts('#leaderboard tbody th')[0]).toBe('User 26');
  });

  it('is shown around a user, whose row is marked', async () => {
    const page = await readPage(await runWithAchievements(), '/achievements?around=user%2030');
    expect(page.texts('#leaderboard .marked th')).toEqual(['User 30']);
    expect(page.texts('#leaderboard tbody tr')).toHaveLength(25);
    expect(page.links('#leaderboard .more a')).toEqual(['/achievements?tab=leaderboard']);
  });

  it('says that a user is not on it', async () => {
    const page = await readPage(await runWithAchievements(), '/achievements?around=nobody');
    expect([page.status, page.text('#leaderboard .empty')]).toEqual([200, 'nobody has no achievements yet']);
    expect((await readPage(await runWithAchievements(), '/achievements?around=')).status).toBe(200);
  });
});

describe('recent unlocks', () => {
  it('are shown in pages, with user, name, points and time', async () => {
    const gateway = await runWithAchievements();
    const first = await readPage(gateway, '/achievements?tab=unlocks');
    expect(first.texts('#unlocks .list li')[0]).toBe('User 1 · Also (Harbor Racing) 50 points Fri 15 Jan, 07:55 UTC');
    const last = await readPage(gateway, first.links('#unlocks .pager a[rel=last]')[0] ?? '');
    expect(last.texts('#unlocks .list a[href^="/u/"]').at(-1)).toBe('User 60');
    expect(first.links('#unlocks .list a').slice(0, 2)).toEqual(['/u/User%201', '/achievement/4']);
  });
});

describe('achievements page', () => {
  it.each([
    ['?sort=luck', 400],
    ['?tab=other', 400],
    ['?order=up', 400],
    ['?offset=100001', 400],
    ['?unlocks=-1', 400],
    ['?around=%22%3E%3Cscript%3E', 400],
    ['?group=nothing', 404],
    ['?group=__proto__', 404],
  ])('answers %s with %i', async (query, status) => {
    expect((await readPage(await runWithAchievements(), `/achievements${query}`)).status).toBe(status);
  });

  it('says which parts are unavailable', async () => {
    const gateway = await runGateway({ env: { USER_API_URL: UNREACHABLE_URL } });
    const page = await readPage(gateway, '/achievements?group=site');
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.texts('.unavailable').length).toBe(2);
    expect((await readPage(gateway, '/achievements?tab=leaderboard')).texts('#leaderboard .unavailable')).toHaveLength(
      1,
    );
  });

  it('is live, and links to its data', async () => {
    const page = await readPage(await runWithAchievements(), '/achievements');
    expect(page.document.querySelectorAll('main')[0]?.getAttribute('data-stream')).toBe(
      '/api/stream?topics=unlocks%2Cbackfill',
    );
    expect(page.links('link[rel=alternate]').map((href) => href.split('?')[0])).toEqual(
      [operations.listAchievements, operations.getAchievementLeaderboard, operations.listRecentUnlocks].map(
        ({ path }) => path,
      ),
    );
  });
});

describe('page of an achievement', () => {
  it('says how rare it is, and who has it', async () => {
    const gateway = await runWithAchievements();
    const [link = ''] = (await readPage(gateway, '/achievements')).links('#group-harbor tbody th a');
    const page = await readPage(gateway, link);
    expect([page.status, link, page.text('h1')]).toEqual([200, '/achievement/4', 'Also']);
    expect(page.texts('.figures .value')).toEqual(['50', '0', '0%', '0']);
    expect(page.links('.lead a')).toEqual(['/achievements?group=harbor', `/game/${HARBOR.titleId}`]);
    expect(page.texts('#unlocks tbody tr')[0]).toBe('User 1Fri 15 Jan, 07:55 UTC');
    expect(page.links('#unlocks .pager [rel=next]')).toEqual(['/achievement/4?offset=50']);
    const last = await readPage(gateway, '/achievement/4?offset=50');
    expect(last.texts('#unlocks tbody th')).toEqual(USERS.slice(50).map(({ username }) => username));
  });

  it('plots how many have it over time, from unlocks that are evenly spaced', async () => {
    const unlockedBy = UNLOCKS.length;
    const [first, ...rest] = CATALOGUE.achievements.toReversed();
    const achievements = [achievement(4, { ...first, unlockedBy }), ...rest];
    const page = await readPage(await runWithAchievements({ ...CATALOGUE, achievements }), '/achievement/4');
    const rows = tableRows(page, '#unlock-curve');
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([16, 'Fri 15 Jan, 07:55 | 60', 'Fri 15 Jan, 06:56 | 1']);
    expect((await readPage(await runWithAchievements(), '/achievement/4')).texts('#unlock-curve')).toEqual([]);
  });

  it('shows a hidden one without its name', async () => {
    const page = await readPage(await runWithAchievements(), '/achievement/3');
    expect([page.text('h1'), page.text('.lead .tag')]).toEqual(['Hidden Achievement', 'hidden']);
  });

  it.each(['/achievement/9', '/achievement/0', '/achievement/x', '/achievement/__proto__', '/achievement/99999999999'])(
    'is 404 at %s',
    async (path) => {
      expect((await readPage(await runWithAchievements(), path)).status).toBe(404);
    },
  );
});

describe('achievements of a game', () => {
  it('stand on its page, the rarest first', async () => {
    const achievements = [
      ...CATALOGUE.achievements,
      achievement(5, { name: 'Sea', groupId: 'harbor', game_title_id: HARBOR.titleId, unlockedBy: 9 }),
      achievement(6, { name: 'Salt', groupId: 'harbor', game_title_id: HARBOR.titleId, unlockedBy: 2 }),
    ];
    const page = await readPage(await runWithAchievements({ ...CATALOGUE, achievements }), `/game/${HARBOR.titleId}`);
    expect(page.links('#achievements tbody th a')).toEqual(['/achievement/6', '/achievement/5']);
    const without = await readPage(await runWithAchievements(), `/game/${HARBOR.titleId}`);
    expect(without.document.querySelector('#achievements')).toBeNull();
  });
});
