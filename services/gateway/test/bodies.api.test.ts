import { gzipSync } from 'node:zlib';
import { operations } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { eventually } from '@lobbystats/test-kit';
import { sendRequest } from '@lobbystats/test-kit/send-request';
import { CALENDAR } from './catalog-responses.ts';
import {
  UNREACHABLE_URL,
  runGateway,
  startRawUpstream,
  startStubUpstream,
  type RunningGateway,
} from './running-gateway.ts';
import { catalogRoutes, network } from './network.ts';
import { json } from './sample-request.ts';

const SEARCH = operations.searchByRanks.path;
const PLAYERS = [{ playerName: 'Ember Fox', rank: 1 }];

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file' });
});

beforeEach(() => {
  gateway.catalog.requests.length = 0;
});

const post = (body: unknown) => gateway.request(SEARCH, { method: 'POST', ...json(body) });
const expectNoUpstreamRequests = () => expect([...gateway.series.requests, ...gateway.catalog.requests]).toEqual([]);

describe('POST with a body', () => {
  it('is answered by its upstream with no-store and without validators', async () => {
    const { status, headers, body } = await post({ players: PLAYERS });
    expect([status, body]).toEqual([200, { players: PLAYERS, titleId: null, results: [], count: 0 }]);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    });
    expect([headers.etag, headers['last-modified']]).toEqual([undefined, undefined]);
  });

  it('is never answered with 304, even for If-None-Match: *', async () => {
    const { headers, ...rest } = json({ players: PLAYERS });
    const { status } = await gateway.request(SEARCH, {
      method: 'POST',
      headers: { ...headers, 'If-None-Match': '*' },
      ...rest,
    });
    expect(status).toBe(200);
  });

  it('is forwarded as the validated body, without any other client header', async () => {
    const bodies: unknown[] = [];
    const catalog = await startStubUpstream(
      catalogRoutes(network(), [
        route(operations.searchByRanks, async ({ body }) => {
          bodies.push(body);
          return { body: { players: body.players, titleId: null, results: [], count: 0 } };
        }),
      ]),
    );
    const other = await runGateway({ env: { CATALOG_API_URL: catalog.url } });
    catalog.requests.length = 0;
    const text =
      '{"__proto__":{"x":1},"players":[{"playerName":"  Grüße\\u0000 ","rank":1e0,"$gt":""}],"titleId":"4D530064"}';
    const { status } = await other.request(`${SEARCH}?x=1`, {
      method: 'POST',
      headers: { 'Content-Type': 'Application/JSON; charset=utf-8', Cookie: 'a=b', 'X-Session-Key': 'key' },
      body: text,
    });
    expect(status).toBe(200);
    expect(bodies).toEqual([{ players: [{ playerName: 'Grüße\0', rank: 1 }], titleId: '4d530064' }]);
    const [seen] = catalog.requests;
    expect(seen?.url).toBe(SEARCH);
    expect(Object.keys(seen?.headers ?? {}).toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'traceparent',
      'x-request-id',
    ]);
  });

  it('accepts a rank as text and treats an empty titleId as absent', async () => {
    const { status, body } = await post({ players: [{ playerName: 'Ember Fox', rank: '1' }], titleId: '' });
    expect([status, body]).toEqual([200, { players: PLAYERS, titleId: null, results: [], count: 0 }]);
  });

  it('passes on the 404 of its upstream with the reason', async () => {
    const { status, body } = await post({ players: PLAYERS, titleId: 'ffffffff' });
    expect([status, body]).toEqual([404, { error: 'Unknown title' }]);
  });

  it.each([
    [{}, 'players must be a list'],
    [{ players: [] }, 'players must be 1 to 20'],
    [{ players: Array.from({ length: 21 }, () => PLAYERS[0]) }, 'players must be 1 to 20'],
    [{ players: [PLAYERS[0], { playerName: 'x' }] }, 'players[1].rank must be an integer from 1 to 2147483647'],
    [
      { players: [{ playerName: { $ne: '' }, rank: 1 }] },
      'players[0].playerName must be a text of 1 to 200 characters',
    ],
    [{ players: PLAYERS, titleId: null }, 'titleId must be a title ID'],
    [[], 'The body must be an object'],
  ])('body %j is rejected with 400 before any upstream request', async (input, error) => {
    const { status, headers, body } = await post(input);
    expect([status, body, headers['cache-control']]).toEqual([400, { error }, 'no-store']);
    expectNoUpstreamRequests();
  });

  it.each<[number, string, Record<string, string>, string | Buffer]>([
    [413, 'a megabyte', {}, `{"players":"${'x'.repeat(1024 * 1024)}"}`],
    [415, 'a bomb', { 'Content-Encoding': 'gzip' }, gzipSync(Buffer.alloc(20_000_000, '['))],
    [415, 'another label', { 'Content-Type': 'text/plain' }, '{}'],
    [400, 'a depth of 10,000', {}, '{"players":'.repeat(10_000).slice(0, 60_000)],
    [400, 'no JSON', {}, '{"players":'],
  ])(
    'is rejected with %i for %s, with CORS headers and without an upstream request',
    async (expected, _name, headers, body) => {
      await post({ players: PLAYERS });
      gateway.catalog.requests.length = 0;
      const options = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body };
      const answer = await gateway.request(SEARCH, options);
      expect([answer.status, answer.body]).toEqual([expected, { error: expect.any(String) }]);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expectNoUpstreamRequests();
    },
  );

  it('is the only method of its path: others are rejected with 405', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const { status, headers } = await gateway.request(SEARCH, { method });
      expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS']);
    }
    expectNoUpstreamRequests();
  });

  it('is answered with 503 when its upstream is unreachable', async () => {
    const other = await runGateway({ env: { CATALOG_API_URL: UNREACHABLE_URL } });
    const answer = await sendRequest(other.url, SEARCH, { method: 'POST', ...json({ players: PLAYERS }) });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
  });
});

describe('response that is not JSON', () => {
  const FEED = operations.getEventsCalendar.path;

  it('is passed on with its content type, ETag and freshness', async () => {
    const { status, headers, text } = await gateway.request(FEED);
    expect([status, text]).toEqual([200, CALENDAR]);
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-length': String(Buffer.byteLength(CALENDAR)),
      'cache-control': 'public, max-age=0, must-revalidate',
      'last-modified': expect.any(String),
    });
    const again = await gateway.request(FEED, { headers: { 'If-None-Match': headers.etag } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
  });

  it('is answered with 503 when the upstream sends another content type', async () => {
    const url = await startRawUpstream((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
    const other = await runGateway({ env: { CATALOG_API_URL: url } });
    await eventually(async () => expect((await other.request(FEED)).status).toBe(503));
  });
});
