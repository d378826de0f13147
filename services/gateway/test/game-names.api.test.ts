import { operations } from '@lobbystats/contracts';
import { HARBOR, network, RALLY, title } from './network.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';
import { fillPath } from './sample-request.ts';

const CAFE = title('00000001', 'Café Noir');
const NAMES = [
  'AC/DC',
  'a%b',
  '__proto__',
  'constructor',
  'toString',
  '1942',
  '..',
  '🏁 ß',
  'deadbeef',
  'A?b#c',
  'x;y=1',
];
const named = NAMES.map((name, index) => title(`1000000${index.toString(16)}`, name));
/** A title whose name is the ID of another title. */
const NAMED_LIKE_RALLY_ID = title('20000000', RALLY.titleId);
/** A title whose name has the form of an unused ID. */
const DEADBEEF = named[NAMES.indexOf('deadbeef')]!;

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({
    scope: 'file',
    network: network({ titles: [HARBOR, RALLY, CAFE, NAMED_LIKE_RALLY_ID, ...named] }),
  });
});

beforeEach(() => {
  gateway.series.requests.length = 0;
  gateway.catalog.requests.length = 0;
});

const requestGame = (game: string) => gateway.request(String(operations.getGame.gamePath).replace(':game', () => game));
const expectNoUpstreamRequests = () => expect([...gateway.series.requests, ...gateway.catalog.requests]).toEqual([]);

describe('game in a path', () => {
  it.each(named)('is found by the name $name', async (game) => {
    const { status, body } = await requestGame(encodeURIComponent(game.name).replaceAll('..', '%2E%2E'));
    expect([status, body]).toEqual([200, game]);
  });

  it.each([
    ['harbor%20racing', HARBOR],
    ['HARBOR%20RACING', HARBOR],
    ['%20%09Harbor%20Racing%C2%A0', HARBOR],
    [encodeURIComponent('CAFÉ NOIR'), CAFE],
    [encodeURIComponent('Café Noir'.normalize('NFD')), CAFE],
    ['%61c%2fdc', named[0]!],
    ['a%25b', named[1]!],
    ['4d530064', HARBOR],
    ['4D530064', HARBOR],
    ['0000000A', NAMED_LIKE_RALLY_ID],
    ['DEADBEEF', DEADBEEF],
  ])('is found by %s', async (game, found) => {
    const { status, body } = await requestGame(game);
    expect([status, body]).toEqual([200, found]);
  });

  it('is resolved as a name before it is resolved as a title ID', async () => {
    await expect(requestGame(RALLY.name)).resolves.toMatchObject({ body: RALLY });
    await expect(requestGame(RALLY.titleId)).resolves.toMatchObject({ body: NAMED_LIKE_RALLY_ID });
    await expect(requestGame(NAMED_LIKE_RALLY_ID.titleId)).resolves.toMatchObject({ body: NAMED_LIKE_RALLY_ID });
  });

  it('of open matches is resolved as a title ID before it is resolved as a name', async () => {
    const requestMatches = (game: string) =>
      gateway.request(String(operations.getMatches.gamePath).replace(':game', () => game));
    await expect(requestMatches(RALLY.titleId)).resolves.toMatchObject({ body: { titleId: RALLY.titleId } });
    await expect(requestMatches(RALLY.titleId.toUpperCase())).resolves.toMatchObject({
      body: { titleId: RALLY.titleId },
    });
    await expect(requestMatches('deadbeef')).resolves.toMatchObject({ body: { titleId: DEADBEEF.titleId } });
    await expect(requestMatches('rally')).resolves.toMatchObject({ body: { titleId: RALLY.titleId } });
  });

  it.each([
    'Harbor',
    'Harbor+Racing',
    'AC%252FDC',
    'a%2525b',
    '..%2f',
    '..%2F..%2Finternal%2Ftitles',
    '%2e',
    '.%2e%2f',
    '..%5c..%5cinternal',
    '%00',
    'Harbor%20Racing%00',
    '%20',
    '4d53006',
    '4d5300644',
    '%EF%BB%BF',
  ])('%s is an unknown game: 404 without an upstream request', async (game) => {
    const { status, body } = await requestGame(game);
    expect([status, body]).toEqual([404, { error: 'Unknown game' }]);
    expectNoUpstreamRequests();
  });

  it.each(['%', '%2', '%zz', 'a%b', '%FF', '%C0%AF', '..%c0%af', '%E0%80%AF', '%ED%A0%80', '%F8%88%80%80%80'])(
    '%s is not UTF-8: 400 without an upstream request',
    async (game) => {
      const { status, body } = await requestGame(game);
      expect([status, body]).toEqual([400, { error: expect.any(String) }]);
      expectNoUpstreamRequests();
    },
  );

  it('that is unknown is 404 on every route of a game', async () => {
    for (const { gamePath } of Object.values(operations)) {
      if (gamePath === undefined) continue;
      const { status, body } = await gateway.request(gamePath.replace(':game', 'nothing'));
      expect([status, body]).toEqual([404, { error: 'Unknown game' }]);
    }
    expectNoUpstreamRequests();
  });

  it.each(['x', '%D0%B9', '%2F'])(
    'that repeats %s for 8,000 characters is 404 without an upstream request',
    async (part) => {
      const { status, body } = await requestGame(part.repeat(8000 / part.length));
      expect([status, body]).toEqual([404, { error: 'Unknown game' }]);
      expectNoUpstreamRequests();
    },
  );

  it('longer than 8 KiB is 414', async () => {
    const { status, body } = await requestGame('x'.repeat(9000));
    expect([status, body]).toEqual([414, { error: expect.any(String) }]);
  });

  it('does not pollute Object.prototype', async () => {
    await requestGame('__proto__');
    await requestGame('constructor');
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['titleId']).toBeUndefined();
  });
});

describe('number in a path', () => {
  const BOARDS = [operations.getLeaderboard.path, String(operations.getLeaderboard.gamePath)];

  it.each(['x', '-1', '1.5', '2147483648', '9'.repeat(4000), '%00', '..%2f17', '__proto__', '17%20'])(
    '%j is an unknown leaderboard or event',
    async (number) => {
      for (const path of BOARDS) {
        const { status, body } = await gateway.request(fillPath(path, { leaderboardId: number }));
        expect([status, body]).toEqual([404, { error: 'Unknown leaderboard' }]);
      }
      const { status, body } = await gateway.request(fillPath(operations.getEvent.path, { eventId: number }));
      expect([status, body]).toEqual([404, { error: 'Unknown event' }]);
      expectNoUpstreamRequests();
    },
  );

  it('that is well-formed is forwarded to the upstream', async () => {
    for (const path of BOARDS) {
      const { status, body } = await gateway.request(fillPath(path, { leaderboardId: '0018' }));
      expect([status, body]).toEqual([404, { error: 'Unknown leaderboard' }]);
    }
    const { status, body } = await gateway.request(fillPath(operations.getEvent.path, { eventId: '2147483647' }));
    expect([status, body]).toEqual([404, { error: 'Unknown event' }]);
    expect(gateway.catalog.requests.map(({ url }) => url)).toEqual([
      fillPath(operations.getLeaderboard.path, { leaderboardId: '18' }),
      fillPath(operations.getLeaderboard.path, { leaderboardId: '18' }),
      '/api/events/2147483647',
    ]);
  });
});

describe('title ID in a path', () => {
  it.each(['4d53006', '4d5300644', 'xyz', '4d53006g', '%204d530064', '4d530064%00', '..%2f..%2finternal', '__proto__'])(
    '%s is an unknown title ID: 404 without an upstream request',
    async (titleId) => {
      const { status, body } = await gateway.request(operations.getGame.path.replace(':titleId', () => titleId));
      expect([status, body]).toEqual([404, { error: 'Unknown title' }]);
      expectNoUpstreamRequests();
    },
  );

  it('that is well-formed is forwarded to the upstream in lower case', async () => {
    const { status, body } = await gateway.request(operations.getGame.path.replace(':titleId', 'FFFFFFFF'));
    expect([status, body]).toEqual([404, { error: 'Unknown title' }]);
    expect(gateway.catalog.requests.map(({ url }) => url)).toEqual(['/api/title/ffffffff']);
  });
});
