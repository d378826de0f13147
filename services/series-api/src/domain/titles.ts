import { AppError } from '@lobbystats/errors';
import type { SeriesReader } from './series-reader.ts';

/** What begins every answer about a title. */
export interface TitleHead {
  titleId: string;
  /** "" while it is unknown. */
  gameName: string;
}

/** @throws AppError `not-found` for a title that has neither a name nor a snapshot */
export async function titleHead(store: Pick<SeriesReader, 'title'>, titleId: string): Promise<TitleHead> {
  const title = await store.title(titleId);
  if (title === null) throw new AppError('not-found', 'Unknown title');
  return { titleId, gameName: title.name };
}
