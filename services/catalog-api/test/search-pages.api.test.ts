import { operations, type OperationResponse } from '@lobbystats/contracts';
import { nextQuery, observeBoards, times, TITLE } from './board-passes.ts';
import { NAMELESS, OTHER, withQuery } from './searchable-catalog.ts';
import { runCatalog, type ApiResponse, type RunningCatalog } from './running-catalog.ts';

type TimeSearch = OperationResponse<typeof operations.searchByTime>;

const BY_TIME = { time: '0:10.000', tolerance: '30' };
const BY_PLAYERS = { names: 'Pike,Quill' };

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runCatalog();
  await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' }, [OTHER]: { name: 'Quiet Bay' } });
  const tied = Array.from({ length: 7 }, (_, index) => [index % 2 === 0 ? 'Pike' : 'Quill', 10_010] as const);
  const spread = Array.from({ length: 9 }, (_, index) => ['Pike', 9990 + index * 5] as const);
  await observeBoards(
    catalog,
    { leaderboardId: 1, entries: times(tied) },
    { leaderboardId: 2, entries: times(spread) },
    { titleId: OTHER, entries: times([...tied, ...spread]) },
    { titleId: NAMELESS, entries: times(tied) },
  );
});
afterAll(() => catalog.stop());

describe.each([
  ['search by time', operations.searchByTime.path, BY_TIME],
  ['search by time without tolerance', operations.searchByTime.path, { time: '0:10.010' }],
  ['search by time in a title', operations.searchByTime.path, { ...BY_TIME, titleId: OTHER }],
  ['search by players', operations.searchByPlayers.path, BY_PLAYERS],
  ['search by players with a tolerance', operations.searchByPlayers.path, { ...BY_PLAYERS, tolerance: '0' }],
] as const)('pages of a %s', (_what, path, query) => {
  it.each([1, 2, 5, 500])('contain each row once, with a constant total, for the limit %s', async (limit) => {
    const all = bodyOf(await get(path, { ...query, limit: '500' })).results;
    expect(all.length).toBeGreaterThan(6);
    const rows: unknown[] = [];
    let cursor: string | null = 'start';
    while (cursor !== null) {
      const page = bodyOf(await get(path, { ...query, limit: `${limit}`, cursor }));
      rows.push(...page.results);
      expect(page).toMatchObject({ total: all.length, limit, count: page.results.length });
      expect([page.truncated, page.hasMore]).toEqual(Array(2).fill(rows.length < all.length));
      cursor = page.nextCursor ?? null;
    }
    expect(rows).toEqual(all);
  });

  it('have the same rows and fields as before without a cursor, and a link to the next page', async () => {
    const answer = await get(path, { ...query, limit: '3' });
    expect(Object.keys(bodyOf(answer)).slice(-2)).toEqual(['count', 'truncated']);
    const next = bodyOf(await catalog.get(path + String(nextQuery(answer))));
    const all = bodyOf(await get(path, query)).results;
    expect([...bodyOf(answer).results, ...next.results]).toEqual(all.slice(0, 6));
    expect(nextQuery(await get(path, { ...query, limit: '500' }))).toBeUndefined();
  });

  it.each([
    '',
    '0',
    'Start',
    '%00',
    '__proto__',
    '$where',
    cursorOf('changes older 5'),
    cursorOf('time 60000 1'),
    'x'.repeat(500),
  ])('are a 400 for the cursor %j', async (cursor) => {
    const error = 'cursor must be one that an answer gave';
    expect(await get(path, { ...query, cursor })).toMatchObject({ status: 400, body: { error } });
  });

  it('are empty behind the last row', async () => {
    const cursor = cursorOf(path === operations.searchByTime.path ? 'time 0 9999999' : 'players 9999999');
    const { results } = bodyOf(await get(path, { time: '0:01.000', ...BY_PLAYERS, cursor }));
    expect(results).toEqual([]);
  });
});

it('a page of a search by time keeps its place when a nearer row is added', async () => {
  const path = operations.searchByTime.path;
  const all = bodyOf(await get(path, BY_TIME)).results;
  const { nextCursor } = bodyOf(await get(path, { ...BY_TIME, limit: '9', cursor: 'start' }));
  await observeBoards(catalog, { leaderboardId: 3, entries: times([['Newcomer', 10_000]]) });
  const next = bodyOf(await get(path, { ...BY_TIME, cursor: nextCursor ?? '' }));
  expect(next.results).toEqual(all.slice(9));
  expect(next.total).toBe(all.length + 1);
});

function cursorOf(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function get(path: string, query: Record<string, string>): Promise<ApiResponse> {
  return catalog.get(withQuery(path, query));
}

function bodyOf({ body }: ApiResponse): TimeSearch {
  return body as TimeSearch;
}
