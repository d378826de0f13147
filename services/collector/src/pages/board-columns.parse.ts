import { columnOf } from './headings.ts';
import { UnparseablePageError } from '../network/page-failures.ts';

export interface BoardColumns {
  count: number;
  rank: number;
  name: number;
  time: number | undefined;
  score: number | undefined;
  /** The heading of the rating. */
  heading: string;
}

/** The columns of a leaderboard; undefined for another table. @throws UnparseablePageError when two headings fit one */
export function boardColumnsOf(header: readonly string[]): BoardColumns | undefined {
  const [rank, name, time, score] = (['rank', 'name', 'time', 'score'] as const).map((meaning) =>
    columnOf(header, meaning),
  );
  if (rank === undefined || name === undefined || (time === undefined && score === undefined)) return undefined;
  if (rank === 'several' || name === 'several' || time === 'several' || (time === undefined && score === 'several')) {
    throw new UnparseablePageError('two headings of its leaderboard fit one column');
  }
  const value = time ?? (score === 'several' ? undefined : score);
  return {
    count: header.length,
    rank,
    name,
    time,
    score: score === 'several' ? undefined : score,
    heading: header[value ?? -1] ?? '',
  };
}
