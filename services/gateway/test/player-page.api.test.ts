import { formatTimestamp, operations, type OperationResponse } from '@lobbystats/contracts';
import { links } from '@lobbystats/site/links';
import { BOARD } from './catalog-responses.ts';
import { HARBOR, network, NEWEST, RALLY } from './network.ts';
import { readPage } from './page-text.ts';
import { CHANGE, HOSTILE, pageOf, runWorld } from './player-world.ts';
import { rateAs, type Ratings } from './rating-routes.ts';
import { runCached } from './running-cache.ts';
import { FOX, GAMERTAG, testUser } from './user-responses.ts';

const [LEADERBOARDS, ACHIEVEMENTS, RATINGS] = ['?tab=leaderboards', '?tab=achievements', '?tab=ratings'] as const;

describe('page of a player', () => {
  it('shows the numbers of the API', async () => {
    const gateway = await runWorld();
    const page = await readPage(gateway, pageOf(FOX));
    expect([page.status, page.text('h1'), page.text('title')]).toEqual([200, FOX, `${FOX} · Lobbystats`]);
    const { body } = await gateway.request(operations.getProfile.path.replace(':username', FOX));
    const profile = body as OperationResponse<typeof operations.getProfile>;
    expect(page.texts('.figures .value')).toEqual([
      String(profile.achievementScore),
      String(profile.leaderboardStats.leaderboardsOn),
      '0',
      '65 min',
    ]);
    expect(page.text('.person .lead')).toBe('Online, playing Harbor Racing');
    expect(page.texts('#play-time tbody tr')).toEqual([
      expect.stringMatching(/^Harbor Racing 60 min ?Fri 15 Jan, 07:50 UTC$/),
      expect.stringMatching(/^Rally 5 min ?Fri 15 Jan, 07:55 UTC$/),
    ]);
    const boards = await readPage(gateway, pageOf(FOX, LEADERBOARDS));
    expect(boards.texts('#ranks tbody tr')[0]).toBe(`1–${BOARD.name} Harbor RacingHarbor Racing0:49.300History`);
    const achievements = await readPage(gateway, pageOf(FOX, ACHIEVEMENTS));
    expect(achievements.text('#achievements summary')).toBe('Site 1 of 1 · 25 points');
    expect((await readPage(gateway, pageOf(FOX, RATINGS))).text('#ratings .head')).toBe('Ratings no rating yet');
  });

  it('has no play time of a user who was never seen, rather than none', async () => {
    const unseen = { totalMinutes: 0, lastState: 'offline' as const, current: null, byTitle: [] };
    const playTime = { ...unseen, lastPlayedTitleId: null, lastPlayedAt: null, lastOnlineAt: null };
    const page = await readPage(await runWorld({ known: { user: testUser({ playTime, games: [] }) } }), pageOf(FOX));
    expect(page.texts('.figures .value').at(-1)).toBe('–');
    expect(page.text('.person .lead')).toBe('Never seen online');
    expect(page.texts('#profile dd')).toContain('not known');
  });

  it('says what has changed since yesterday, and before', async () => {
    const earlier = { ...CHANGE, id: 3, oldRank: 8, newRank: 5, changedAt: formatTimestamp(NEWEST - 90_000) };
    const gateway = await runWorld({ changes: [CHANGE, earlier] });
    const page = await readPage(gateway, pageOf(FOX));
    expect(page.texts('#changes li')).toEqual([
      expect.stringContaining('Unlocked Ten Hours 25 points'),
      `took ${BOARD.name} from Owl by 0.056 s record 0:49.300, before 0:50.100 · Harbor Racing · Fri 15 Jan, 07:00 UTC`,
      expect.stringContaining('climbed from rank 8 to 5 on'),
    ]);
    const movesOf = async (world: typeof gateway) =>
      (await readPage(world, pageOf(FOX, LEADERBOARDS))).texts('#ranks tbody tr td:nth-child(2)');
    expect((await movesOf(gateway))[0]).toBe('+4');
    expect((await movesOf(await runWorld({ changes: [earlier] })))[0]).toBe('–');
  });

  it('shows the rank history of the best leaderboard, or of the chosen one', async () => {
    const gateway = await runWorld();
    const query = (path: string) => new URL(path, gateway.url).searchParams;
    const csvOf = (links: string[]) => query(links.find((link) => link.includes('rank-history')) ?? '/');
    const first = csvOf((await readPage(gateway, pageOf(FOX, LEADERBOARDS))).links());
    expect(Object.fromEntries(first)).toMatchObject({ titleId: HARBOR.titleId, leaderboardId: '17', days: '30' });
    const chosen = await readPage(gateway, pageOf(FOX, `?history=${RALLY.titleId.toUpperCase()}:3&days=7`));
    expect(Object.fromEntries(csvOf(chosen.links()))).toMatchObject({ titleId: RALLY.titleId, days: '7' });
    expect(chosen.text('#history [aria-current]')).toBe('7 days');
    // The network pads minutes.
    expect(chosen.text('#history .hint')).toMatch('Rank 1 with 0:49.300 at Fri 15 Jan, 08:00 UTC');
    expect(chosen.text('#rank-plot tbody tr')).toBe('Fri 15 Jan, 08:00 1');
  });

  it('sorts and pages its leaderboards in the URL', async () => {
    const known = { standings: new Map([[FOX, Array.from({ length: 30 }, () => HARBOR.titleId)]]) };
    const gateway = await runWorld({ known });
    const page = await readPage(gateway, pageOf(FOX, LEADERBOARDS));
    expect(page.texts('#ranks tbody tr')).toHaveLength(25);
    expect(page.links('#ranks .pager a')).toContain('/u/EmberFox?tab=leaderboards&ranksOffset=25#ranks');
    const last = await readPage(gateway, pageOf(FOX, '?ranksOffset=25&sort=game'));
    expect([last.texts('#ranks tbody tr').length, last.text('#ranks [aria-sort]')]).toEqual([5, 'Game']);
    expect(last.links('#ranks thead a')).toContain('/u/EmberFox?tab=leaderboards#ranks');
  });

  it.each([
    '?sort=x',
    '?history=x',
    '?history=4d530064',
    '?days=0',
    '?days=366',
    '?feedbackOffset=-1',
    '?ranksOffset=501',
  ])('rejects the query %s', async (query) => {
    expect((await readPage(await runWorld(), pageOf(FOX, query))).status).toBe(400);
  });

  it.each([
    [[1], '1 of 5 stars, average of 1 rating'],
    [[5, 4, 4], '4.33 of 5 stars, average of 3 ratings'],
    [Array.from({ length: 80 }, (_, index) => 1 + (index % 2)), '1.5 of 5 stars, average of 80 ratings'],
  ])('shows the plain average of the ratings: %j', async (stars, text) => {
    const ratings: Ratings = new Map();
    for (const [i, given] of stars.entries()) rateAs(ratings, `Rater ${i}`, FOX, null, given);
    expect((await readPage(await runWorld({ ratings }), pageOf(FOX, RATINGS))).text('#ratings .beside')).toBe(text);
  });

  it('has the pages of its ratings, with hostile comments as text', async () => {
    const ratings: Ratings = new Map();
    for (let i = 0; i < 14; i += 1) rateAs(ratings, `Rater ${i}`, FOX, i === 13 ? HOSTILE : null);
    const gateway = await runWorld({ ratings });
    const first = await readPage(gateway, pageOf(FOX, RATINGS));
    expect(first.text('#ratings .beside')).toBe('4 of 5 stars, average of 14 ratings');
    expect(first.texts('#ratings .list > li')).toHaveLength(12);
    expect(first.links('#ratings .pager a')).toContain('/u/EmberFox?tab=ratings&feedbackOffset=12#ratings');
    const second = await readPage(gateway, pageOf(FOX, '?feedbackOffset=12'));
    expect(second.texts('#ratings .list > li')).toHaveLength(2);
    expect(second.text('#ratings .comment')).toBe(HOSTILE);
    expect(second.document.querySelectorAll('main script:not([type])')).toHaveLength(0);
  });

  it('masks hidden achievements as the API does, and shows progress', async () => {
    const hidden = {
      ...{ id: 8, key: 'hidden-8', name: 'Hidden Achievement', description: 'Keep playing.', points: 5 },
      ...{ is_hidden: true, earned: false, unlocked_at: null, game_title_id: null, category: 'Site' },
    };
    const group = { groupId: 'site', titleId: null, displayName: HOSTILE, imageUrl: '' };
    const counts = { unlockedCount: 0, totalCount: 1, earnedPoints: 0 };
    const gateway = await runWorld({
      achievements: { score: 0, achievements: [], groups: [{ ...group, ...counts, achievements: [hidden] }] },
    });
    const page = await readPage(gateway, pageOf(FOX, ACHIEVEMENTS));
    expect(page.text('#other-groups > summary')).toBe('1 group without an achievement');
    expect(page.text('#achievements li')).toBe('Hidden Achievement 5 points hidden Keep playing. Not unlocked');
    expect(page.text('#achievements summary bdi')).toBe(HOSTILE);
    expect(page.document.querySelector('#achievements progress')?.getAttribute('max')).toBe('1');
  });

  it('links known platforms alone, and shows all other addresses as text', async () => {
    const social_links = [
      { platform: 'github', url: 'https://github.com/fox', label: HOSTILE },
      { platform: 'github', url: 'https://github.com.evil.example/fox', label: null },
      { platform: 'youtube', url: 'javascript:alert(1)', label: 'Videos' },
      { platform: 'mastodon', url: 'https://evil.example/@fox', label: null },
    ];
    const profile = {
      ...{ social_links, bio: HOSTILE, avatar_hue: 200, avatar_url: 'https://evil.example/a.png' },
      discord_profile_url: 'https://discord.com/users/12345678901234567',
    };
    const page = await readPage(await runWorld({ profile }), pageOf(FOX));
    const outbound = page.links('#profile a').filter((href) => !href.startsWith('/'));
    expect(outbound).toEqual(['https://discord.com/users/12345678901234567', 'https://github.com/fox']);
    for (const link of page.document.querySelectorAll('#profile a[href^="https"]'))
      expect(link.getAttribute('rel')).toBe('ugc nofollow noopener noreferrer');
    expect(page.text('#profile .bio')).toBe(HOSTILE);
    expect(page.texts('#profile code')).toEqual([
      'https://evil.example/a.png',
      'https://github.com.evil.example/fox',
      'javascript:alert(1)',
      'https://evil.example/@fox',
    ]);
    expect(page.document.querySelectorAll('main img:not(.icon), main [style]')).toHaveLength(0);
  });

  it.each([
    ['with scores', FOX.toUpperCase(), {}, 8],
    ['whose name is no gamertag, and on no leaderboard', FOX, { known: { standings: new Map() }, changes: null }, 4],
    ['with a gamertag that is on no leaderboard', GAMERTAG, { known: { standings: new Map() }, changes: null }, 5],
  ])('has its data in other formats: of a user %s', async (_who, name, world, count) => {
    const gateway = await runWorld(world);
    const hrefs = (await readPage(gateway, pageOf(name))).links('link[rel="alternate"]');
    expect(hrefs).toHaveLength(count);
    for (const href of hrefs) expect([href, (await gateway.request(href)).status]).toEqual([href, 200]);
  });

  it('has a canonical URL and an image', async () => {
    const { document } = await readPage(await runWorld(), pageOf(FOX.toUpperCase()));
    expect(document.querySelector('link[rel="canonical"]')?.getAttribute('href')).toMatch(/\/u\/EmberFox$/);
    expect(document.querySelector('meta[property="og:image"]')?.getAttribute('content')).toMatch(
      /\/og\/u\/EmberFox\.png$/,
    );
  });
});

describe('tabs of a player', () => {
  it('are links, and a URL of what only one of them has leads to it', async () => {
    const gateway = await runWorld();
    const page = await readPage(gateway, pageOf(FOX));
    expect([page.texts('.choices li'), page.text('.choices [aria-current]')]).toEqual([
      ['Overview', 'Leaderboards', 'Achievements', 'Ratings'],
      'Overview',
    ]);
    expect(page.text('.person')).toContain('Favourite game: Harbor Racing 60 min');
    const other = await readPage(gateway, pageOf(FOX, '?feedbackOffset=12'));
    expect(other.text('.choices [aria-current]')).toBe('Ratings');
  });
});

describe('name in the address of a player', () => {
  it('is a username, in any case, with the same bytes', async () => {
    const gateway = await runWorld();
    const [one, other] = await Promise.all([FOX, ' EMBERFOX '].map((name) => gateway.request(pageOf(name))));
    expect([other?.status, other?.text]).toEqual([200, one?.text]);
  });

  it('is a gamertag, which counts on leaderboards; the page is then not stored', async () => {
    const gateway = await runCached({
      network: network({ standings: new Map([[GAMERTAG, [HARBOR.titleId]]]) }),
    });
    const page = await readPage(gateway, pageOf(GAMERTAG));
    expect([page.text('h1'), page.links('.figures a')]).toEqual([
      FOX,
      ['/u/EmberFox?tab=achievements', '/u/EmberFox?tab=leaderboards'],
    ]);
    expect(page.texts('#profile dd').at(-1)).toContain('3 in the last 30 days');
    expect((await readPage(gateway, pageOf(GAMERTAG))).headers['cache-status']).not.toContain('hit');
  });

  it('is the linked gamertag on leaderboards', async () => {
    const known = {
      user: testUser({ linkedGamertag: 'Fox/64' }),
      standings: new Map([['Fox/64', [HARBOR.titleId]]]),
    };
    const page = await readPage(await runWorld({ known }), pageOf(FOX, LEADERBOARDS));
    expect(page.texts('#ranks tbody tr')).toHaveLength(1);
    expect(page.links('.actions > a')).toEqual(['/compare?players=Fox%2F64']);
  });

  it.each([
    'Grey Owl',
    '"><script>alert(1)</script>',
    'a\u202Eb',
    'x'.repeat(200),
    '.',
    '..',
    '%2E%2E',
    '__proto__',
    'a/b',
    '100%',
    '%2F',
    'Ünï 夜',
  ])('is a name on leaderboards alone: %j', async (name) => {
    const gateway = await runWorld({ known: { standings: new Map([[name, [HARBOR.titleId]]]) } });
    const page = await readPage(gateway, links.player(name));
    expect([page.status, page.text('h1'), page.text('.lead')]).toEqual([200, name, 'A player without an account here']);
    expect(page.texts('#achievements, #ratings, #play-time')).toEqual([]);
    expect(page.document.querySelectorAll('main script:not([type])')).toHaveLength(0);
    for (const href of page.links('main a[href^="/u/"]')) expect((await readPage(gateway, href)).status).toBe(200);
  });

  it.each(['nobody', '..', 'x'.repeat(201), '%', '\u202e', ' '])('is unknown: %j', async (name) => {
    const page = await readPage(await runWorld(), `/u/${name === '..' ? '%252E%252E' : encodeURIComponent(name)}`);
    expect([page.status, page.text('h1')]).toEqual([404, 'Not found']);
  });
});
