import { formatDate, formatTimestamp, type EpochSeconds, type operations, type Reply } from '@lobbystats/contracts';
import { dayOf } from '../series/periods.ts';
import { highestOf, type SeriesPoint } from '../series/points.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import { titleHeader, type TitleQueries } from '../titles/titles.queries.ts';
import type { SiteDayQueries } from './site-days.queries.ts';
import type { TitleRecordQueries } from './title-records.queries.ts';

export async function getNetworkRecords(
  store: SiteDayQueries,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getNetworkRecords>> {
  const days = await store.siteDays({ after: -1, until: dayOf(now) });
  const busiest = highestOf(days.map(({ day, matches }) => [day, matches]));
  const body = {
    online: recordOf(highestOf(days.map(({ peakOnlineAt, peakOnline }) => [peakOnlineAt, peakOnline]))),
    lobbies: recordOf(
      highestOf(
        days.flatMap(({ peakLobbiesAt: at, peakLobbies: count }): SeriesPoint[] =>
          at === null || count === null ? [] : [[at, count]],
        ),
      ),
    ),
    matches: busiest === undefined ? null : { count: busiest[1], date: formatDate(busiest[0]) },
  };
  return { body, lastModified: days.at(-1)?.newestSlot };
}

/** @throws AppError `not-found` for an unknown title */
export async function getGameRecords(
  store: TitleQueries & TitleRecordQueries & SlotQueries,
  titleId: string,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getGameRecords>> {
  const head = await titleHeader(store, titleId);
  const [{ online, lobbies }, newest] = await Promise.all([store.titleRecords(titleId), store.slotBefore(now + 1)]);
  const body = { ...head, online: recordOf(online), lobbies: recordOf(lobbies) };
  return { body, lastModified: newest ?? undefined };
}

function recordOf(point: SeriesPoint | null | undefined) {
  return point ? { count: point[1], at: formatTimestamp(point[0]) } : null;
}
