import { operations, type OperationResponse } from '@lobbystats/contracts';
import { activity } from './day.ts';
import { network, title } from './network.ts';
import { runGateway, startRawUpstream } from './running-gateway.ts';

const MAP = operations.getOnlineUsers.path;

type Activity = OperationResponse<typeof operations.getLatestActivity>['titles'][number];

const playing = (titleId: string, rest: Partial<Activity> = {}): Activity => ({
  ...activity(titleId, 41, ['Ember Fox', '<b>']),
  sessionCount: 3,
  activeLobbyPlayers: 9,
  ...rest,
});

const slot = '2027-01-15T08:00:00Z';

describe('online users by game', () => {
  it('has every tracked game by name, merged from both upstreams', async () => {
    const image = 'http://127.0.0.1:8090/icons/1.png';
    const known = network({
      titles: [
        title('00000001', 'Rally', { image, publisher: 'Northlight', productCode: 'NL-001' }),
        title('00000002', 'Chess'),
      ],
      activity: { slot, titles: [playing('00000001')] },
    });
    const { body } = await (await runGateway({ network: known })).request(MAP);
    expect(body).toEqual({
      Chess: {
        ...activity('00000002', 0, []),
        name: 'Chess',
        image: '',
        publisher: '',
        productCode: '',
        activePlayersDisplay: '',
      },
      Rally: {
        ...playing('00000001'),
        name: 'Rally',
        image,
        publisher: 'Northlight',
        productCode: 'NL-001',
        activePlayersDisplay: '9 in 3 sessions',
      },
    });
  });

  it('says a single session in the singular', async () => {
    const activity = { slot, titles: [playing('00000001', { sessionCount: 1, activeLobbyPlayers: 4 })] };
    const known = network({ titles: [title('00000001', 'Rally')], activity });
    const { body } = await (await runGateway({ network: known })).request(MAP);
    expect(body).toMatchObject({ Rally: { activePlayersDisplay: '4 in 1 session' } });
  });

  it('omits games that are not tracked', async () => {
    const known = network({ titles: [title('00000001', 'Rally')], activity: { slot, titles: [playing('0000dead')] } });
    const { body } = await (await runGateway({ network: known })).request(MAP);
    expect(Object.keys(body as object)).toEqual(['Rally']);
  });

  it('is sorted by code point, including names that look like numbers', async () => {
    const names = ['b', '10', 'a', '9', '1942', 'Z', '🏁', '\uffff', '-1', '01'];
    const known = network({ titles: names.map((name, index) => title(`0000000${index}`, name)) });
    const { text } = await (await runGateway({ network: known })).request(MAP);
    const keys = Array.from(text.matchAll(/"name":("[^"]*")/g), ([, name]) => JSON.parse(name!) as string);
    expect(keys).toEqual(['-1', '01', '10', '1942', '9', 'Z', 'a', 'b', '\uffff', '🏁']);
    expect(Array.from(text.matchAll(/("[^"]*"):\{/g), ([, name]) => JSON.parse(name!) as string)).toEqual(keys);
  });

  it('accepts any game name without polluting Object.prototype', async () => {
    const names = ['__proto__', 'constructor', 'toString', '"},"x":{"', '</script>', '\\', '\n', '\ud83c'];
    const titles = names.map((name, index) => title(`0000000${index}`, name));
    const known = network({ titles, activity: { slot, titles: titles.map(({ titleId }) => playing(titleId)) } });
    const { text } = await (await runGateway({ network: known })).request(MAP);
    const entries = Object.entries(JSON.parse(text) as Record<string, { name: string; online: number }>);
    expect(entries.map(([name, game]) => [name, game.name, game.online]).toSorted()).toEqual(
      names.map((name) => [name, name, 41]).toSorted(),
    );
    expect(({} as Record<string, unknown>)['online']).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('is an empty object with 200 before there is any title', async () => {
    const { status, text } = await (await runGateway({ network: network({ titles: [] }) })).request(MAP);
    expect([status, text]).toEqual([200, '{}']);
  });

  it.each(['{}', '[]', '{"titles":null}', '{"titles":[null]}', '{"titles":[}'])(
    'is 503 when series-api answers %s',
    async (nonsense) => {
      const SERIES_API_URL = await startRawUpstream((_req, res) => {
        res.writeHead(200, { 'Content-Type': 'application/json' }).end(nonsense);
      });
      const { status, headers } = await (await runGateway({ env: { SERIES_API_URL } })).request(MAP);
      expect([status, headers['retry-after']]).toEqual([503, '5']);
    },
  );
});
