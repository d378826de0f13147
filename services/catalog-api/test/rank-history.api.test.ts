import { formatTimestamp, operations, type OperationResponse } from '@lobbystats/contracts';
import { observeBoards, scores, seenAt, times, TITLE } from './board-passes.ts';
import { NOW, runCatalog, type RunningCatalog } from './running-catalog.ts';
import { HOSTILE, withQuery } from './searchable-catalog.ts';

type History = OperationResponse<typeof operations.getRankHistory>;

const DAY_HOURS = 24;
const NAMELESS = '00000001';

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runCatalog();
  await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' } });
  await observeBoards(
    catalog,
    { leaderboardId: 2, isTime: false, name: 'Points', entries: scores([['Ember Fox', '1,000']]) },
    { leaderboardId: 3, entries: times(HOSTILE.map((name, i) => [name, i])) },
    { titleId: NAMELESS, entries: ranked('Ember Fox') },
    { entries: ranked('Ember Fox', 'Pike') },
    { hour: 1, entries: ranked('Newcomer', 'Ember Fox', 'Pike') },
    { hour: DAY_HOURS, entries: ranked('Newcomer', 'Quill', 'Ember Fox', 'Pike') },
    { hour: DAY_HOURS + 2, entries: times([['Ember Fox', 1], ...rows('Newcomer', 'Quill', 'Pike')]) },
    { hour: 3 * DAY_HOURS, entries: ranked('Newcomer', 'Quill', 'Pike') },
  );
});
afterAll(() => catalog.stop());

describe('rank history', () => {
  it('shows own changes, the rank at the end of each day, and the removal from the board', async () => {
    const { body, headers, status } = await history('ember FOX');
    expect(status).toBe(200);
    const endOf = (day: number) => `2027-01-${day} 23:59:59`;
    expect(body).toEqual({
      playerName: 'Ember Fox',
      titleId: TITLE,
      gameName: 'Harbor Racing',
      leaderboardId: 1,
      leaderboardName: 'Old Pier',
      isTime: true,
      days: 30,
      points: [
        { recorded_at: endOf(15), rank: 2, rating: '00:10.000', timeMs: 10_000 },
        { recorded_at: at(DAY_HOURS + 2), rank: 1, rating: '00:00.001', timeMs: 1 },
        { recorded_at: endOf(16), rank: 1, rating: '00:00.001', timeMs: 1 },
        { recorded_at: at(3 * DAY_HOURS), rank: null, rating: null, timeMs: null },
      ],
    });
    expect(headers.get('last-modified')).toBe(new Date(seenAt(3 * DAY_HOURS) * 1000).toUTCString());
  });

  it('begins with the entry of a new player', async () => {
    expect((await points('Quill')).map(({ rank }) => rank)).toEqual([2, 3, 2]);
    expect(await points('Quill')).toMatchObject([{ recorded_at: at(DAY_HOURS) }, {}, { recorded_at: at(72) }]);
  });

  it('shows the current rank on a board that has not changed in these days', async () => {
    catalog.clock.nowMs = (NOW + 40 * 86_400) * 1000;
    expect(await points('Pike', { days: '1' })).toEqual([
      { recorded_at: at(72), rank: 3, rating: '00:12.000', timeMs: 12_000 },
    ]);
    catalog.clock.nowMs = seenAt(72) * 1000;
  });

  it('shows no times on a score board', async () => {
    expect(await points('Ember Fox', { leaderboardId: '2' })).toEqual([
      { recorded_at: at(0), rank: 1, rating: '1,000', timeMs: null },
    ]);
  });

  it.each(HOSTILE)('finds players with the literal name %j', async (name) => {
    expect(await points(name, { leaderboardId: '3' })).toHaveLength(1);
  });

  it.each([
    ['Nobody', {}, 'Unknown player'],
    ['%00', {}, 'Unknown player'],
    ['__proto__', {}, 'Unknown player'],
    ['Pike', { leaderboardId: '2' }, 'Unknown player'],
    ['x'.repeat(201), {}, 'Unknown player'],
    ['Pike', { leaderboardId: '9' }, 'Unknown leaderboard'],
    ['Pike', { titleId: 'ffffffff' }, 'Unknown title'],
    ['Pike', { titleId: '' }, 'Unknown title'],
    ['Pike', { titleId: '$where' }, 'Unknown title'],
    ['Ember Fox', { titleId: NAMELESS }, 'Unknown title'],
  ])('returns 404 for the player %s with %j: %s', async (name, query, error) => {
    expect(await history(name, query)).toMatchObject({ status: 404, body: { error } });
  });

  it.each([
    ['?leaderboardId=1', 'titleId must be a title ID'],
    [`?titleId=${TITLE}&titleId=${TITLE}&leaderboardId=1`, 'titleId must be a title ID'],
    [`?titleId=${TITLE}`, 'leaderboardId must be an integer from 0 to 2147483647'],
    [`?titleId=${TITLE}&leaderboardId=x`, 'leaderboardId must be an integer from 0 to 2147483647'],
    [`?titleId=${TITLE}&leaderboardId=1&days=366`, 'days must be an integer from 1 to 365'],
  ])('returns 400 for the query %s', async (query, error) => {
    expect(await catalog.get(pathOf('Pike') + query)).toMatchObject({ status: 400, body: { error } });
  });
});

const TIMES: Readonly<Record<string, number>> = { Newcomer: 9000, Quill: 9500, 'Ember Fox': 10_000, Pike: 12_000 };

function rows(...names: string[]): [string, number][] {
  return names.map((name) => [name, TIMES[name]!]);
}

function ranked(...names: string[]) {
  return times(rows(...names));
}

function at(hour: number): string {
  return formatTimestamp(seenAt(hour));
}

function pathOf(name: string): string {
  return operations.getRankHistory.path.replace(':player', () => encodeURIComponent(name));
}

function history(name: string, query: Record<string, string> = {}) {
  return catalog.get(withQuery(pathOf(name), { titleId: TITLE, leaderboardId: '1', ...query }));
}

async function points(name: string, query: Record<string, string> = {}): Promise<History['points']> {
  return ((await history(name, query)).body as History).points;
}
