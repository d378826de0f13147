import { AppError } from '@lobbystats/contracts/errors';
import type { SeriesReader } from '../database/series-store.ts';

export interface TitleHeader {
  titleId: string;
  gameName: string;
}

/** @throws AppError `not-found` for a title that has neither a name nor a snapshot */
export async function titleHeader(store: Pick<SeriesReader, 'title'>, titleId: string): Promise<TitleHeader> {
  const title = await store.title(titleId);
  if (title === null) throw new AppError('not-found', 'Unknown title');
  return { titleId, gameName: title.name };
}
