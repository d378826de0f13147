import { formatRaceTime } from '@lobbystats/contracts';
import type { BoardStore } from './board-store.ts';
import type { TitleCatalog } from '../titles/title-catalog.ts';
import type { Entry } from './board.ts';

export interface CatalogReader {
  readonly titles: Pick<TitleCatalog, 'view'>;
  readonly boards: BoardStore;
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
