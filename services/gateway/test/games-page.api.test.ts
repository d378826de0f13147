import { operations, type OperationResponse } from '@lobbystats/contracts';
import { activity, day } from './day.ts';
import { network, title } from './network.ts';
import { readPage } from './page-text.ts';
import { runGateway } from './running-gateway.ts';

const HOSTILE = ['"><script>alert(1)</script>', '\u202Egnp.exe', '__proto__', 'a/b %41?#', 'x'.repeat(100)];

function manyGames(count: number) {
  const titles = Array.from({ length: count }, (_, index) =>
    title(index.toString(16).padStart(8, '0'), `Game ${String(index).padStart(3, '0')}`),
  );
  return network({ titles });
}

describe('page of all games', () => {
  it('shows the numbers of the API, the most users online first', async () => {
    const gateway = await runGateway({ network: day() });
    const page = await readPage(gateway, '/games');
    expect(page.status).toBe(200);
    expect(page.texts('tbody th a')).toEqual(['Harbor Racing', 'Ärger', '1942', 'Chess']);
    const online = (await gateway.request(operations.getOnlineUsers.path)).body as OperationResponse<
      typeof operations.getOnlineUsers
    >;
    const { name, online: users, activeLobbies, activeLobbyPlayers, publisher } = online['Harbor Racing'] ?? {};
    expect(page.texts('tbody tr:first-child > *')).toEqual([
      ...[`${name} ${publisher}`, users?.toLocaleString('en'), String(activeLobbies), ''],
    ]);
    expect(page.texts('tbody tr:first-child .sparkline')).toHaveLength(1);
    const all = await readPage(gateway, '/games?columns=all');
    expect(all.texts('tbody tr:first-child td').slice(3)).toEqual([
      ...[String(activeLobbyPlayers), '2.5', '4', '–', '60.0'],
    ]);
    expect(page.text('.head p')).toBe('4 games, 2 with players online now, as of Fri 15 Jan, 08:00 UTC');
  });

  it.each([
    ['?sort=name', ['1942', 'Chess', 'Harbor Racing', 'Ärger']],
    ['?sort=name&order=desc', ['Ärger', 'Harbor Racing', 'Chess', '1942']],
    ['?sort=online&order=asc', ['1942', 'Chess', 'Ärger', 'Harbor Racing']],
    // A game without a change is last in both orders.
    ['?sort=change', ['1942', 'Chess', 'Harbor Racing', 'Ärger']],
    ['?sort=change&order=asc', ['1942', 'Chess', 'Harbor Racing', 'Ärger']],
  ])('sorts at %s', async (query, names) => {
    const page = await readPage(await runGateway({ network: day() }), `/games${query}`);
    expect(page.texts('tbody th a')).toEqual(names);
  });

  it('links each column to its order, with the filter and period', async () => {
    const page = await readPage(await runGateway({ network: day() }), '/games?q=north&period=7d');
    const links = page.links('thead a');
    expect(links[0]).toBe('/games?period=7d&sort=name&q=north');
    expect(links[1]).toBe('/games?period=7d&order=asc&q=north');
    expect(links).toHaveLength(3);
    expect(page.texts('[aria-sort="descending"]')).toEqual(['Online']);
    const [all = ''] = page.links('[aria-label=Columns] a:not([aria-current])');
    expect(all).toBe('/games?period=7d&columns=all&q=north');
    const whole = await readPage(await runGateway({ network: day() }), all);
    expect(whole.links('thead a')).toHaveLength(8);
    // Other columns are shown where they sort.
    const sorted = await readPage(await runGateway({ network: day() }), '/games?sort=hours');
    expect(sorted.texts('[aria-sort="descending"]')).toEqual(['Hours played']);
  });

  it.each([
    ['NORTH', ['Harbor Racing', 'Ärger']],
    ['ärg', ['Ärger']],
    ['00000002', ['Chess']],
    // As the list of the API compares names.
    ['Racing Harbor', ['Harbor Racing']],
    ['none of them', []],
  ])('filters by name, publisher and title ID: %s', async (q, names) => {
    const page = await readPage(await runGateway({ network: day() }), `/games?q=${encodeURIComponent(q)}`);
    expect(page.texts('tbody th a')).toEqual(names);
    expect(page.texts('.empty').length).toBe(names.length === 0 ? 1 : 0);
  });

  it('shows 20 games, then the next ones, or 200 on a page', async () => {
    const gateway = await runGateway({ network: manyGames(201) });
    const first = await readPage(gateway, '/games?sort=name');
    expect(first.texts('tbody th')).toHaveLength(20);
    const [next = ''] = first.links('a[rel="next"]');
    expect(next).toBe('/games?sort=name&offset=20');
    expect((await readPage(gateway, next)).texts('tbody th a')[0]).toBe('Game 020');
    expect([first.text('.more'), first.links('.more a')]).toEqual([
      '200 games on a page',
      ['/games?sort=name&rows=all'],
    ]);
    const long = await readPage(gateway, '/games?sort=name&rows=all');
    expect(long.texts('tbody th')).toHaveLength(200);
    expect(long.links('a[rel="next"]')).toEqual(['/games?sort=name&rows=all&offset=200']);
  });

  it('is cached without a filter', async () => {
    const gateway = await runGateway({ network: day(), env: { CACHE_BYTES: '10000000' } });
    await readPage(gateway, '/games?sort=hours&period=30d');
    const before = gateway.series.requests.length;
    const again = await readPage(gateway, '/games?sort=hours&period=30d');
    expect(again.status).toBe(200);
    expect(gateway.series.requests).toHaveLength(before);
  });

  it('shows names and no counts while series-api is down', async () => {
    const gateway = await runGateway({ network: day() });
    await gateway.series.stop();
    const page = await readPage(gateway, '/games?sort=name');
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.texts('tbody th a')).toEqual(['1942', 'Chess', 'Harbor Racing', 'Ärger']);
    expect(page.texts('tbody tr:first-child td')).toEqual(['–', '–', '']);
  });

  it('escapes names, publishers and the filter', async () => {
    const titles = HOSTILE.map((name, index) => title(`0000000${index}`, name, { publisher: name }));
    const gateway = await runGateway({
      network: network({ titles, activity: { slot: '2027-01-15T08:00:00Z', titles: [activity('00000002', 5, [])] } }),
    });
    const page = await readPage(gateway, '/games');
    expect(page.texts('tbody th a bdi').toSorted()).toEqual(HOSTILE.toSorted());
    const filtered = await readPage(gateway, `/games?q=${encodeURIComponent(HOSTILE[0] ?? '')}`);
    expect(filtered.texts('tbody th a')).toEqual([HOSTILE[0]]);
    expect(filtered.texts('main script')).toEqual([]);
  });

  it.each(['sort=x', 'rows=1', 'columns=x', 'order=up', 'period=1y', 'offset=-1', `q=${'x'.repeat(101)}`, 'q=a&q=b'])(
    'is 400 at ?%s',
    async (query) => {
      expect((await readPage(await runGateway(), `/games?${query}`)).status).toBe(400);
    },
  );
});
