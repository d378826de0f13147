import { formatTimestamp, operations } from '@lobbystats/contracts';
import { activity, day } from './day.ts';
import { network, title, type Network } from './network.ts';
import { readPage } from './page-text.ts';
import { requestCount } from './running-cache.ts';
import { runGateway } from './running-gateway.ts';

const HOSTILE = ['"><script>alert(1)</script>', '\u202Egnp.exe', '__proto__', 'a/b %41?#', 'x'.repeat(100)];

const run = (network: Network) => runGateway({ network });

describe('live page', () => {
  it('lists the open lobbies by game with host, players and age, in one request', async () => {
    const known = day();
    const gateway = await run(known);
    const page = await readPage(gateway, '/live');
    expect([page.status, page.text('h1')]).toEqual([200, 'Live']);
    expect(page.texts('#lobbies h3')).toEqual(['Harbor Racing', 'Ärger']);
    expect(page.texts('#lobbies .group .head p')).toEqual(['2 lobbies · 12 players', '1 lobby · 6 players']);
    const since = 'Fri 15 Jan, 07:35 UTC';
    expect(page.texts('#lobbies tbody tr > *')).toEqual([
      ...['Ember Fox', '6/8', since],
      ...['Grey Owl', '6/8', since],
      ...['Lone Elk', '6/8', since],
    ]);
    expect(page.links('#lobbies .group a').slice(0, 2)).toEqual(['/game/00000001', '/u/Ember%20Fox']);
    expect(page.text('#lobbies .beside')).toBe('3 lobbies');
    expect(requestCount(gateway.series, operations.getMatches.path)).toBe(0);
  });

  it('has users online by game, most first, with the lobbies of each', async () => {
    const page = await readPage(await run(day()), '/live');
    expect(page.texts('#games tbody tr > *')).toEqual([
      ...['Harbor Racing', '1,300', '2', '6'],
      ...['Ärger', '41', '1', '3'],
    ]);
    expect(page.links('#games tbody tr:first-child a')).toEqual(['/game/00000001', '/live?game=00000001']);
  });

  it('has the busiest of many games, and finds lobbies of the others by their name', async () => {
    const known = day();
    const ids = Array.from({ length: 150 }, (_, index) => String(index + 1).padStart(8, '0'));
    known.titles = ids.map((id) => title(id, `Game ${id}`));
    known.activity.titles = ids.map((id, index) => activity(id, index + 1, [`Host ${id}`]));
    const gateway = await run(known);
    const page = await readPage(gateway, '/live');
    const games = page.texts('#games tbody th');
    expect([games.length, games[0], games.at(-1)]).toEqual([15, 'Game 00000150', 'Game 00000136']);
    expect((await readPage(gateway, '/live?game=Game+00000001')).texts('#lobbies tbody th')).toEqual(['Host 00000001']);
  });

  it('fills in the name of the game, or its title ID where another game has the name', async () => {
    const known = day();
    known.titles = [title('00000001', 'Twin'), title('00000002', 'Twin'), title('00000003', 'Single')];
    const gateway = await run(known);
    const filled = async (game: string) => {
      const { document } = await readPage(gateway, `/live?game=${game}`);
      return document.querySelector('.filters [name=game]')?.getAttribute('value');
    };
    const twins = [await filled('00000001'), await filled('00000002')];
    expect([await filled('00000003'), await filled('Nothing')]).toEqual(['Single', 'Nothing']);
    expect(twins.toSorted()).toEqual(['00000001', 'Twin']);
  });

  it('names who is online with the game of each, as the API does', async () => {
    const known = day();
    known.usersOnline = [
      { username: 'adair', titleId: '00000003', game: null },
      { username: 'EmberFox', titleId: null, game: 'Somewhere else' },
      { username: 'Marlow', titleId: null, game: null },
      { username: 'zora', titleId: '00000001', game: 'Harbour' },
    ];
    const gateway = await run(known);
    const page = await readPage(gateway, '/live');
    expect(page.texts('#online li')).toEqual([
      'adair Ärger',
      'EmberFox Somewhere else',
      'Marlow online',
      'zora Harbor Racing',
    ]);
    expect(page.links('#online li a')).toEqual([
      ...['/u/adair', '/game/00000003', '/u/EmberFox', '/u/Marlow', '/u/zora', '/game/00000001'],
    ]);
    expect([page.text('#online .beside'), page.links('#online .pager a')]).toEqual(['4 players', []]);
    const filtered = await readPage(gateway, '/live?game=Harbor%20Racing');
    expect(filtered.texts('#online li')).toEqual(['zora Harbor Racing']);
    expect((await readPage(gateway, '/live?game=Chess')).text('#online .empty')).toBe('Nobody is known to be online');
  });

  it('pages through many users online, and keeps the page of lobbies', async () => {
    const known = day();
    known.usersOnline = Array.from({ length: 250 }, (_, index) => ({
      ...{ username: `user ${String(index).padStart(3, '0')}`, titleId: '00000001', game: null },
    }));
    const gateway = await run(known);
    const first = await readPage(gateway, '/live');
    expect([first.texts('.people li').length, first.text('#online .pager p')]).toEqual([30, '1–30 of 250']);
    const page = await readPage(gateway, '/live?rows=80&usersOffset=30');
    expect(page.texts('.people li')[0]).toBe('user 030 Harbor Racing');
    expect(page.links('#online .pager a')).toEqual([
      ...['/live?rows=80#online', '/live?rows=80#online'],
      ...['/live?rows=80&usersOffset=60#online', '/live?rows=80&usersOffset=240#online'],
    ]);
  });

  it('is the first item of the navigation', async () => {
    const page = await readPage(await run(day()), '/live?sort=newest');
    expect(page.links('header nav a')[0]).toBe('/live');
    expect(page.text('header nav [aria-current]')).toBe('Live');
  });

  it('keeps the filters in its URL', async () => {
    const gateway = await run(day());
    const page = await readPage(gateway, '/live?game=00000003&sort=newest');
    expect(page.texts('#lobbies tbody th')).toEqual(['Lone Elk']);
    expect(page.links('.choices a')).toEqual([
      ...['/live?game=00000003&sort=newest', '/live?game=00000003&room=yes&sort=newest'],
      ...['/live?game=00000003', '/live?game=00000003&sort=newest'],
    ]);
    expect(page.texts('.choices [aria-current]')).toEqual(['All', 'Newest first']);
    expect(page.document.querySelector('.filters [name=game]')?.getAttribute('value')).toBe('Ärger');
    expect(gateway.series.requests.map(({ url }) => url)).toContain(
      '/api/lobbies?titleId=00000003&sort=newest&limit=1000',
    );
    expect((await readPage(gateway, '/live?game=Harbor%20Racing')).texts('#lobbies tbody th')).toHaveLength(2);
  });

  it('says that a game is unknown, with a way back', async () => {
    const page = await readPage(await run(day()), '/live?game=No%20such%20game');
    expect([page.status, page.text('#lobbies .empty')]).toEqual([200, 'There is no game “No such game”.']);
    expect(page.links('form.filters a')).toEqual(['/live']);
    expect(page.text('#online')).toBeUndefined();
  });

  it('takes the only game that a text fits, and asks which one of several', async () => {
    const gateway = await run(day());
    const only = await readPage(gateway, '/live?game=harb');
    expect(only.document.querySelector('#game')?.getAttribute('value')).toBe('Harbor Racing');
    expect(only.texts('#lobbies tbody th')).toHaveLength(2);
    const misspelt = await readPage(gateway, '/live?game=harbr%20racing');
    expect(misspelt.texts('#lobbies tbody th')).toHaveLength(2);
    const titles = ['Harbor Racing', 'Harbor Rally'].map((name, id) => title(`0000000${id}`, name));
    const several = await readPage(await run(network({ titles })), '/live?game=harbor');
    expect(several.text('#lobbies .empty')).toBe(
      'There is no game “harbor”. Did you mean Harbor Racing, Harbor Rally?',
    );
    expect(several.links('#lobbies .empty a')).toEqual(['/live?game=00000000', '/live?game=00000001']);
  });

  it('keeps a row the row of its host', async () => {
    const known = day();
    const gateway = await run(known);
    const ids = async () => {
      const { document } = await readPage(gateway, '/live');
      return Array.from(document.querySelectorAll('#lobbies tbody tr'), ({ id }) => id);
    };
    expect(await ids()).toContain('lobby-of-00000001-Grey%20Owl');
    known.activity.titles[0] = activity('00000001', 1300, ['Grey Owl']);
    expect(await ids()).toEqual(['lobby-of-00000001-Grey%20Owl', 'lobby-of-00000003-Lone%20Elk']);
  });

  it('shows some lobbies of each game, and leads to more games and to the others of a game', async () => {
    const known = day();
    const ids = Array.from({ length: 9 }, (_, index) => `0000000${index + 1}`);
    known.titles = ids.map((id) => title(id, `Game ${id}`));
    known.activity.titles = ids.map((id) =>
      activity(
        id,
        9,
        Array.from({ length: 7 }, (_, index) => `Host ${index}`),
      ),
    );
    const gateway = await run(known);
    const page = await readPage(gateway, '/live');
    expect([page.texts('.group').length, page.texts('#lobbies tbody tr').length]).toEqual([4, 20]);
    expect(page.text('#lobbies > .more')).toBe('More: 35 lobbies of other games');
    expect((await readPage(gateway, page.links('#lobbies > .more a')[0] ?? '')).texts('.group')).toHaveLength(9);
    const [game = ''] = page.links('.group .hint a');
    expect((await readPage(gateway, game)).texts('#lobbies tbody tr')).toHaveLength(7);
  });

  it('has a filter for lobbies with free seats', async () => {
    const known = day();
    const lobby = { titleId: '00000001', gameName: 'Harbor Racing', openedAt: '2027-01-15 06:00:00' };
    const open = (hostName: string, currentPlayers: number, maxPlayers: number) => ({
      ...{ ...lobby, id: hostName, hostName, currentPlayers, maxPlayers, timestamp: formatTimestamp(known.newest) },
    });
    known.openLobbies = [open('Full', 8, 8), open('Free', 7, 8), open('Unknown', 3, 0)];
    const gateway = await run(known);
    expect((await readPage(gateway, '/live')).texts('#lobbies tbody th')).toEqual(['Full', 'Free', 'Unknown']);
    const page = await readPage(gateway, '/live?room=yes');
    expect(page.texts('#lobbies tbody th')).toEqual(['Free']);
    known.openLobbies = [open('Full', 8, 8)];
    const none = await readPage(await run(known), '/live?room=yes');
    expect(none.text('#lobbies .empty')).toBe('No lobby has room at the moment');
  });

  it('says that nobody plays', async () => {
    const known = day();
    known.activity.titles = [];
    const page = await readPage(await run(known), '/live');
    expect(page.texts('.empty')).toEqual([
      ...['No lobby is open', 'Nobody is known to be online', 'Nobody is in a game at the moment'],
    ]);
  });

  it.each(HOSTILE)('shows a host and a game called %j', async (name) => {
    const known = day();
    known.titles = [title('00000001', name)];
    known.activity.titles = [activity('00000001', 3, [name])];
    known.usersOnline = [
      { username: 'adair', titleId: '00000001', game: null },
      { username: 'zora', titleId: null, game: name },
    ];
    const page = await readPage(await run(known), '/live');
    expect(page.texts('#lobbies :is(h3, tbody th)')).toEqual([name, name]);
    expect(page.texts('#online .hint')).toEqual([name, name]);
    expect(page.texts('main script')).toEqual([]);
  });

  it.each([
    ['user-api', 'users', '#online', 3],
    ['series-api', 'series', '#lobbies', 0],
  ] as const)('renders the rest while %s is down', async (_, upstream, section, lobbies) => {
    const gateway = await run(day());
    await gateway[upstream].stop();
    const page = await readPage(gateway, '/live');
    expect([page.status, page.headers['cache-control'], page.text(`${section} .unavailable`)]).toEqual([
      ...[200, 'no-store'],
      'This part is unavailable at the moment.',
    ]);
    expect(page.texts('#lobbies tbody th')).toHaveLength(lobbies);
  });

  it.each(['sort=age', 'rows=0', 'room=no', 'usersOffset=-1', 'game=a&game=b'])('is 400 at ?%s', async (query) => {
    expect((await readPage(await run(day()), `/live?${query}`)).status).toBe(400);
  });
});

describe('home page', () => {
  it('has open lobbies below records and games', async () => {
    const page = await readPage(await run(day()), '/');
    expect(page.texts('#lobbies tbody th')).toEqual(['Ember Fox', 'Grey Owl', 'Lone Elk']);
    expect(page.text('#lobbies .head a')).toBe('All 3 lobbies');
    expect(page.texts('main h2').slice(0, 3)).toEqual(['Records this week', 'Busiest games', 'Open lobbies']);
  });
});
