import { readPage } from './page-text.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway({ scope: 'file' });
});

describe('page of an address with a wrong parameter', () => {
  it.each([
    ['/?range=abc', '/', 'range'],
    ['/games?sort=xyz&q=a%20b', '/games?q=a+b', 'sort'],
    ['/game/4d530064?range=abc&matches=20', '/game/4d530064?matches=20', 'range'],
    ['/game/4d530064/leaderboard/17?at=tomorrow', '/game/4d530064/leaderboard/17', 'at'],
    ['/u/EmberFox?days=0&history=4d530064:17', '/u/EmberFox?history=4d530064%3A17', 'days'],
    ['//evil.example/?range=abc', '', ''],
  ])('%s links the page without it', async (path, valid, parameter) => {
    const page = await readPage(gateway, path);
    expect(page.links().filter((href) => href.startsWith('//'))).toEqual([]);
    if (valid === '') return;
    expect(page.status).toBe(400);
    expect(page.text('.error a')).toBe(`To this page without “${parameter}”`);
    expect(page.links('.error a')[0]).toBe(valid);
    expect((await readPage(gateway, valid)).status).toBe(200);
  });

  it.each(['/u/%FF', '/event/%', '/%E0%A4', '/game/4d530064/leaderboard/%'])(
    'is shown for %s, which is no text',
    async (path) => {
      const page = await readPage(gateway, path);
      expect([page.status, page.text('h1')]).toEqual([400, 'This address is not valid']);
      expect(page.text('.error p')).toBe('It is cut off, or has a wrong “%” in it.');
      expect(page.links('.error a')).toEqual(['/']);
      const error = 'The path must be percent-encoded UTF-8';
      expect(await gateway.request(`/api${path}`)).toMatchObject({ status: 400, body: { error } });
    },
  );

  it('is never the answer to the path of all games', async () => {
    for (const path of ['/game', '/game?titleid=4d530064'])
      expect(await gateway.request(path, { headers: { Accept: 'text/html' } })).toMatchObject({
        status: 301,
        headers: { location: '/games' },
      });
  });
});

describe('address with slashes at its end', () => {
  it.each([
    ['/game/', '/game'],
    ['/live/?game=a/', '/live?game=a/'],
    ['/api/games//', '/api/games'],
    ['/api/stream/', '/api/stream'],
    ['//stats.example/', '/stats.example'],
    ['///', undefined],
  ])('%s leads to %s', async (path, location) => {
    const { status, headers } = await gateway.request(path);
    expect([status, headers.location]).toEqual([location === undefined ? 404 : 308, location]);
  });
});

describe('page of an address with nothing', () => {
  it.each([
    ['/u/Embr%20Fox', 'Embr Fox', 'There is no player of that name.'],
    ['/game/Harbr%20Racing', 'Harbr Racing', 'There is no game of that name or title ID.'],
    ['/nowhere', '', 'There is no page at this address.'],
  ])('%s has a search for the name', async (path, name, message) => {
    const page = await readPage(gateway, path);
    expect([page.status, page.text('.error p')]).toEqual([404, message]);
    expect(page.document.querySelector('#error-find')?.getAttribute('value')).toBe(name);
    expect(page.links('.error a')).toEqual(['/']);
  });

  it('of a leaderboard links its game', async () => {
    const page = await readPage(gateway, '/game/4d530064/leaderboard/99999');
    expect([page.status, page.links('.error a')]).toEqual([404, ['/game/4d530064', '/']]);
    expect((await readPage(gateway, '/game/4d530064')).status).toBe(200);
  });
});
