import { operations } from '@lobbystats/contracts';
import { HARBOR, network, RALLY, title } from './network.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';
import { filled } from './sample-request.ts';

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
/** Its name is another title's ID. */
const POSING = title('20000000', RALLY.titleId);
/** Its name has the form of an ID that no title has. */
const DEADBEEF = named[NAMES.indexOf('deadbeef')]!;

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({
    scope: 'file',
    known: network({ titles: [HARBOR, RALLY, CAFE, POSING, ...named] }),
  });
});

beforeEach(() => {
  gateway.series.seen.length = 0;
  gateway.catalog.seen.length = 0;
});

const askGame = (game: string) => gateway.ask(String(operations.getGame.gamePath).replace(':game', () => game));
const noneAsked = () => expect([...gateway.series.seen, ...gateway.catalog.seen]).toEqual([]);

describe('a game in a path', () => {
  it.each(named)('is found by the name $name', async (game) => {
    const { status, body } = await askGame(encodeURIComponent(game.name).replaceAll('..', '%2E%2E'));
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
    ['0000000A', POSING],
    ['DEADBEEF', DEADBEEF],
  ])('is found by %s', async (game, found) => {
    const { status, body } = await askGame(game);
    expect([status, body]).toEqual([200, found]);
  });

  it('is a name before it is a title ID', async () => {
    await expect(askGame(RALLY.name)).resolves.toMatchObject({ body: RALLY });
    await expect(askGame(RALLY.titleId)).resolves.toMatchObject({ body: POSING });
    await expect(askGame(POSING.titleId)).resolves.toMatchObject({ body: POSING });
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
  ])('is unknown as %s, and nobody is asked', async (game) => {
    const { status, body } = await askGame(game);
    expect([status, body]).toEqual([404, { error: 'Unknown game' }]);
    noneAsked();
  });

  it.each(['%', '%2', '%zz', 'a%b', '%FF', '%C0%AF', '..%c0%af', '%E0%80%AF', '%ED%A0%80', '%F8%88%80%80%80'])(
    'is refused as %s, which is no UTF-8, and nobody is asked',
    async (game) => {
      const { status, body } = await askGame(game);
      expect([status, body]).toEqual([400, { error: expect.any(String) }]);
      noneAsked();
    },
  );

  it('is unknown, where it is, on every route of a game', async () => {
    for (const { gamePath } of Object.values(operations)) {
      if (gamePath === undefined) continue;
      const { status, body } = await gateway.ask(gamePath.replace(':game', 'nothing'));
      expect([status, body]).toEqual([404, { error: 'Unknown game' }]);
    }
    noneAsked();
  });

  it.each(['x', '%D0%B9', '%2F'])('is unknown as %s over and over, and nobody is asked', async (part) => {
    const { status, body } = await askGame(part.repeat(8000 / part.length));
    expect([status, body]).toEqual([404, { error: 'Unknown game' }]);
    noneAsked();
  });

  it('is too long at 8 KiB', async () => {
    const { status, body } = await askGame('x'.repeat(9000));
    expect([status, body]).toEqual([414, { error: expect.any(String) }]);
  });

  it('changes nothing that all objects have', async () => {
    await askGame('__proto__');
    await askGame('constructor');
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['titleId']).toBeUndefined();
  });
});

describe('a number in a path', () => {
  const BOARDS = [operations.getLeaderboard.path, String(operations.getLeaderboard.gamePath)];

  it.each(['x', '-1', '1.5', '2147483648', '9'.repeat(4000), '%00', '..%2f17', '__proto__', '17%20'])(
    'is an unknown leaderboard or event as %j',
    async (number) => {
      for (const path of BOARDS) {
        const { status, body } = await gateway.ask(filled(path, { leaderboardId: number }));
        expect([status, body]).toEqual([404, { error: 'Unknown leaderboard' }]);
      }
      const { status, body } = await gateway.ask(filled(operations.getEvent.path, { eventId: number }));
      expect([status, body]).toEqual([404, { error: 'Unknown event' }]);
      noneAsked();
    },
  );

  it('is left to the owner where it may be one', async () => {
    for (const path of BOARDS) {
      const { status, body } = await gateway.ask(filled(path, { leaderboardId: '0018' }));
      expect([status, body]).toEqual([404, { error: 'Unknown leaderboard' }]);
    }
    const { status, body } = await gateway.ask(filled(operations.getEvent.path, { eventId: '2147483647' }));
    expect([status, body]).toEqual([404, { error: 'Unknown event' }]);
    expect(gateway.catalog.seen.map(({ url }) => url)).toEqual([
      filled(operations.getLeaderboard.path, { leaderboardId: '18' }),
      filled(operations.getLeaderboard.path, { leaderboardId: '18' }),
      '/api/events/2147483647',
    ]);
  });
});

describe('a title ID in a path', () => {
  it.each(['4d53006', '4d5300644', 'xyz', '4d53006g', '%204d530064', '4d530064%00', '..%2f..%2finternal', '__proto__'])(
    'is unknown as %s, and nobody is asked',
    async (titleId) => {
      const { status, body } = await gateway.ask(operations.getGame.path.replace(':titleId', () => titleId));
      expect([status, body]).toEqual([404, { error: 'Unknown title' }]);
      noneAsked();
    },
  );

  it('is left to the owner where it is well-formed', async () => {
    const { status, body } = await gateway.ask(operations.getGame.path.replace(':titleId', 'FFFFFFFF'));
    expect([status, body]).toEqual([404, { error: 'Unknown title' }]);
    expect(gateway.catalog.seen.map(({ url }) => url)).toEqual(['/api/title/ffffffff']);
  });
});
