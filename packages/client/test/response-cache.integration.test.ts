import { createHash } from 'node:crypto';
import { createResponseCache } from '../src/index.ts';
import { clientOf, json } from './client-of.ts';

/** A client with a cache, of a server that validates ETags. */
async function cachingClient(bodyOf: () => unknown, maxResponses?: number) {
  let confirmed = 0;
  const connected = await clientOf(
    (req, res) => {
      const etag = `"${createHash('md5').update(JSON.stringify(bodyOf())).digest('hex')}"`;
      if (req.headers['if-none-match'] === etag) {
        confirmed += 1;
        res.writeHead(304, { ETag: etag, Age: '7' }).end();
      } else json(bodyOf(), 200, { ETag: etag, Age: '0', Link: '</api/games?offset=9>; rel="next"' })(req, res);
    },
    { cache: createResponseCache(maxResponses) },
  );
  return { ...connected, confirmed: () => confirmed };
}

describe('the response cache', () => {
  it('makes the second request conditional, and a 304 resolves to the cached body', async () => {
    const { client, confirmed } = await cachingClient(() => ({ games: ['A'] }));
    const first = await client.request('listGames', {});
    const second = await client.request('listGames', {});
    expect(confirmed()).toBe(1);
    expect(second).toMatchObject({ body: first.body, status: 200, next: first.next });
    expect(second.headers.get('age')).toBe('7');
    expect(second.next).toMatch(/offset=9$/);
  });

  it('stores the new response when the body has changed', async () => {
    let games = ['A'];
    const { client, confirmed } = await cachingClient(() => ({ games }));
    await client.listGames();
    games = ['A', 'B'];
    expect(await client.listGames()).toEqual({ games: ['A', 'B'] });
    expect(await client.listGames()).toEqual({ games: ['A', 'B'] });
    expect(confirmed()).toBe(1);
  });

  it('a caller that changes a body does not change the cached one', async () => {
    const { client } = await cachingClient(() => ({ games: ['A'] }));
    const body = await client.listGames();
    Object.assign(body, { games: [] });
    expect(await client.listGames()).toEqual({ games: ['A'] });
  });

  it('does not store responses to requests with a session, or to writes', async () => {
    const { client, seen } = await cachingClient(() => ({ average: 5 }));
    for (let time = 0; time < 2; time += 1) {
      await client.getReputation({ username: 'Fox' }, { sessionKey: 'key' });
      await client.rateProfile({ username: 'Fox', body: { stars: 4 } });
    }
    expect(seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('drops the least recently used response', async () => {
    const { client, seen } = await cachingClient(() => ({ games: [] }), 2);
    for (const q of ['a', 'b', 'a', 'c', 'a', 'b']) await client.listGames({ q });
    expect(seen.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([
      false,
      false,
      true,
      false,
      true,
      false,
    ]);
  });
});
