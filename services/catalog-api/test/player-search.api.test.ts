import { operations } from '@lobbystats/contracts';
import { TITLE } from './board-passes.ts';
import type { ApiResponse, RunningCatalog } from './running-catalog.ts';
import { brief, HOSTILE, OTHER, rowsOf, runSearchable, withQuery, type Row } from './searchable-catalog.ts';

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runSearchable();
});
afterAll(() => catalog.stop());

describe('search by players', () => {
  const path = operations.searchByPlayers.path;

  it('returns every entry of the players by title, board and rank', async () => {
    const answer = await get(path, { names: 'ember fox, QUILL ,Nobody,Ember Fox' });
    expect(answer.body).toMatchObject({
      names: ['ember fox', 'QUILL', 'Nobody'],
      tolerance: null,
      titleId: null,
      count: 6,
    });
    expect(rowsOf(answer).map(brief)).toEqual([
      `${TITLE}/1 Ember Fox 1`,
      `${TITLE}/1 Quill 3`,
      `${TITLE}/1 EMBER FOX 4`,
      `${TITLE}/2 Quill 3`,
      `${OTHER}/1 Ember Fox 1`,
      `${OTHER}/5 Ember Fox 1`,
    ]);
  });

  it.each(['Pike,', ',Pike', '%20,Pike,,', 'Pike'])('ignores empty names between commas: %s', async (names) => {
    const { status, body } = await catalog.get(`${path}?names=${names}`);
    expect([status, body]).toMatchObject([200, { names: ['Pike'], count: 4 }]);
  });

  it('accepts 20 names with empty names between them', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`).join(',,');
    expect((await get(path, { names })).status).toBe(200);
  });

  it('returns no times for score entries', async () => {
    const [found] = await rows(path, { names: 'Pike', titleId: OTHER });
    expect(found).toEqual({
      titleId: OTHER,
      gameName: 'Quiet Bay',
      leaderboardId: 1,
      leaderboardName: 'Points',
      playerName: 'Pike',
      rank: 2,
      rating: '49,299',
      timeMs: 0,
      timeFormatted: '',
      isTime: false,
    });
  });

  it.each([
    ['0', []],
    ['99', []],
    ['100', [`${TITLE}/1 Ember Fox 1`, `${TITLE}/1 Pike 2`]],
    ['1600', [`${TITLE}/1 Ember Fox 1`, `${TITLE}/1 Pike 2`, `${TITLE}/1 EMBER FOX 4`]],
  ])('with tolerance %s returns only entries that near to another named player', async (tolerance, expected) => {
    const found = await rows(path, { names: 'Ember Fox,Pike', tolerance });
    expect(found.map(brief)).toEqual(expected);
  });

  it('returns nothing for a tolerance with a single name', async () => {
    expect(await rows(path, { names: 'Ember Fox', tolerance: '60000' })).toEqual([]);
  });

  it.each([
    [{}, 10],
    [{ tolerance: '60000' }, 7],
    [{ tolerance: '60000', titleId: TITLE }, 7],
    [{ titleId: OTHER }, 3],
  ])('sets truncated when more rows exist than the limit: %j', async (query, all) => {
    const names = 'Ember Fox,Pike,Quill';
    expect(await rows(path, { names, ...query, limit: '500' })).toHaveLength(all);
    for (const limit of [1, all - 1, all, all + 1]) {
      const { body } = await get(path, { names, ...query, limit: `${limit}` });
      expect(body).toMatchObject({ count: Math.min(limit, all), truncated: limit < all });
    }
  });

  it.each(HOSTILE)('finds players with the literal name %j', async (name) => {
    const found = await rows(path, { names: name });
    expect(found.map(({ playerName }) => playerName)).toEqual([name]);
  });

  it('accepts a name of 64 characters outside the BMP', async () => {
    const flags = encodeURIComponent('🏁'.repeat(64));
    expect(await catalog.get(`${path}?names=${flags}`)).toMatchObject({ status: 200, body: { count: 0 } });
  });

  it.each([
    ['?names=', 'names must be names, separated by commas'],
    ['?names=,%20,', 'names must be names, separated by commas'],
    ['', 'names must be names, separated by commas'],
    ['?names=a&names=b', 'names must be names, separated by commas'],
    ['?names[]=a', 'names must be names, separated by commas'],
    [`?names=${'x'.repeat(65)}`, 'names must be of 1 to 64 characters each'],
    [`?names=${encodeURIComponent('🏁'.repeat(65))}`, 'names must be of 1 to 64 characters each'],
    [`?names=${Array.from({ length: 21 }, (_, i) => `p${i}`).join()}`, 'names must be at most 20'],
    ['?names=%FF', 'names must be percent-encoded UTF-8'],
    ['?names=%ED%A0%80', 'names must be percent-encoded UTF-8'],
    ['?names=a&tolerance=60001', 'tolerance must be an integer from 0 to 60000'],
    ['?names=a&limit=501', 'limit must be an integer from 1 to 500'],
  ])('returns 400 for %s', async (query, error) => {
    expect(await catalog.get(path + query)).toMatchObject({ status: 400, body: { error } });
  });
});

describe('search for one player', () => {
  it('returns every entry of the player, numbered from 1', async () => {
    const { body } = await one('pike');
    expect(body).toEqual({
      results: [
        {
          id: 1,
          leaderboard_id: 1,
          leaderboard_name: 'Old Pier',
          rank: 2,
          title_id: TITLE,
          game_name: 'Harbor Racing',
        },
        {
          id: 2,
          leaderboard_id: 2,
          leaderboard_name: 'New Pier',
          rank: 1,
          title_id: TITLE,
          game_name: 'Harbor Racing',
        },
        {
          id: 3,
          leaderboard_id: 2,
          leaderboard_name: 'New Pier',
          rank: 1,
          title_id: TITLE,
          game_name: 'Harbor Racing',
        },
        { id: 4, leaderboard_id: 1, leaderboard_name: 'Points', rank: 2, title_id: OTHER, game_name: 'Quiet Bay' },
      ],
      count: 4,
    });
  });

  it.each(HOSTILE)('finds one player with the literal name %j', async (name) => {
    expect((await one(name)).body).toMatchObject({ count: 1, results: [{ leaderboard_name: 'Odd' }] });
  });

  it.each(['Nobody', 'Pik', 'Pike2', 'constructor', ' ', '9'.repeat(100)])(
    'returns an empty result for the unknown player %s',
    async (name) => {
      expect(await one(name)).toMatchObject({ status: 200, body: { results: [], count: 0 } });
    },
  );

  it('returns 400 for a name with invalid UTF-8', async () => {
    expect(await catalog.get(operations.searchOnePlayer.path.replace(':player', '%FF'))).toMatchObject({ status: 400 });
  });
});

function get(path: string, query: Record<string, string>): Promise<ApiResponse> {
  return catalog.get(withQuery(path, query));
}

async function rows(path: string, query: Record<string, string>): Promise<Row[]> {
  return rowsOf(await get(path, query));
}

function one(name: string): Promise<ApiResponse> {
  return catalog.get(operations.searchOnePlayer.path.replace(':player', () => encodeURIComponent(name)));
}
