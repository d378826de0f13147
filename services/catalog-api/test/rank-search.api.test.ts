import { operations } from '@lobbystats/contracts';
import { observeBoards, post, scores, times, TITLE } from './board-passes.ts';
import { runCatalog, type ApiResponse, type RunningCatalog } from './running-catalog.ts';

const OTHER = '4d530065';
const NAMELESS = '00000001';

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runCatalog();
  await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' }, [OTHER]: { name: 'Quiet Bay' } });
  const three = times([
    ['Ember Fox', 1],
    ['Pike', 2],
    ['Quill', 3],
  ]);
  await observeBoards(
    catalog,
    { leaderboardId: 1, name: 'Old Pier', entries: times([['Ember Fox', 1]]) },
    {
      leaderboardId: 2,
      name: 'Twice',
      entries: [
        { rank: 1, name: 'Ember Fox', rating: '00:00.001', timeMs: 1 },
        { rank: 1, name: 'EMBER FOX', rating: '00:00.001', timeMs: 1 },
      ],
    },
    { titleId: OTHER, leaderboardId: 1, name: 'Lap', entries: three },
    { titleId: OTHER, leaderboardId: 2, name: 'Points', isTime: false, entries: scores([['Pike', '3']]) },
    { titleId: NAMELESS, entries: three },
  );
});
afterAll(() => catalog.stop());

const fox = { playerName: 'Ember Fox', rank: 1 };

describe('search by ranks', () => {
  it('orders boards by number of matching pairs, then by title and board', async () => {
    const players = [fox, { playerName: 'pike', rank: 2 }, { playerName: 'Quill', rank: 99 }];
    const { body } = await search({ players });
    expect(body).toMatchObject({ players, titleId: null, count: 3 });
    expect(boardsOf(body)).toEqual([`${OTHER}/1 2`, `${TITLE}/1 1`, `${TITLE}/2 1`]);
  });

  it('returns each matching row under its board', async () => {
    const { body } = await search({ players: [fox], titleId: OTHER.toUpperCase() });
    expect(body).toEqual({
      players: [fox],
      titleId: OTHER,
      count: 1,
      results: [
        {
          titleId: OTHER,
          gameName: 'Quiet Bay',
          leaderboardId: 1,
          leaderboardName: 'Lap',
          matchedCount: 1,
          matches: [
            {
              titleId: OTHER,
              gameName: 'Quiet Bay',
              leaderboardId: 1,
              leaderboardName: 'Lap',
              ...fox,
              rating: '00:00.001',
              timeMs: 1,
              timeFormatted: '0:00.001',
              isTime: true,
            },
          ],
        },
      ],
    });
  });

  it('counts a pair once when it is given twice', async () => {
    const pike = { playerName: 'Pike', rank: 1 };
    const { body } = await search({ players: [fox, pike, { playerName: ' EMBER fox ', rank: 1 }], titleId: TITLE });
    expect(body).toMatchObject({ players: [fox, pike], count: 2 });
    expect(boardsOf(body)).toEqual([`${TITLE}/1 1`, `${TITLE}/2 1`]);
  });

  it('counts a pair once when several rows match, and returns all rows', async () => {
    const { results } = (await search({ players: [fox], titleId: TITLE })).body as Body;
    expect(results[1]).toMatchObject({ matchedCount: 1, matches: [fox, { playerName: 'EMBER FOX', rank: 1 }] });
  });

  it('matches name and rank of a pair together', async () => {
    const crossed = [
      { playerName: 'Ember Fox', rank: 2 },
      { playerName: 'Pike', rank: 3 },
    ];
    expect((await search({ players: crossed })).body).toMatchObject({ results: [], count: 0 });
  });

  it('accepts a rank as text', async () => {
    const asText = await search({ players: [{ ...fox, rank: '1' }], titleId: OTHER });
    expect(asText).toMatchObject({ status: 200, body: { players: [fox], count: 1 } });
    expect(asText.body).toEqual((await search({ players: [fox], titleId: OTHER })).body);
  });

  it('ignores unknown fields', async () => {
    const body = `{"players":[{"playerName":"Pike","rank":1,"__proto__":{"rank":2},"$where":"1"}],"constructor":1}`;
    const answer = await search(body);
    expect(boardsOf(answer.body)).toEqual([`${OTHER}/2 1`]);
    expect({}).not.toHaveProperty('rank');
  });

  it.each<[string, unknown]>([
    ['no object', []],
    ['no object', null],
    ['no object', '"text"'],
    ['no JSON', '{'],
    ['no JSON', ''],
    ['an empty object', {}],
    ['no players', { players: [] }],
    ['too many players', { players: Array.from({ length: 21 }, () => fox) }],
    ['an operator for a list', { players: { $gt: '' } }],
    ['an operator for a pair', { players: [{ $ne: null }] }],
    ['an operator for a name', { players: [{ playerName: { $regex: '.*' }, rank: 1 }] }],
    ['a list for a name', { players: [{ playerName: ['Pike'], rank: 1 }] }],
    ['an operator for a rank', { players: [{ playerName: 'Pike', rank: { $gt: 0 } }] }],
    ['an operator for a title', { players: [fox], titleId: { $ne: '' } }],
    ['a list for a title', { players: [fox], titleId: [TITLE] }],
    ['an empty name', { players: [{ playerName: ' ', rank: 1 }] }],
    ['a long name', { players: [{ playerName: 'x'.repeat(201), rank: 1 }] }],
    ['a long name of long characters', { players: [{ playerName: '🏁'.repeat(201), rank: 1 }] }],
    ['a lone surrogate', '{"players":[{"playerName":"\\ud800","rank":1}]}'],
    ['a rank that is no number', { players: [{ playerName: 'Pike', rank: 'first' }] }],
    ['a rank with a sign', { players: [{ playerName: 'Pike', rank: '+1' }] }],
    ['an empty rank', { players: [{ playerName: 'Pike', rank: '' }] }],
    ['rank 0 as a text', { players: [{ playerName: 'Pike', rank: '0' }] }],
    ['a rank beyond all ranks as a text', { players: [{ playerName: 'Pike', rank: '2147483648' }] }],
    ['rank 0', { players: [{ playerName: 'Pike', rank: 0 }] }],
    ['a rank with a fraction', { players: [{ playerName: 'Pike', rank: 1.5 }] }],
    ['a rank beyond all ranks', { players: [{ playerName: 'Pike', rank: 2_147_483_648 }] }],
    ['10,000 digits', `{"players":[{"playerName":"Pike","rank":${'9'.repeat(10_000)}}]}`],
    ['deeply nested JSON', `{"players":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ])('returns 400 for %s', async (_what, body) => {
    expect(await search(body)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  });

  it('takes names with special characters literally', async () => {
    const players = ['.*', '$gt', '__proto__', '%', 'nul \0 inside', '🏁'.repeat(200)].map((playerName) => ({
      playerName,
      rank: 1,
    }));
    expect(await search({ players })).toMatchObject({ status: 200, body: { results: [], count: 0, players } });
  });
});

interface Body {
  results: { titleId: string; leaderboardId: number; matchedCount: number }[];
}

function search(body: unknown): Promise<ApiResponse> {
  return post(catalog, operations.searchByRanks.path, body);
}

function boardsOf(body: unknown): string[] {
  return (body as Body).results.map(
    ({ titleId, leaderboardId, matchedCount }) => `${titleId}/${leaderboardId} ${matchedCount}`,
  );
}
