import { allOperations, gamePathsOf, operations } from '@lobbystats/contracts';
import { HARBOR } from './network.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';
import { fillPath, sampleRequest } from './sample-request.ts';

const publicOperations = allOperations.filter(({ audience }) => audience === 'public');
const internalOperations = allOperations.filter(({ audience }) => audience === 'internal');

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file' });
});

beforeEach(() => {
  for (const { requests } of upstreams()) requests.length = 0;
});

const upstreams = () => [gateway.series, gateway.catalog, gateway.users, gateway.reputation];
const upstreamRequests = () => upstreams().flatMap(({ requests }) => requests);

describe('public operations', () => {
  it.each(publicOperations)('answers $id by its contract', async (operation) => {
    const { status, headers, body, text } = await gateway.request(...sampleRequest(operation));
    const type = operation.mediaType ?? 'application/json; charset=utf-8';
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type });
    expect(operation.response.safeParse(operation.mediaType === undefined ? body : text).error).toBeUndefined();
  });

  it.each(publicOperations.filter(({ gamePath }) => gamePath !== undefined))(
    'answers $id with the same bytes by title ID, by name, and by title ID in place of a name',
    async (operation) => {
      const byTitle = await gateway.request(fillPath(operation.path, { titleId: HARBOR.titleId.toUpperCase() }));
      for (const path of gamePathsOf(operation)) {
        for (const game of ['Harbor%20Racing', HARBOR.titleId, HARBOR.titleId.toUpperCase()]) {
          const byGame = await gateway.request(fillPath(path, { game }));
          expect([byGame.status, byGame.text, byGame.headers.etag]).toEqual([200, byTitle.text, byTitle.headers.etag]);
        }
      }
    },
  );

  it.each(publicOperations.filter(({ upstream }) => upstream !== 'gateway'))(
    'send one request to the upstream of $id',
    async (operation) => {
      await gateway.request(...sampleRequest(operation));
      const { series, catalog, users, reputation } = gateway;
      const upstreamsByName = new Map([
        ['series-api', series],
        ['catalog-api', catalog],
        ['user-api', users],
        ['reputation-api', reputation],
      ]);
      const asked = upstreamsByName.get(operation.upstream)?.requests;
      expect(asked?.map(({ url }) => url.split('?')[0])).toEqual([fillPath(operation.path)]);
      expect(asked?.map(({ method }) => method)).toEqual([operation.method]);
      expect(upstreamRequests()).toHaveLength(1);
    },
  );

  it.each(internalOperations)('does not serve $id, which is internal', async ({ path }) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const { status } = await gateway.request(path, { method });
      expect(status).toBe(404);
    }
    expect(upstreamRequests()).toEqual([]);
  });

  it.each(['/api/nothing', '/API/games', '/api/title', '/api/game', '//api/games', '/internal'])(
    'answer the unknown route %s with 404',
    async (path) => {
      const { status, body } = await gateway.request(path);
      expect([status, body]).toEqual([404, { error: 'Unknown route' }]);
    },
  );
});

describe('query parameters', () => {
  const history = operations.getMatchHistory.path.replace(':titleId', HARBOR.titleId);

  it.each([
    [operations.getOnlineSeries.path, 'days=0', 'days must be an integer from 1 to 30'],
    [operations.getOnlineSeries.path, 'days=31', 'days must be an integer from 1 to 30'],
    [operations.getOnlineSeries.path, 'days=1.5', 'days must be an integer from 1 to 30'],
    [operations.getOnlineSeries.path, 'days=1&days=1', 'days must be an integer from 1 to 30'],
    [operations.getOnlineSeries.path, 'days=', 'days must be an integer from 1 to 30'],
    [operations.getOnlineSeries.path, 'days', 'days must be an integer from 1 to 30'],
    [operations.getOnlineSeries.path, 'resolution=5', 'resolution must be one of raw, 30, 60, 1440'],
    [operations.getDailyRegistered.path, 'days=366', 'days must be an integer from 1 to 365'],
    [operations.getOnlineSummary.path, 'period=8d', 'period must be one of today, 7d'],
    [history, 'limit=10001', 'limit must be an integer from 1 to 10000'],
    [history, 'offset=100001', 'offset must be an integer from 0 to 100000'],
    [history, 'offset=-1', 'offset must be an integer from 0 to 100000'],
    [history, 'hours=%31%30%30%30', 'hours must be an integer from 1 to 720'],
    [operations.listGames.path, 'q=%FF', 'q must be percent-encoded UTF-8'],
    [operations.listGames.path, `q=${'x'.repeat(101)}`, 'q must be at most 100 characters'],
  ])('%s?%s is rejected without an upstream request', async (path, query, error) => {
    const answer = await gateway.request(`${path}?${query}`);
    expect([answer.status, answer.body]).toEqual([400, { error }]);
    expect(upstreamRequests()).toEqual([]);
  });

  it.each([
    ['', '?hours=24&offset=0'],
    ['?offset=007&hours=1', '?hours=1&offset=7'],
    ['?%68ours=%33&unknown=1&__proto__=2&constructor[x]=3&%FF=4&offset=5', '?hours=3&offset=5'],
    ['?Hours=3&&=&hours=4', '?hours=4&offset=0'],
    ['?limit=0010000', '?hours=24&limit=10000&offset=0'],
  ])('"%s" is forwarded in canonical form as "%s"', async (query, canonical) => {
    const { status } = await gateway.request(history + query);
    expect(status).toBe(200);
    expect(gateway.series.requests.map(({ url }) => url)).toEqual([history + canonical]);
  });

  it.each([
    [
      fillPath(operations.listTitleChanges.path),
      'since=2026-01-31T18%3A05:00Z',
      '?limit=50&since=2026-01-31T18:05:00Z',
    ],
    [operations.listEvents.path, 'to=2026-01-31+18:05:00&from=2026-01-31', '?from=2026-01-31&to=2026-01-31 18:05:00'],
    [operations.searchByTime.path, 'limit=007&time=1%3A02.5', '?time=1:02.5&tolerance=0&limit=7'],
    [
      operations.searchByPlayers.path,
      'names=Fox%2C+%26x,fox&titleId=4D530064',
      '?names=Fox,&x&titleId=4d530064&limit=100',
    ],
    [operations.searchByPlayers.path, 'names=,Fox,&titleId=', '?names=Fox&limit=100'],
    [operations.listChanges.path, 'game=&limit=5', '?limit=5'],
    [operations.listEvents.path, 'titleId=&limit=5', '?limit=5'],
    [fillPath(operations.getLeaderboard.path), 'around=+Fox+&at=2026-01-31', '?around=Fox&at=2026-01-31'],
  ])('%s?%s is parsed and forwarded as text', async (path, query, understood) => {
    const { status } = await gateway.request(`${path}?${query}`);
    const { pathname, search } = new URL(gateway.catalog.requests[0]?.url ?? '', gateway.url);
    expect([status, pathname, decodeURIComponent(search).replaceAll('+', ' ')]).toEqual([200, path, understood]);
  });

  it('a text is forwarded unchanged', async () => {
    await gateway.request(`${operations.listGames.path}?q=%26limit%3D1%23+a%2Bb%00%F0%9F%8F%81`);
    const [{ url } = { url: '' }] = gateway.catalog.requests;
    expect(new URL(url, gateway.url).searchParams.get('q')).toBe('&limit=1# a+b\0🏁');
  });

  it('an absent parameter without default is not forwarded', async () => {
    await gateway.request(operations.getDailyStats.path.replace(':titleId', HARBOR.titleId));
    expect(gateway.series.requests[0]?.url).toMatch(/\?days=30$/);
  });
});
