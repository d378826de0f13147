import { cleanUp } from '@lobbystats/test-kit';
import { sqlitePlans } from '@lobbystats/test-kit/sqlite-plans';
import { formatTimestamp, operations, type OperationResponse } from '@lobbystats/contracts';
import { observeBoards, scores, seenAt, times, TITLE } from './board-passes.ts';
import { runCatalog, type RunningCatalog } from './running-catalog.ts';
import { HOSTILE } from './searchable-catalog.ts';

type Records = OperationResponse<typeof operations.getLeaderboardRecords>;

const DAY = 24;
const NAMELESS = '00000001';

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runCatalog();
  await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' } });
  await observeBoards(
    catalog,
    { leaderboardId: 2, isTime: false, entries: scores([['Ember Fox', '1,000']]) },
    { leaderboardId: 2, isTime: false, hour: 2 * DAY, entries: scores([['Ember Fox', '1000']]) },
    { leaderboardId: 3, entries: tied(['Ember Fox', 'Pike']) },
    { leaderboardId: 5, entries: [] },
    { leaderboardId: 6, entries: times([['Pike', 9000]]) },
    { leaderboardId: 6, hour: 1, entries: times([['Ember Fox', 8000], ['Pike', 9000]]) }, // prettier-ignore
    { leaderboardId: 4, entries: HOSTILE.map((name) => ({ rank: 1, name, rating: '00:01.000', timeMs: 1000 })) },
    { titleId: NAMELESS, entries: times([['Ember Fox', 1]]) },
    // Pike's record; Fox beats it, and improves; both are removed; the board is gone for a day.
    { entries: times([['Pike', 9000]]) },
    { hour: DAY + 2, entries: times([['Ember Fox', 8000], ['Pike', 9000]]) }, // prettier-ignore
    { hour: DAY + 3, entries: times([['Ember Fox', 7000], ['Pike', 9000]]) }, // prettier-ignore
    { hour: 2 * DAY, entries: times([['Ember Fox', 6000], ['Pike', 9000]]) }, // prettier-ignore
    { hour: 3 * DAY, entries: times([['Pike', 9000]]) },
    { hour: 4 * DAY, entries: null },
    { hour: 5 * DAY, entries: times([['Pike', 9000]]) },
  );
});
afterAll(() => catalog.stop());

describe('records of a leaderboard', () => {
  it('shows who held rank 1, since when and until when, newest first', async () => {
    const { body, headers } = await records(1);
    expect(body).toMatchObject({ titleId: TITLE, gameName: 'Harbor Racing', leaderboardId: '1', name: 'Old Pier' });
    const [again, removed, improved, beaten, first] = body.records;
    expect([body.total, body.records.length]).toEqual([5, 5]);
    expect(first).toMatchObject({ playerName: 'Pike', since: '2027-01-15 23:59:59', source: 'first' });
    expect(first?.until).toBe(at(DAY + 3));
    expect(beaten).toMatchObject({ playerName: 'Ember Fox', timeMs: 7000, since: at(DAY + 3), source: 'change' });
    expect(improved).toMatchObject({ timeFormatted: '0:06.000', since: at(2 * DAY), source: 'change' });
    expect(removed).toMatchObject({ playerName: 'Pike', since: '2027-01-18 23:59:59', source: 'day' });
    expect(removed?.until).toBe('2027-01-19 23:59:59');
    expect(again).toMatchObject({ playerName: 'Pike', since: at(5 * DAY), until: null });
    expect(headers.get('last-modified')).toBe(new Date(seenAt(5 * DAY) * 1000).toUTCString());
  });

  it('shows the newest ones within the limit, with the same times', async () => {
    const all = (await records(1)).body.records;
    expect((await records(1, '?limit=2')).body).toMatchObject({ total: 5, records: all.slice(0, 2) });
  });

  it('keeps a score whose format alone changed', async () => {
    const { body } = await records(2);
    expect(body.records).toMatchObject([{ playerName: 'Ember Fox', timeFormatted: '', isTime: false, until: null }]);
  });

  it('shows all holders of a shared rank', async () => {
    expect((await records(3)).body.records.map(({ playerName }) => playerName)).toEqual(['Ember Fox', 'Pike']);
  });

  it('shows names as they are', async () => {
    expect((await records(4, '?limit=500')).body.records.map(({ playerName }) => playerName)).toEqual([...HOSTILE]);
  });

  it.each([
    [TITLE, 9, 'Unknown leaderboard'],
    ['ffffffff', 1, 'Unknown title'],
    [NAMELESS, 1, 'Unknown title'],
  ])('returns 404 for board %s/%i: %s', async (titleId, leaderboardId, error) => {
    expect(await catalog.get(pathOf(titleId, leaderboardId))).toMatchObject({ status: 404, body: { error } });
  });

  it.each(['0', '501', 'x'])('returns 400 for the limit %s', async (limit) => {
    expect((await catalog.get(`${pathOf(TITLE, 1)}?limit=${limit}`)).status).toBe(400);
  });
});

describe('record holders of a game', () => {
  it('are listed by board, with the change that made their record', async () => {
    const holders = await catalog.get(operations.listRecordHolders.path.replace(':titleId', TITLE));
    const rows = operations.listRecordHolders.response
      .parse(holders.body)
      .map(({ leaderboardId, entries, record }) => [
        ...[leaderboardId, entries, record?.playerName, record?.since, record?.isShared],
      ]);
    expect(rows).toEqual([
      [1, 1, 'Pike', null, false],
      [2, 1, 'Ember Fox', null, false],
      [3, 2, 'Ember Fox', null, true],
      [4, HOSTILE.length, HOSTILE[0], null, true],
      [5, 0, undefined, undefined, undefined],
      [6, 2, 'Ember Fox', at(1), false],
    ]);
  });
});

describe('dates of entries', () => {
  const dated = async (query: string) => {
    const answer = await catalog.get(`${pathOf(TITLE, 1).replace(/\/records$/, '')}?dates=with&${query}`);
    expect(answer.status).toBe(200);
    const { entries } = answer.body as OperationResponse<typeof operations.getLeaderboard>;
    return entries.map(({ name, since }) => [name, since]);
  };

  it('are those of the changes that found the ratings; null for ratings of the first reading', async () => {
    expect(await dated('limit=10')).toEqual([['Pike', null]]);
    const day = (hours: number) => new Date(seenAt(hours) * 1000).toISOString().slice(0, 10);
    expect(await dated(`limit=10&at=${day(2 * DAY)}`)).toEqual([
      ['Ember Fox', at(2 * DAY)],
      ['Pike', null],
    ]);
    expect(await dated(`limit=1&at=${day(DAY + 3)}`)).toEqual([['Ember Fox', at(DAY + 3)]]);
    expect(await dated(`around=Pike&at=${day(0)}`)).toEqual([['Pike', null]]);
  });

  it('are read at once, however many entries there are', async () => {
    const plans = sqlitePlans();
    cleanUp(() => plans.stop());
    const path = pathOf(TITLE, 4).replace(/\/records$/, '?dates=with');
    const statements = (limit: number) =>
      plans.during(async () => {
        const { body } = await catalog.get(`${path}&limit=${limit}`);
        expect(body).toMatchObject({ entries: Array.from({ length: limit }, () => ({ rank: '1' })) });
      });
    expect(await statements(HOSTILE.length)).toEqual(await statements(1));
  });

  it.each(['', '&limit=101', '&around=Pike&limit=101'])('need a limit: %s', async (query) => {
    const answer = await catalog.get(`${pathOf(TITLE, 1).replace(/\/records$/, '')}?dates=with${query}`);
    expect(answer).toMatchObject({ status: 400, body: { error: 'dates needs a limit of at most 100' } });
  });
});

function tied(names: readonly string[]) {
  return names.map((name) => ({ rank: 1, name, rating: '00:09.000', timeMs: 9000 }));
}

function at(hour: number): string {
  return formatTimestamp(seenAt(hour));
}

function pathOf(titleId: string, leaderboardId: number): string {
  const { path } = operations.getLeaderboardRecords;
  return path.replace(':titleId', titleId).replace(':leaderboardId', String(leaderboardId));
}

async function records(leaderboardId: number, query = '') {
  const response = await catalog.get(pathOf(TITLE, leaderboardId) + query);
  expect(response.status).toBe(200);
  return { ...response, body: response.body as Records };
}
