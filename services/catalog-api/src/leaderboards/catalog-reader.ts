import type { EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { BoardStore } from './board-store.ts';
import type { TitleCatalog } from '../titles/title-catalog.ts';
import type { TitleView } from '../titles/title-view.ts';

export interface CatalogReader {
  readonly titles: Pick<TitleCatalog, 'view'>;
  readonly boards: BoardStore;
}

export interface TitleHeader {
  readonly head: { titleId: string; gameName: string };
  readonly changedAt: EpochSeconds;
}

/** @throws AppError `not-found` for a title that is unknown or has no name yet */
export function titleHeader(view: TitleView, titleId: string): TitleHeader {
  const found = view.get(titleId);
  if (found === undefined) throw new AppError('not-found', 'Unknown title');
  return { head: { titleId, gameName: found.title.name }, changedAt: found.changedAt };
}
