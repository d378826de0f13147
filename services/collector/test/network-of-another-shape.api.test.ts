import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import type { MockedRequest } from '@lobbystats/test-kit/nock';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { parseText } from '../src/sources/parsing/parsers.node.ts';
import type { Collector } from '../src/service.ts';
import { NETWORK } from './mock-network.ts';
import { realShapeNetwork, SCRIPTED, SHOWN } from './real-shape-network.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';
import { runSlots as runCollectors } from './run-slots.ts';

let stage: Stage;
let requests: MockedRequest[];
beforeEach(async () => {
  stage = await setStage({ titles: 2, openMatches: 1, boards: 2 });
});
afterEach(() => stage.close());

function sourcesFile(content: unknown): string {
  const path = join(temporaryDirectory(), 'sources.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function startCollector(sources?: unknown): Promise<Collector> {
  const file = sources === undefined ? {} : { NETWORK_SOURCES_FILE: sourcesFile(sources) };
  return stage.collector({ env: { NETWORK_URL: NETWORK, ...file } });
}

const runSlots = (count: number, collector: Collector) =>
  runCollectors(stage, { from: SLOT, to: SLOT + count * SLOT_SECONDS }, collector);

const requestsFor = (path: RegExp) => requests.filter(({ url }) => path.test(url)).length;
const boards = () =>
  stage.boards.map(({ data: { titleId, leaderboardId, name, board } }) => {
    return {
      titleId,
      leaderboardId,
      name,
      entries: board?.entries.map((entry) => `${entry.rank} ${entry.name} ${entry.rating}`),
    };
  });

describe('a network without feeds and without pages of leaderboards', () => {
  beforeEach(() => {
    requests = realShapeNetwork();
  });

  it('is read for four hours of slots, and hosts of matches are the users that are known', async () => {
    await runSlots(48, await startCollector());
    expect(stage.slots).toHaveLength(48);
    expect(stage.slots.every(({ data }) => data.titles.every(({ matches }) => matches !== null))).toBe(true);
    expect(stage.boards).toEqual([]);
    expect(requestsFor(/\/feeds\/|\/leaderboards\//)).toBeLessThan(40);
    const seen = stage.players.filter(({ data }) => data.players.length > 0);
    expect(seen.length).toBeGreaterThanOrEqual(47);
    expect(seen[0]?.data.players).toEqual(
      [
        ['NeonOtter', SHOWN],
        ['Moss', SHOWN],
        ['Ember Fox', SCRIPTED],
      ].map(([name, titleId]) => {
        const identity = { username: name, gamertag: name, verified: false };
        return { ...identity, isOnline: true, titleId, game: null, lastSeenAt: formatInstant(SLOT) };
      }),
    );
  });

  it('has slots at once without pages of games, and without a number of lobbies', async () => {
    await runSlots(4, await startCollector({ titles: null, leaderboards: null, events: null, players: null }));
    // The first slot finds out that they are missing.
    expect(stage.slots.slice(1).map(({ data }) => data.titles.map(({ matches }) => matches))).toEqual(
      Array.from({ length: 3 }, () => [null, null, []]),
    );
    expect(requests.map(({ url }) => url)).toEqual(['/', '/', '/', '/']);
  });

  it('has the leaderboards that its game pages show, and those alone', async () => {
    await runSlots(40, await startCollector({ leaderboards: 'game-page', events: null, players: null }));
    expect(boards()).toEqual([
      { titleId: SHOWN, leaderboardId: 12, name: 'Kudos', entries: ['1 NeonOtter 12,345', '2 Owl 9,001'] },
    ]);
    expect(stage.confirmed.length).toBeGreaterThan(0);
    expect(requestsFor(/\/feeds\/|\/leaderboards\//)).toBe(0);
  });
});

describe('a network whose data a file describes', () => {
  const harbor = { id: SHOWN, title: 'Harbor Racing', users: 9 };
  const json = {
    '/api/stats': {
      totals: { users: '24,433', online: 30 },
      games: [
        { id: SHOWN.toUpperCase(), title: 'Harbor  Racing', users: 9, lobbies: 1, playing: 3 },
        { id: SCRIPTED, title: 'Old Pier', users: 2 },
      ],
    },
    [`/api/games/${SHOWN}`]: {
      name: 'Harbor Racing',
      lobbies: [{ owner: { tag: 'NeonOtter' }, in: 3, of: 8 }],
      lists: [{ no: '7', label: 'Laps' }],
    },
    [`/api/games/${SCRIPTED}`]: { name: 'Old Pier', lobbies: [], lists: [] },
    '/api/lists/7': {
      rows: [
        { tag: 'Owl', ms: 49_300 },
        { tag: 'Moss', ms: 62_345 },
      ],
    },
    '/api/online': [{ user: 'EmberFox', tag: 'Ember Fox', title: SHOWN }, { user: '<b>', tag: '' }, { user: 'Owl' }],
  };
  const sources = {
    homepage: {
      url: '/api/stats',
      reading: {
        registered: '/totals/users',
        online: '/totals/online',
        titles: {
          each: '/games',
          titleId: '/id',
          name: '/title',
          online: '/users',
          sessions: '/lobbies',
          players: '/playing',
        },
      },
    },
    titles: {
      url: '/api/games/{titleId}',
      reading: {
        title: '/name',
        matches: { each: '/lobbies', host: '/owner/tag', players: '/in', maxPlayers: '/of' },
        boards: { each: '/lists', id: '/no', name: '/label' },
      },
    },
    leaderboards: {
      url: '/api/lists/{leaderboardId}?page={page}',
      reading: { entries: { each: '/rows', name: '/tag', time: '/ms' } },
    },
    players: {
      url: '/api/online?since={since}',
      reading: { players: { each: '', username: '/user', gamertag: '/tag', titleId: '/title' } },
    },
    events: null,
  };

  it('has slots, leaderboards and users', async () => {
    requests = realShapeNetwork(json);
    await runSlots(24, await startCollector(sources));
    expect(stage.slots[0]?.data).toMatchObject({
      registered: 24_433,
      online: 30,
      titles: [
        {
          titleId: SHOWN,
          online: 9,
          sessions: 1,
          players: 3,
          matches: [{ host: 'NeonOtter', players: 3, maxPlayers: 8 }],
        },
        { titleId: SCRIPTED, online: 2, matches: [] },
      ],
    });
    expect(stage.titles[0]?.data.titles[0]).toMatchObject({ home: { name: 'Harbor Racing' } });
    expect(boards()).toEqual([
      { titleId: SHOWN, leaderboardId: 7, name: 'Laps', entries: ['1 Owl 00:49.300', '2 Moss 01:02.345'] },
    ]);
    expect(stage.players[0]?.data.players).toEqual([
      expect.objectContaining({ username: 'EmberFox', gamertag: 'Ember Fox', isOnline: true, titleId: SHOWN }),
      expect.objectContaining({ username: 'Owl', gamertag: '', isOnline: true, titleId: null }),
    ]);
    expect(requests.every(({ url }) => url.startsWith('/api/'))).toBe(true);
    expect(requestsFor(/\?since/)).toBe(0);
  });

  it('has all slots, matches and other names when a name is too long', async () => {
    const long = 'x'.repeat(1001);
    const { games, ...stats } = json['/api/stats'];
    const lobbies = [{ owner: { tag: 'NeonOtter' }, in: 3, of: 8 }];
    const reading = {
      ...sources.homepage.reading,
      titles: { ...sources.homepage.reading.titles, productCode: '/code' },
    };
    requests = realShapeNetwork({
      ...json,
      '/api/stats': {
        ...stats,
        games: [
          { ...games[0], code: long },
          { ...games[1], title: long },
        ],
      },
      [`/api/games/${SHOWN}`]: {
        name: long,
        lobbies,
        lists: [
          { no: '8', label: long },
          { no: '7', label: 'Laps' },
        ],
      },
    });
    await runSlots(24, await startCollector({ ...sources, homepage: { ...sources.homepage, reading } }));
    expect(stage.slots).toHaveLength(24);
    expect(stage.slots[0]?.data.titles.map(({ online, matches }) => [online, matches?.length])).toEqual([
      [9, 1],
      [2, 0],
    ]);
    const homes = stage.titles.flatMap(({ data }) => data.titles.flatMap(({ home }) => home ?? []));
    expect(homes).toEqual([expect.objectContaining({ name: 'Harbor Racing', productCode: '' })]);
    expect(boards().map(({ name }) => name)).toEqual(['Laps']);
  });

  it.each([
    ['a total below that of a game', { ...json['/api/stats'], totals: { online: 3 } }, /9 users online, the site 3/],
    ['two games of one ID', { totals: { online: 9 }, games: [harbor, harbor] }, /two games of one title ID/],
    ['a number that is none', { ...json['/api/stats'], totals: { online: 'many' } }, /^The page .*: online/],
    ['no list', { totals: { online: 30 } }, /no list at "\/games"/],
    ['a name that could not be decoded', { totals: { online: 9 }, games: [{ ...harbor, title: '\uFFFD' }] }, /decoded/],
  ])('is refused with %s', (_, stats, reason) => {
    const task = { parser: 'siteCounts', baseUrl: NETWORK, template: sources.homepage.reading } as const;
    expect(() => parseText(task, JSON.stringify(stats))).toThrow(reason);
  });

  it.each([
    ['{', /JSON/],
    [{ homepage: null }, /homepage/],
    [{ homepage: { page: { games: { colums: {} } } } }, /homepage\.page\.games.*colums/],
    [{ titles: { page: { boards: 'select[' } } }, /"select\[" is no CSS selector/],
    [{ boards: null }, /boards/],
    [{ players: { url: '/x', reading: { players: 'list' } } }, /players\.reading/],
    [{ events: { url: '/x', reading: '', intervalSeconds: 60 } }, /events\.intervalSeconds/],
  ])('refuses to start with the file %j', async (file, message) => {
    await expect(startCollector(file)).rejects.toThrow(message);
  });
});
