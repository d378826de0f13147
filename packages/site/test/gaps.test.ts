import { rivalsOf } from '../src/pages/leaderboard/board-table.ts';

describe('gaps between the entries of a leaderboard', () => {
  const score = (rank: number, rating: string) => ({
    ...{ rank: String(rank), name: `P${rating}`, rating, timeMs: 0, timeFormatted: '', isTime: false },
  });

  it('skip entries of the same rank, and ratings that are no numbers', () => {
    const entries = [score(1, '12,000'), score(2, '9,500'), score(2, '9,500'), score(4, 'N/A')];
    const rivals = entries.map((entry) => rivalsOf(entry, entries));
    expect(rivals.map(({ first, next }) => [first?.gap, next?.gap])).toEqual([
      [undefined, undefined],
      ['2,500', '2,500'],
      ['2,500', '2,500'],
      [undefined, undefined],
    ]);
  });

  it('are a time from a minute on', () => {
    const time = (rank: number, timeMs: number) => ({ ...score(rank, String(timeMs)), timeMs, isTime: true });
    const slow = time(2, 120_345);
    expect(rivalsOf(slow, [time(1, 58_000), slow]).next?.gap).toBe('1:02.345');
  });
});
