import { allOperations, formats, operations, rowShape, type Operation } from '../src/index.ts';

const RATED = ['rank', 'name', 'rating', 'timeMs', 'timeFormatted', 'isTime'];
const CHANGE = [
  ...['id', 'type', 'titleId', 'gameName', 'leaderboardId', 'leaderboardName', 'playerName', 'isTime'],
  ...['oldRank', 'newRank', 'oldRating', 'newRating', 'oldTimeMs', 'newTimeMs', 'changedAt'],
];
const RUN = ['hostName', 'currentPlayers', 'maxPlayers', 'timestamp', 'startedAt', 'endedAt', 'peakPlayers'];
const LOBBY = ['titleId', 'gameName', 'hostName', 'currentPlayers', 'maxPlayers', 'openedAt', 'timestamp'];
const SITE_DAY = [
  ...['date', 'average_online', 'peak_online', 'peak_online_at'],
  ...['average_lobbies', 'peak_lobbies', 'peak_lobbies_at', 'matches'],
];
const RANKED = ['rank', 'titleId', 'gameName', 'mean', 'peak', 'hours', 'previous', 'change'];
const DAY = ['date', 'lobby_count', 'peak_players', 'unique_hosts', 'peak_online', 'average_online'];

const downloads: [operation: Operation, at: string, columns: string[]][] = [
  [operations.getDailyRegistered, '', ['date', 'registered_count']],
  [operations.getDailyOnline, '', SITE_DAY],
  [operations.getOnlineSeries, '', ['recorded_at', 'online_count']],
  [operations.getLobbySeries, '', ['recorded_at', 'lobby_count']],
  [operations.getTitleOnlineHistory, 'history', ['recorded_at', 'online_count']],
  [operations.getRanking, 'games', RANKED],
  [operations.getActivity, 'hours', ['weekday', 'hour', 'average_online', 'peak_online']],
  [operations.getDailyStats, 'stats', DAY],
  [operations.listLobbies, 'lobbies', LOBBY],
  [operations.getMatchHistory, 'matches', RUN],
  [operations.getLeaderboard, 'entries', RATED],
  [operations.getLeaderboardRecords, 'records', ['playerName', ...RATED.slice(2), 'since', 'source', 'until']],
  [operations.listChanges, 'changes', CHANGE],
  [operations.listPlayerChanges, 'changes', CHANGE],
  [operations.getRankHistory, 'points', ['recorded_at', 'rank', 'rating', 'timeMs']],
  [operations.listTitleChanges, 'changes', CHANGE],
  [operations.listChangedGames, '', ['name']],
];

describe('rowShape', () => {
  it.each(downloads)('returns the rows of $id with columns in schema order', (operation, at, columns) => {
    const of = operation === operations.listChangedGames ? 'texts' : 'objects';
    expect(rowShape(operation, {})).toEqual({ at, of, columns });
  });

  it('only the listed operations have rows', () => {
    const withRows = allOperations.filter(({ rows }) => rows !== undefined);
    expect(withRows.map(({ id }) => id).toSorted()).toEqual(downloads.map(([{ id }]) => id).toSorted());
  });

  it.each(allOperations)('an operation has a format parameter exactly if it has rows: $id', ({ query, rows }) => {
    expect('format' in query.shape).toBe(rows !== undefined);
  });

  it.each([operations.getOnlineSeries, operations.getLobbySeries, operations.getTitleOnlineHistory])(
    'rows of buckets have the columns min and max: $id',
    (operation) => {
      const columns = (resolution: string) => rowShape(operation, { resolution })?.columns.slice(2);
      expect([columns('raw'), columns('30'), columns('1440')]).toEqual([[], ['min', 'max'], ['min', 'max']]);
    },
  );

  it('format defaults to json, and unknown formats are rejected', () => {
    const { query } = operations.listChangedGames;
    expect(query.parse({})).toEqual({ format: 'json' });
    for (const format of formats) expect(query.parse({ format })).toEqual({ format });
    for (const format of ['xml', 'CSV', '', ['csv', 'csv']]) {
      expect(query.safeParse({ format }).error?.issues[0]?.message).toBe('must be one of json, csv, ndjson');
    }
  });
});
