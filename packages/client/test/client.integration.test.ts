import { ApiError, ConnectionError, createClient } from '../src/index.ts';
import { clientOf, json } from './client-of.ts';

describe('client requests', () => {
  it.each([undefined, '', '/api', 'stats.example', 'localhost:8080', 'ftp://stats.example', 'https://'])(
    'can not be created with the base URL %j',
    (baseUrl) => {
      expect(() => createClient({ baseUrl: baseUrl! })).toThrow('baseUrl must be the origin of the API');
    },
  );

  it('encodes each path parameter as one segment', async () => {
    const { client, seen } = await clientOf(json({}));
    await client.getGame({ titleId: '4d530064' });
    await client.getGame({ game: 'A/B? #1 & ü' });
    await client.getProfile({ username: 'Ember Fox' });
    await client.getGame({ game: '..' });
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/title/4d530064',
      '/api/game/A%2FB%3F%20%231%20%26%20%C3%BC',
      '/api/profile/Ember%20Fox',
      '/api/game/%252E%252E',
    ]);
  });

  it('sends only query parameters of the operation, without undefined ones', async () => {
    const { client, seen } = await clientOf(json({}));
    const more = { limit: 5, type: 'new', since: undefined, evil: 'x' } as const;
    await client.listChanges(more);
    await client.listChanges();
    expect(seen.map(({ url }) => url)).toEqual(['/api/changes?limit=5&type=new', '/api/changes']);
  });

  it('sends the body as JSON', async () => {
    const { client, seen } = await clientOf(json({}));
    await client.rateProfile({ username: 'Fox', body: { stars: 4, comment: 'Fair' } });
    expect(seen[0]).toMatchObject({ method: 'POST', body: '{"stars":4,"comment":"Fair"}' });
  });

  it('rejects a write whose body is not in the first argument, and says where it belongs', async () => {
    const { client, seen } = await clientOf(json({}));
    const rate = client.rateProfile as (...args: object[]) => Promise<unknown>;
    await expect(rate({ username: 'Fox' }, { stars: 4 })).rejects.toThrow('stars is not an option');
    await expect(rate({ username: 'Fox', stars: 4 })).rejects.toThrow('body is missing in the first argument');
    const pages = client.items('listChanges', {}, { limit: 5 } as object);
    await expect(pages.next()).rejects.toThrow('limit is not an option');
    expect(seen).toEqual([]);
  });

  it('sends the session key in a header, only to operations that use a session', async () => {
    let key: string | undefined = 'first';
    const { client, seen } = await clientOf(json({}), { sessionKey: () => key });
    await client.getReputation({ username: 'Fox' });
    key = undefined;
    await client.getReputation({ username: 'Fox' });
    await client.getReputation({ username: 'Fox' }, { sessionKey: 'of this call' });
    key = 'again';
    await client.getProfile({ username: 'Fox' });
    expect(seen.map((one) => one.key)).toEqual(['first', undefined, 'of this call', undefined]);
    expect(seen.map(({ url }) => url).join()).not.toContain('again');
  });

  it.each([{}, { titleId: '' }, { titleId: {} }])('rejects a call without its path parameter: %j', async (input) => {
    const { client, seen } = await clientOf(json({}));
    await expect(client.getGame(input as { titleId: string })).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });
});

describe('client responses', () => {
  it('a method resolves to the body, and request resolves to the whole response', async () => {
    const { client } = await clientOf(json({ name: 'Harbor Racing' }, 200, { ETag: '"x"' }));
    expect(await client.getGame({ titleId: '4d530064' })).toEqual({ name: 'Harbor Racing' });
    const { status, headers, body, next } = await client.request('getGame', { titleId: '4d530064' });
    expect([status, headers.get('etag'), body, next]).toEqual([200, '"x"', { name: 'Harbor Racing' }, undefined]);
  });

  it('resolves to text when the format is csv', async () => {
    const { client, seen } = await clientOf((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8' }).end('date,registered_count\r\n');
    });
    const csv: string = await client.getDailyRegistered({ format: 'csv' });
    expect(csv).toBe('date,registered_count\r\n');
    expect(seen[0]?.url).toBe('/api/service-stats/daily-registered?format=csv');
  });

  it('pages follows the Link header until the last page, and items yields the elements of all pages', async () => {
    const { client, seen } = await clientOf((req, res) => {
      const offset = Number(new URL(String(req.url), 'http://any').searchParams.get('offset'));
      const headers = offset < 4 ? { Link: `</api/games?limit=2&offset=${offset + 2}>; rel="next"` } : {};
      const games = [{ name: `${offset + 1}.` }, { name: `${offset + 2}.` }];
      json({ offset, games }, 200, headers)(req, res);
    });
    const offsets: number[] = [];
    for await (const page of client.pages('listGames', { limit: 2 })) offsets.push(page.offset);
    expect(offsets).toEqual([0, 2, 4]);
    expect(seen).toHaveLength(3);
    const names: string[] = [];
    for await (const { name } of client.items('listGames', { limit: 2 })) names.push(name);
    expect(names).toEqual(['1.', '2.', '3.', '4.', '5.', '6.']);
  });
});

describe('client errors', () => {
  it('an ApiError has the message, status, request id and retry delay of the response', async () => {
    const { client } = await clientOf(
      json({ error: 'Try again soon' }, 503, { 'Retry-After': '5', 'X-Request-Id': 'r-1' }),
      { retries: 0 },
    );
    const error: unknown = await client.listGames().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      operation: 'listGames',
      message: 'Try again soon',
      status: 503,
      requestId: 'r-1',
      retryAfterSeconds: 5,
    });
  });

  it.each([
    ['a page of a proxy', 502, 'text/html', '<h1>Bad Gateway</h1>'],
    ['a page in the place of an answer', 200, 'text/html', '<h1>Log in</h1>'],
    ['JSON that is cut off', 200, 'application/json', '{"games":['],
    ['an error of another form', 500, 'application/json', '{"message":"x"}'],
  ])('a response of something else than the API throws ConnectionError: %s', async (_name, status, type, body) => {
    const { client } = await clientOf((_req, res) => {
      res.writeHead(status, { 'Content-Type': type }).end(body);
    });
    await expect(client.listGames()).rejects.toThrow(ConnectionError);
  });

  it('a failed connection throws ConnectionError with operation and cause', async () => {
    const { client } = await clientOf((req) => req.socket.destroy());
    const error: unknown = await client.listGames().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ operation: 'listGames', cause: expect.anything() });
  });

  it('an aborted call rejects with the reason of the signal', async () => {
    const { client } = await clientOf(() => undefined);
    const reason = new Error('enough');
    await expect(client.listGames({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

it('streamUrl returns the URL of the live stream for topics, last event id and names', async () => {
  const { client, baseUrl } = await clientOf(json({}));
  expect(client.streamUrl()).toBe(`${baseUrl}/api/stream`);
  expect(client.streamUrl(['online', 'changes'], 'a+b')).toBe(
    `${baseUrl}/api/stream?topics=online%2Cchanges&lastEventId=a%2Bb`,
  );
  expect(client.streamUrl(['changes'], undefined, [], ['4d530064'])).toBe(
    `${baseUrl}/api/stream?topics=changes&titleId=4d530064`,
  );
  expect(client.streamUrl(['changes'], undefined, ['Ember Fox', 'Owl'])).toBe(
    `${baseUrl}/api/stream?topics=changes&names=Ember+Fox%2COwl`,
  );
});
