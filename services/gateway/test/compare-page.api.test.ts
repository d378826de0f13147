import { COMPARED_GAMES_MAX, isolated, operations, usernameKey, type Operation } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { day } from './day.ts';
import { catalogRoutes, HARBOR, network, RALLY, title } from './network.ts';
import { readPage } from './page-text.ts';
import { CHANGE } from './player-world.ts';
import { runGateway, startStubUpstream, UNREACHABLE_URL, type RunningGateway } from './running-gateway.ts';
import { tableRows } from './table-rows.ts';
import { FOX, userRoutes } from './user-responses.ts';

const HOSTILE = ['"><script>alert(1)</script>', '\u202Egnp.exe', '__proto__', 'a/b %41?#', 'x'.repeat(100)];
const PUBLIC = { PUBLIC_URL: 'https://stats.example' };

function canonicalOf(page: Awaited<ReturnType<typeof readPage>>) {
  return page.links('link[rel="canonical"]').map((href) => decodeURIComponent(href));
}

describe('comparison of games', () => {
  it('shows games given by name or title ID in one plot and a table', async () => {
    const gateway = await runGateway({ network: day(), env: PUBLIC });
    const page = await readPage(gateway, '/compare?games=Harbor%20Racing,00000002&range=7d');
    expect([page.status, page.text('h1')]).toEqual([200, 'Compare Harbor Racing and Chess']);
    expect(page.text('title')).toBe('Compare Harbor Racing and Chess · Lobbystats');
    expect(canonicalOf(page)).toEqual(['https://stats.example/compare?games=00000001,00000002&range=7d']);
    expect(page.texts('#online-plot .legend li')).toEqual(['Harbor Racing', 'Chess']);
    expect(page.text('#online-plot figcaption')).toMatch('average of 30 minutes');
    expect(page.texts('#games > .table tbody tr:first-child > *')).toEqual([
      ...['Harbor Racing', '1', '2.5', '4', '60.0', '–', 'Remove Harbor Racing'],
    ]);
  });

  it('marks outages of the network', async () => {
    const known = day();
    known.online = known.online.map((row, index) => (index === 100 ? { ...row, online_count: 3 } : row));
    const page = await readPage(await runGateway({ network: known }), '/compare?games=00000001,00000002');
    expect(page.texts('#online-plot .flags li')).toEqual([expect.stringMatching(/^outage: .* network fell/)]);
  });

  it('adds a game by a form, and removes one by a link', async () => {
    const gateway = await runGateway({ network: day(), env: PUBLIC });
    const page = await readPage(gateway, '/compare?games=00000001&games=Chess');
    expect(canonicalOf(page)).toEqual(['https://stats.example/compare?games=00000001,00000002']);
    expect(page.links('#games > .table td a')).toEqual(['/compare?games=00000002', '/compare?games=00000001']);
    // A browser sends fields in their order: the new game takes the next color, the others keep theirs.
    const fields = Array.from(page.document.querySelectorAll('#games form input[name="games"]'));
    expect(fields.map((field) => field.getAttribute('value'))).toEqual(['00000001,00000002', '']);
  });

  it('finds names with commas', async () => {
    const titles = [HARBOR, title('00000007', 'Rally, Again, Please'), title('00000008', 'Rally')];
    const page = await readPage(
      await runGateway({ network: network({ titles }) }),
      '/compare?games=rally,%20again,%20please,Rally,harbor%20racing',
    );
    expect(page.text('h1')).toBe('Compare Rally, Again, Please, Rally and Harbor Racing');
  });

  it('says which games are unknown or too many', async () => {
    const titles = Array.from({ length: COMPARED_GAMES_MAX + 1 }, (_, index) => title(`0000000${index}`, `G${index}`));
    const gateway = await runGateway({ network: network({ titles }) });
    const all = await readPage(gateway, `/compare?games=${titles.map(({ titleId }) => titleId).join(',')}`);
    expect(all.text('.messages')).toBe('At most 6 games are compared. Left out: “G6”.');
    expect(all.texts('#games > .table tbody tr')).toHaveLength(COMPARED_GAMES_MAX);
    expect(all.texts('form[aria-label="Add a game"]')).toEqual([]);
    const unknown = await readPage(gateway, '/compare?games=G1,Nope,,__proto__');
    expect(unknown.text('.messages')).toBe('There is no game “Nope”. There is no game “__proto__”.');
    expect(unknown.texts('#games > .table tbody th')).toEqual(['G1']);
  });

  it('offers a form and an example without games', async () => {
    const gateway = await runGateway({ network: day() });
    const page = await readPage(gateway, '/compare');
    expect([page.status, page.text('h1')]).toEqual([200, 'Compare games and players']);
    expect(page.texts('form[aria-label="Add a game"]')).toHaveLength(1);
    const players = page.links('.choices a').at(-1) ?? '';
    expect((await readPage(gateway, players)).texts('form[aria-label="Choose two players"]')).toHaveLength(1);
  });

  it('renders the rest while an upstream is down', async () => {
    const gateway = await runGateway({ network: day() });
    await gateway.series.stop();
    const page = await readPage(gateway, '/compare?games=00000001,00000002');
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.texts('#games .unavailable')).not.toEqual([]);
    expect(page.texts('form[aria-label="Add a game"]')).toHaveLength(1);
  });

  it.each(HOSTILE)('shows %j as a game and as an unknown one', async (name) => {
    const gateway = await runGateway({ network: network({ titles: [RALLY, title('00000007', name)] }) });
    const known = await readPage(gateway, `/compare?games=${encodeURIComponent(name)}`);
    expect(known.text('h1')).toBe(`Compare ${isolated(name)}`);
    const unknown = await readPage(gateway, `/compare?games=Rally,${encodeURIComponent(`No ${name}`)}`);
    expect(unknown.text('.messages bdi')).toBe(`No ${name}`);
    expect(unknown.texts('main script:not([type="application/json"])')).toEqual([]);
  });

  it.each([`games=${'x'.repeat(1001)}`, 'range=1y', 'offset=x'])('is 400 at ?%s', async (query) => {
    expect((await readPage(await runGateway(), `/compare?${query}`)).status).toBe(400);
  });
});

describe('comparison of players', () => {
  it('shows the ranks of both on their common leaderboards', async () => {
    const gateway = await runGateway({ env: PUBLIC });
    const page = await readPage(gateway, '/compare?players=Ember%20Fox&players=Host');
    expect(page.text('h1')).toBe('Compare Ember Fox and Host');
    expect(canonicalOf(page)).toEqual(['https://stats.example/compare?players=Ember Fox,Host']);
    expect(page.text('#verdict')).toBe(
      'Of 1 common leaderboard, EmberFox is ahead on 0 and Host on 0; equal ranks on 1.',
    );
    expect(tableRows(page, '#boards')).toEqual(['1 0:49.300 | Old Pier, best lap Harbor Racing | 1 0:49.300']);
    expect(page.text('main .empty')).toBe('Host has no account here, so play time and achievements are not known.');
  });

  it('shows totals, play time, achievements and records of two accounts, and says who leads in what', async () => {
    const page = await readPage(await runPair(), '/compare?players=EmberFox,owl');
    expect(page.texts('.duel h2')).toEqual([FOX, 'Owl']);
    expect(page.text('#verdict')).toContain('EmberFox leads in play time; Owl in achievement points and achievements.');
    expect(tableRows(page, '#players')).toEqual(
      expect.arrayContaining(['65 min | Play time | 30 min', '25 | Achievement points | 45']),
    );
    expect(page.texts('#players .ahead')).toEqual(['65 min', '45', '2']);
    expect(page.texts('#play-days-plot .legend li')).toEqual([FOX, 'Owl']);
    expect(tableRows(page, '#rows-of-game')).toEqual(['60 min | Harbor Racing | 30 min']);
    expect(page.text('#common-games > .hint')).toBe('EmberFox alone plays Rally.');
    expect(page.texts('#achievements h3')).toEqual(['Only EmberFox 0', 'Both 1', 'Only Owl 1']);
    expect(page.texts('#achievements li')).toEqual([
      'Ten Hours 25 points · 100% of players have it',
      'First Blood 20 points',
    ]);
    expect(page.text('#recent-records > p')).toBe('EmberFox has taken 1 from Owl, and Owl 0 from EmberFox.');
    expect(page.text('#recent-records li p')).toBe('EmberFox took Old Pier, best lap from Owl by 0.056 s');
  });

  it('shows all but the accounts while user-api is unavailable', async () => {
    const page = await readPage(
      await runGateway({ env: { USER_API_URL: UNREACHABLE_URL } }),
      '/compare?players=Ember%20Fox,Host',
    );
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(tableRows(page, '#boards')).toHaveLength(1);
    expect(page.texts('main > .unavailable')).toHaveLength(1);
  });

  it('says which players are unknown or too many', async () => {
    const gateway = await runGateway();
    const unknown = await readPage(gateway, '/compare?players=Ember%20Fox,Nobody');
    expect(unknown.text('#players .messages')).toBe('There is no player “Nobody”.');
    const many = await readPage(gateway, '/compare?players=Ember%20Fox,Host,Third');
    expect(many.text('main .messages')).toBe('At most 2 players are compared. Left out: “Third”.');
    const long = await readPage(gateway, `/compare?players=Host,${'x'.repeat(65)}`);
    expect(long.text('#players .messages')).toBe(`There is no player “${'x'.repeat(65)}”.`);
  });

  it('offers others to compare one player with, and two to begin with', async () => {
    const gateway = await runGateway();
    const one = await readPage(gateway, '/compare?players=Host');
    expect(one.links('.duel li a')).toEqual(['/compare?players=Host%2CEmberFox']);
    const two = await readPage(await runPair(), '/compare?tab=players');
    expect(two.links('#players .empty a')).toEqual(['/compare?players=EmberFox%2COwl']);
  });
});

/** A gateway with two accounts: FOX, and Owl, from whom FOX took a record. */
async function runPair(): Promise<RunningGateway> {
  const known = network();
  const routesOfFox = userRoutes(known);
  const bodyOf = async (operation: Operation, username: string) => {
    const { handler } = routesOfFox.find((route) => route.operation.id === operation.id)!;
    const { body } = await handler({ params: { username }, query: {} } as never);
    return body as never;
  };
  const isOwl = (username: string) => usernameKey(username) === 'owl';
  const ofOwl = (operation: Operation, change: (ofFox: Record<string, object>) => object) =>
    route(operation, (async ({ params: { username } }: { params: { username: string } }) => ({
      body: isOwl(username) ? change(await bodyOf(operation, FOX)) : await bodyOf(operation, username),
    })) as never);
  const users = await startStubUpstream(
    userRoutes(known, [
      ofOwl(operations.getUserProfile, ({ playTime, ...rest }) => ({
        ...{ ...rest, username: 'Owl', leaderboardPlayerName: 'Owl', achievementScore: 45, achievementCount: 2 },
        playTime: { ...playTime, totalMinutes: 30, byTitle: [{ titleId: HARBOR.titleId, minutes: 30 }] },
      })),
      ofOwl(operations.listPlayDays, (ofFox) => ofFox),
      ofOwl(operations.getUserAchievements, ({ achievements, ...rest }) => {
        const [shared] = achievements as object[];
        return { ...rest, achievements: [shared, { ...shared, id: 5, key: 'first', name: 'First Blood', points: 20 }] };
      }),
      route(operations.getAchievementLeaderboard, async () => ({
        body: {
          leaderboard: [FOX, 'Owl'].map((username) => ({ rank: 1, username, totalScore: 25, achievementCount: 1 })),
        },
      })),
    ]),
  );
  const page = { limit: 100, offset: 0, hasMore: false, nextCursor: null };
  const catalog = await startStubUpstream(
    catalogRoutes(known, [
      route(operations.listRecords, async ({ query: { ids } }) => ({
        body: ids.map((id) => ({ id, beaten: { playerName: 'Owl', rating: '00:49.356', timeMs: 49_356 } })),
      })),
      route(operations.listPlayerChanges, async ({ params: { player } }) => {
        const changes = isOwl(player) ? [] : [CHANGE];
        return { body: { changes, total: changes.length, ...page } };
      }),
    ]),
  );
  return runGateway({ network: known, env: { USER_API_URL: users.url, CATALOG_API_URL: catalog.url } });
}
