import { formatRaceTime, type EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { BoardStore } from './board-store.ts';
import type { TitleCatalog } from '../titles/title-catalog.ts';
import type { TitleView } from '../titles/title-view.ts';
import type { Entry } from './board.ts';

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

/** Retries while boards are committed. */
const MAX_ATTEMPTS = 5;

/** Reads several things at one revision, with retries. The last attempt's result is returned as it is. */
export async function readConsistently<Result>(
  boards: Pick<BoardStore, 'changeLog'>,
  read: () => Promise<Result>,
): Promise<Result> {
  let { revision } = await boards.changeLog();
  for (let attempt = 1; ; attempt += 1) {
    const result = await read();
    const after = (await boards.changeLog()).revision;
    if (after === revision || attempt === MAX_ATTEMPTS) return result;
    revision = after;
  }
}

/** Score entries have no time. */
export function ratingView({ rating, timeMs }: Pick<Entry, 'rating' | 'timeMs'>, isTime: boolean) {
  return isTime
    ? { rating, timeMs, timeFormatted: formatRaceTime(timeMs), isTime }
    : { rating, timeMs: 0, timeFormatted: '', isTime };
}

export function entryView(entry: Entry, isTime: boolean) {
  return { rank: String(entry.rank), name: entry.name, ...ratingView(entry, isTime) };
}
