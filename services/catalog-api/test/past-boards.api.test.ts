import { formatDate, operations } from '@lobbystats/contracts';
import { nextQuery, observeBoards, scores, seenAt, times, TITLE } from './board-passes.ts';
import { runCatalog, type ApiResponse, type RunningCatalog } from './running-catalog.ts';

const FOX_FIRST = times([
  ['Ember Fox', 1000],
  ['Pike', 2000],
  ['Quill', 3000],
]);
const PIKE_FIRST = times([
  ['Pike', 900],
  ['Ember Fox', 1000],
]);

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runCatalog();
  await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' } });
  await observeBoards(
    catalog,
    { entries: FOX_FIRST },
    { hour: 23, entries: times([['Nobody', 1]]) },
    { hour: 24, entries: PIKE_FIRST },
    { hour: 24 * 3, entries: null },
    { hour: 24 * 5, isTime: false, name: 'Came back', entries: scores([['Quill', '12']]) },
    { hour: 24 * 7, name: 'As it stands', isTime: false, entries: scores([['Quill', '13']]) },
  );
});
afterAll(() => catalog.stop());

describe('leaderboard as of a day', () => {
  it('returns the board as of the end of the day', async () => {
    expect(await namesAt(day(0))).toEqual(['Ember Fox', 'Pike', 'Quill']);
    expect(day(23)).toBe(day(24));
    expect(await namesAt(day(24))).toEqual(['Pike', 'Ember Fox']);
  });

  it('returns the version of the previous day for a day without changes', async () => {
    expect(await namesAt(day(48))).toEqual(['Pike', 'Ember Fox']);
  });

  it('returns the name and kind that the board had on that day', async () => {
    expect((await at(day(24))).body).toMatchObject({ name: 'Old Pier', entries: [{ isTime: true }, { isTime: true }] });
    expect((await at(day(24 * 5))).body).toMatchObject({
      name: 'Came back',
      entries: [{ rating: '12', isTime: false }],
    });
  });

  it('returns 404 for days on which the board was gone', async () => {
    expect(await at(day(24 * 3))).toMatchObject({ status: 404, body: { error: 'Unknown leaderboard' } });
    expect(await at(day(24 * 4))).toMatchObject({ status: 404 });
  });

  it.each(['0000-01-01', '1970-01-01', formatDate(seenAt(-24))])(
    'returns 404 for a day before the first observation: %s',
    async (date) => {
      expect(await at(date)).toMatchObject({ status: 404, body: { error: 'Unknown leaderboard' } });
    },
  );

  it('returns the current board for today', async () => {
    const today = await at(day(24 * 7));
    expect(today.body).toMatchObject({ name: 'As it stands', total: 1 });
    expect(today.headers.get('last-modified')).toBe(new Date(seenAt(24 * 7) * 1000).toUTCString());
  });

  it('returns 400 for a future day', async () => {
    expect(await at(day(24 * 8))).toMatchObject({ status: 400, body: { error: 'at must not be in the future' } });
  });

  it('returns pages of a past board', async () => {
    const first = await at(day(24), '&limit=1');
    expect(first.body).toMatchObject({ entries: [{ name: 'Pike' }], total: 2 });
    expect(nextQuery(first)).toBe(`?at=${day(24)}&limit=1&offset=1`);
    expect((await at(day(24), '&limit=1&offset=1')).body).toMatchObject({ entries: [{ name: 'Ember Fox' }] });
  });

  it('centres a past board on a player who was on it', async () => {
    expect(await namesAt(day(24), '&around=ember+fox&limit=1')).toEqual(['Ember Fox']);
    expect(await at(day(24), '&around=Quill')).toMatchObject({ status: 404, body: { error: 'Unknown player' } });
  });
});

function day(hour: number): string {
  return formatDate(seenAt(hour));
}

function at(date: string, more = ''): Promise<ApiResponse> {
  const path = operations.getLeaderboard.path.replace(':titleId', TITLE).replace(':leaderboardId', '1');
  return catalog.get(`${path}?at=${date}${more}`);
}

async function namesAt(date: string, more = ''): Promise<string[]> {
  const { body } = await at(date, more);
  return (body as { entries: { name: string }[] }).entries.map(({ name }) => name);
}
