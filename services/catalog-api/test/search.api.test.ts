import { operations } from '@lobbystats/contracts';
import { post, TITLE } from './board-passes.ts';
import type { ApiResponse, RunningCatalog } from './running-catalog.ts';
import { brief, NAMELESS, OTHER, rowsOf, runSearchable, withQuery, type Row } from './searchable-catalog.ts';

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runSearchable();
});
afterAll(() => catalog.stop());

describe('search by time', () => {
  it('returns entries with that time, without nameless titles and boards that are gone', async () => {
    const { body } = await get(operations.searchByTime.path, { time: '0:49.3' });
    expect(body).toEqual({
      searchTime: '0:49.300',
      searchTimeMs: 49_300,
      tolerance: 0,
      results: [
        row({ board: [TITLE, 1], playerName: 'Ember Fox', rank: 1, timeMs: 49_300 }),
        row({ board: [TITLE, 2], playerName: 'Pike', rank: 1, timeMs: 49_300 }),
        row({ board: [TITLE, 2], playerName: 'Pike', rank: 1, timeMs: 49_300 }),
        row({ board: [OTHER, 5], playerName: 'Ember Fox', rank: 1, timeMs: 49_300 }),
      ],
      count: 4,
      truncated: false,
    });
  });

  it('orders entries by distance, then by title, board and rank', async () => {
    const found = await rows(operations.searchByTime.path, { time: '0:49.400', tolerance: '100' });
    expect(found.map(brief)).toEqual([
      `${TITLE}/1 Pike 2`,
      `${TITLE}/1 Ember Fox 1`,
      `${TITLE}/2 Pike 1`,
      `${TITLE}/2 Pike 1`,
      `${TITLE}/2 Quill 3`,
      `${OTHER}/5 Ember Fox 1`,
    ]);
  });

  it.each([
    [1, true],
    [3, true],
    [4, false],
    [5, false],
  ])('with limit %s sets truncated to %s', async (limit, truncated) => {
    const { body } = await get(operations.searchByTime.path, { time: '0:49.300', limit: `${limit}` });
    expect(body).toMatchObject({ count: Math.min(limit, 4), truncated });
  });

  it.each(['49.3', '49,300', '0:49,3', ' 0:49.3 ', '０：４９．３'])('takes the time %j as 0:49.300', async (time) => {
    expect((await get(operations.searchByTime.path, { time, limit: '1' })).body).toMatchObject({
      ...{ searchTime: '0:49.300', searchTimeMs: 49_300, count: 1 },
    });
  });

  it('filters entries by title', async () => {
    const { body } = await get(operations.searchByTime.path, { time: '0:49.3', titleId: OTHER.toUpperCase() });
    expect(body).toMatchObject({ count: 1, truncated: false, results: [{ titleId: OTHER, gameName: 'Quiet Bay' }] });
  });

  it.each(['0:00', '0:00.1', '0:49', '9999:59.999'])('returns nothing for a time without entries: %s', async (time) => {
    expect((await get(operations.searchByTime.path, { time })).body).toMatchObject({ results: [], count: 0 });
  });

  it.each([
    '',
    '49',
    '49.3.1',
    '0:60',
    '0:61.0',
    '1:2',
    '0:49.',
    '0:49.3000',
    '-0:49',
    '0:49.3e1',
    '٠:٤٩',
    '9'.repeat(20),
    `${'9'.repeat(20)}:00`,
  ])('returns 400 for the invalid time %s', async (time) => {
    const error = 'time must be a time of the form m:ss, m:ss.m, m:ss.mm or m:ss.mmm, or seconds such as 83.456';
    expect(await get(operations.searchByTime.path, { time })).toMatchObject({ status: 400, body: { error } });
  });

  it.each([
    ['', 'time must be a time of the form m:ss, m:ss.m, m:ss.mm or m:ss.mmm, or seconds such as 83.456'],
    [
      '?time=0:49&time=0:49',
      'time must be a time of the form m:ss, m:ss.m, m:ss.mm or m:ss.mmm, or seconds such as 83.456',
    ],
    ['?time=0:49&tolerance=60001', 'tolerance must be an integer from 0 to 60000'],
    ['?time=0:49&tolerance=-1', 'tolerance must be an integer from 0 to 60000'],
    ['?time=0:49&tolerance[$gt]=1&tolerance=', 'tolerance must be an integer from 0 to 60000'],
    ['?time=0:49&limit=501', 'limit must be an integer from 1 to 500'],
    ['?time=0:49&limit=0', 'limit must be an integer from 1 to 500'],
  ])('returns 400 for the query %j', async (query, error) => {
    expect(await catalog.get(operations.searchByTime.path + query)).toMatchObject({ status: 400, body: { error } });
  });
});

describe('numbers of thousands of digits', () => {
  it('rejects huge numbers in every parameter', async () => {
    const digits = '9'.repeat(5000);
    const good = { time: '0:49', names: 'Pike' };
    for (const path of [operations.searchByTime.path, operations.searchByPlayers.path]) {
      for (const parameter of ['tolerance', 'limit', 'titleId']) {
        const status = parameter === 'titleId' ? 404 : 400;
        expect(await get(path, { ...good, [parameter]: digits })).toMatchObject({ status });
        expect(await get(path, { ...good, [parameter]: digits + digits })).toMatchObject({ status: 414 });
      }
    }
    expect(await get(operations.searchByTime.path, { time: `${digits}:00` })).toMatchObject({ status: 400 });
  });
});

describe('search with an empty titleId', () => {
  it('searches all titles for an empty titleId', async () => {
    const players = [{ playerName: 'Pike', rank: 1 }];
    const [everywhere, unrestricted] = [{}, { titleId: '' }].map((inTitle) => [
      () => get(operations.searchByTime.path, { time: '0:49.3', ...inTitle }),
      () => get(operations.searchByPlayers.path, { names: 'Pike', ...inTitle }),
      () => post(catalog, operations.searchByRanks.path, { players, ...inTitle }),
    ]);
    for (const [index, ask] of unrestricted!.entries()) {
      const { status, body } = await ask();
      expect([status, body]).toEqual([200, (await everywhere![index]!()).body]);
    }
  });
});

describe('search in an unknown title', () => {
  it.each(['ffffffff', NAMELESS, 'nonsense', '__proto__', '$ne', '\0', ' ', '1'.repeat(101)])(
    'returns 404 for the title ID %j',
    async (titleId) => {
      const answers = [
        await get(operations.searchByTime.path, { time: '0:49', titleId }),
        await get(operations.searchByPlayers.path, { names: 'Pike', titleId }),
        await get(operations.searchByPlayers.path, { names: 'Pike', tolerance: '1', titleId }),
        await post(catalog, operations.searchByRanks.path, { players: [{ playerName: 'Pike', rank: 1 }], titleId }),
      ];
      for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { error: 'Unknown title' } });
    },
  );
});

function get(path: string, query: Record<string, string>): Promise<ApiResponse> {
  return catalog.get(withQuery(path, query));
}

async function rows(path: string, query: Record<string, string>): Promise<Row[]> {
  return rowsOf(await get(path, query));
}

const GAMES: Record<string, string> = { [TITLE]: 'Harbor Racing', [OTHER]: 'Quiet Bay' };
const BOARDS: Record<string, string> = {
  [`${TITLE}/1`]: 'Old Pier',
  [`${TITLE}/2`]: 'New Pier',
  [`${OTHER}/5`]: 'Lap',
};

interface TimeRow {
  board: readonly [titleId: string, leaderboardId: number];
  playerName: string;
  rank: number;
  timeMs: number;
}

function row({ board: [titleId, leaderboardId], ...entry }: TimeRow) {
  return {
    titleId,
    gameName: GAMES[titleId],
    leaderboardId,
    leaderboardName: BOARDS[`${titleId}/${leaderboardId}`],
    rating: '00:49.300',
    timeFormatted: '0:49.300',
    isTime: true,
    ...entry,
  };
}
