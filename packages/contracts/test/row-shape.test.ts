import { allOperations, formats, operations, rowShape } from '../src/index.ts';

describe('rowShape', () => {
  it('returns the rows with columns in schema order', () => {
    const columns = ['rank', 'name', 'rating', 'timeMs', 'timeFormatted', 'isTime'];
    expect(rowShape(operations.getLeaderboard, {})).toEqual({ at: 'entries', of: 'objects', columns });
    expect(rowShape(operations.listChangedGames, {})).toEqual({ at: '', of: 'texts', columns: ['name'] });
    expect(rowShape(operations.getGame, {})).toBeUndefined();
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
