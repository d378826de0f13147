import { operations } from '@lobbystats/contracts';
import { links } from '@lobbystats/site/links';
import { HARBOR } from './network.ts';
import { readPage } from './page-text.ts';
import { CHANGE } from './player-world.ts';
import { runGateway, UNREACHABLE_URL } from './running-gateway.ts';
import {
  boardSuggestion,
  entryOf,
  gameSuggestion,
  HOSTILE,
  playerSuggestion,
  runSearchGateway,
} from './search-page.ts';

const { suggestNames, searchByTime, searchByPlayers } = operations;

/** The message of the API for the same input. */
async function messageOf({ request }: Pick<Awaited<ReturnType<typeof runGateway>>, 'request'>, path: string) {
  return ((await request(path)).body as { error: string }).error;
}

describe('search by name', () => {
  it('groups names by type, with links and an exact match first', async () => {
    const gateway = await runSearchGateway({
      suggestions: [
        gameSuggestion(HARBOR.name, HARBOR.titleId),
        playerSuggestion('Harbor Fox', 12),
        boardSuggestion('Harbor Loop'),
      ],
    });
    const page = await readPage(gateway, links.search({ q: 'HARBOR racing' }));
    expect(page.status).toBe(200);
    expect(page.texts('main h2')).toEqual(['Exact match', 'Players', 'Leaderboards']);
    expect(page.links('#exact a')).toEqual([links.game(HARBOR.titleId)]);
    expect(page.links('#players a')).toEqual([links.player('Harbor Fox')]);
    expect(page.text('#players li')).toContain('on 12 leaderboards');
    expect(page.links('#leaderboards a')).toEqual([links.leaderboard(HARBOR.titleId, 17), links.game(HARBOR.titleId)]);
    expect(page.text('#leaderboards li')).toContain('1,200 entries');
    expect(page.document.querySelector('#q')?.getAttribute('value')).toBe('HARBOR racing');
    expect(page.links('link[rel=alternate]')).toEqual([`${suggestNames.path}?q=HARBOR%20racing&limit=50`]);
  });

  it('says that names one letter away are no match', async () => {
    const suggestions = [playerSuggestion('Harbor Fox', 12)];
    const page = await readPage(
      await runSearchGateway({ suggestions, approximate: true }),
      links.search({ q: 'harbr fox' }),
    );
    expect(page.text('main .note')).toContain('“harbr fox” in its name. Did you mean');
    expect(page.links('#players a')).toEqual([links.player('Harbor Fox')]);
  });

  it('finds a game by its title ID and by a part of its name', async () => {
    const gateway = await runSearchGateway();
    const byId = await readPage(gateway, links.search({ q: HARBOR.titleId.toUpperCase() }));
    expect(byId.links('#exact a')).toEqual([links.game(HARBOR.titleId)]);
    const byPart = await readPage(gateway, links.search({ q: 'acing' }));
    expect(byPart.links('#games a')).toEqual([links.game(HARBOR.titleId)]);
  });

  it('shows a picture of each result, and finds achievements', async () => {
    const suggestions = [
      gameSuggestion(HARBOR.name, HARBOR.titleId),
      playerSuggestion('Ten Foxes'),
      boardSuggestion('Ten'),
    ];
    const page = await readPage(await runSearchGateway({ suggestions }), links.search({ q: 'ten' }));
    expect(page.links('#achievements a')).toEqual([links.achievement(4)]);
    expect(page.text('#achievements li')).toContain('achievement of Site · 25 points');
    const pictured = Array.from(page.document.querySelectorAll('main li > :is(.portrait, .icon, .trophy)'));
    expect(pictured).toHaveLength(page.texts('main .names li').length);
  });

  it('has an example of each other form, from the newest records', async () => {
    const gateway = await runSearchGateway({ records: [CHANGE, { ...CHANGE, id: 8, playerName: 'Owl' }] });
    const examples = [
      links.search({ by: 'time', time: '0:49.300', tolerance: 500 }),
      links.search({ by: 'players', names: 'EmberFox,Owl' }),
      links.search({ by: 'ranks', ranks: '1 EmberFox' }),
    ];
    expect((await readPage(gateway, links.search())).links('#examples a')).toEqual(examples);
    expect((await readPage(gateway, links.search({ by: 'ranks' }))).links('#examples a')).toEqual(examples.slice(2));
    expect((await readPage(gateway, examples[1]!)).texts('#examples')).toEqual([]);
  });

  it('finds a player who is on no leaderboard', async () => {
    const page = await readPage(await runSearchGateway(), links.search({ q: 'Host' }));
    expect(page.links('#exact a')).toEqual([links.player('Host')]);
  });

  it('says what it finds before a text is given, and offers it to caches', async () => {
    const page = await readPage(await runSearchGateway({ env: { CACHE_BYTES: '1000000' } }), links.search());
    expect(page.headers['cache-status']).toContain('stored');
    expect(page.text('main .lead')).toContain('Case and accents make no difference');
    expect(page.texts('main h2')).toEqual([]);
  });

  it('says when there is no such name', async () => {
    const page = await readPage(await runSearchGateway(), links.search({ q: 'zzz' }));
    expect(page.text('main .empty')).toContain('No player, game, leaderboard or achievement');
  });

  it('shows hostile names as text, and links to their pages', async () => {
    const long = 'x'.repeat(100);
    const suggestions = [
      ...[HOSTILE, '__proto__', long].map((name) => playerSuggestion(name)),
      ...[gameSuggestion(HOSTILE, '0000000b'), boardSuggestion(HOSTILE)],
    ];
    const gateway = await runSearchGateway({ suggestions });
    const page = await readPage(gateway, links.search({ q: HOSTILE }));
    expect(page.document.querySelectorAll('main script, title script')).toHaveLength(0);
    expect(page.document.title).toContain('<script>alert(1)</script>');
    expect(page.texts('#exact bdi')).toEqual(expect.arrayContaining([HOSTILE]));
    expect(page.texts('#players bdi')).toEqual(['__proto__', long]);
    expect(page.links('#exact a')[0]).toBe(links.player(HOSTILE));
  });

  it('links to the other forms for a text that is a time or several names', async () => {
    const gateway = await runSearchGateway();
    const time = await readPage(gateway, links.search({ q: '0:49.3' }));
    expect(time.links()).toContain(links.search({ by: 'time', time: '0:49.3' }));
    const names = await readPage(gateway, links.search({ q: 'Ember Fox, Host' }));
    expect(names.links()).toContain(links.search({ by: 'players', names: 'Ember Fox, Host' }));
  });

  it('shows the message of the API for a text that is too long', async () => {
    const gateway = await runSearchGateway();
    const q = 'x'.repeat(101);
    const page = await readPage(gateway, links.search({ q }));
    expect([page.status, page.text('main .trouble')]).toEqual([
      200,
      await messageOf(gateway, `${suggestNames.path}?q=${q}`),
    ]);
  });

  it('renders its form while catalog-api is unavailable, and is not cached', async () => {
    const gateway = await runGateway({ env: { CATALOG_API_URL: UNREACHABLE_URL, CACHE_BYTES: '1000000' } });
    const page = await readPage(gateway, links.search({ q: 'harbor' }));
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.text('main .unavailable')).toBe('This part is unavailable at the moment.');
    expect(page.document.querySelector('#q')?.getAttribute('value')).toBe('harbor');
  });
});

describe('search by time', () => {
  const pages = [[entryOf('Ember Fox'), entryOf(HOSTILE, { timeMs: 48_990 })], [entryOf('Last')]] as const;

  it('shows the entries with their distance from the time, page after page', async () => {
    const gateway = await runSearchGateway({ pages });
    const path = links.search({ by: 'time', time: '0:49.000', tolerance: 500, game: 'harbor racing' });
    const page = await readPage(gateway, path);
    expect(page.text('#results h2')).toBe('Entries within 0.500 s of 0:49.000');
    expect(page.text('#results .beside')).toBe('3 entries');
    expect(page.texts('#results tbody th')).toEqual(['Ember Fox', HOSTILE]);
    expect(page.texts('#results tbody tr:nth-child(1) td')).toEqual([
      ...['0:49.300', '+0.300 s', 'Old Pier, best lap rank 3 · Harbor Racing'],
    ]);
    expect(page.texts('#results tbody tr:nth-child(2) td')[1]).toBe('−0.010 s');
    const [next = ''] = page.links('a[rel=next]');
    const second = await readPage(gateway, next);
    expect(second.texts('#results tbody th')).toEqual(['Last']);
    expect(second.links('a[rel=next]')).toEqual([]);
    expect(second.links('a[rel=first]')).toEqual([path]);
    expect(second.document.querySelector('#tolerance')?.getAttribute('value')).toBe('500');
    const asked = gateway.found.requests.filter(({ url }) => url.startsWith(searchByTime.path)).map(({ url }) => url);
    expect(asked[0]).toContain(`titleId=${HARBOR.titleId}`);
  });

  it('links to the tolerance that finds the nearest entry when there is none, in the same game', async () => {
    const gateway = await runSearchGateway({ nearest: entryOf('Ember Fox', { timeMs: 49_300 }) });
    const query = { by: 'time', time: '0:49.000', game: 'harbor racing' };
    const page = await readPage(gateway, links.search(query));
    expect(page.text('#results .empty')).toBe(
      'No leaderboard has an entry of exactly 0:49.000. Search within 0.50 s of it',
    );
    expect(page.links('#results .empty a')).toEqual([
      links.search({ by: 'time', time: '0:49.000', game: 'harbor racing', tolerance: 500 }),
    ]);
  });

  it('says when no tolerance finds an entry', async () => {
    const page = await readPage(await runSearchGateway(), links.search({ by: 'time', time: '0:49.000' }));
    expect(page.text('#results .empty')).toContain('There is none within 60.00 s either.');
    expect(page.links('#results .empty a')).toEqual([]);
  });

  it.each([
    ['time', { time: 'soon', tolerance: '5' }, '?time=soon'],
    ['time', { time: HOSTILE }, '?time=soon'],
    ['tolerance', { time: '0:49', tolerance: 'abc' }, '?time=0:49&tolerance=abc'],
  ])('shows the message of the API beside the field %s, which keeps its value', async (field, input, query) => {
    const gateway = await runSearchGateway();
    const page = await readPage(gateway, links.search({ by: 'time', ...input }));
    expect([page.status, page.text(`#${field}-fault`)]).toEqual([
      200,
      await messageOf(gateway, searchByTime.path + query),
    ]);
    for (const [name, value] of Object.entries(input)) {
      expect(page.document.querySelector(`#${name}`)?.getAttribute('value')).toBe(value);
    }
    expect(page.document.querySelector(`#${field}`)?.getAttribute('aria-invalid')).toBe('true');
    expect(page.document.querySelectorAll('main script, [aria-invalid]')).toHaveLength(1);
  });

  it('searches for nothing before the form is sent', async () => {
    const gateway = await runSearchGateway();
    const page = await readPage(gateway, links.search({ by: 'time' }));
    expect(page.texts('#results, main .trouble')).toEqual([]);
    expect(gateway.found.requests.filter(({ url }) => url.startsWith(searchByTime.path))).toEqual([]);
  });

  it('is 400 for an unknown form and for a parameter that is given twice', async () => {
    const gateway = await runSearchGateway();
    expect((await readPage(gateway, links.search({ by: 'magic' }))).status).toBe(400);
    expect((await readPage(gateway, `${links.search()}?q=a&q=b`)).status).toBe(400);
  });
});

describe('search by players', () => {
  it('shows the entries of several players, and those that are near each other', async () => {
    const gateway = await runSearchGateway({ pages: [[entryOf('Ember Fox'), entryOf('Host')], []] });
    const page = await readPage(gateway, links.search({ by: 'players', names: 'Ember Fox, Host', tolerance: 250 }));
    expect(page.text('#results h2')).toBe('Entries within 0.250 s of each other');
    expect(page.links('#results .lead a')).toEqual([links.player('Ember Fox'), links.player('Host')]);
    expect(page.texts('#results tbody th')).toEqual(['Ember Fox', 'Host']);
    const [alternate] = page.links('link[rel=alternate]');
    expect(alternate).toBe(`${searchByPlayers.path}?names=Ember%20Fox%2C%20Host&tolerance=250`);
  });

  it('shows the message of the API beside the names', async () => {
    const gateway = await runSearchGateway();
    const page = await readPage(gateway, `${links.search({ by: 'players' })}&names=,`);
    expect(page.text('#names-fault')).toBe(await messageOf(gateway, `${searchByPlayers.path}?names=,`));
  });
});

describe('search by ranks', () => {
  it('asks for a rank and a name in each line, and shows the leaderboards', async () => {
    const gateway = await runSearchGateway({ pages: [[entryOf('Ember Fox')], []] });
    const page = await readPage(gateway, links.search({ by: 'ranks', ranks: '3 Ember Fox\r\n\r\n 12  Grey, Owl ' }));
    expect(gateway.bodies).toEqual([
      {
        players: [
          { playerName: 'Ember Fox', rank: 3 },
          { playerName: 'Grey, Owl', rank: 12 },
        ],
      },
    ]);
    expect(page.texts('#results tbody td')).toEqual(['1 of 2', '3 Ember Fox']);
    expect(page.text('#results tbody th')).toBe('Old Pier, best lap Harbor Racing');
  });

  it('says which player is not valid, and keeps the lines', async () => {
    const lines = `3 Ember Fox\nfirst ${HOSTILE}`;
    const page = await readPage(await runSearchGateway(), links.search({ by: 'ranks', ranks: lines }));
    expect(page.text('#ranks-fault')).toMatch(/^Player 2: rank must be an integer/);
    expect(page.document.querySelector('#ranks')?.textContent).toBe(lines);
    expect(page.document.querySelectorAll('main script')).toHaveLength(0);
  });
});
