import {
  DAY_SECONDS,
  type EpochSeconds,
  type OperationQuery,
  type operations,
  type Reply,
  type Resolution,
} from '@lobbystats/contracts';
import { lastSeconds, lastHours } from '../series/periods.ts';
import { seriesRows } from '../series/points.ts';
import { titleHeader, type TitleQueries } from '../titles/titles.queries.ts';
import type { SlotQueries } from './slots.queries.ts';

const HOURS_PER_DAY = 24;

type SeriesQuery = OperationQuery<typeof operations.getOnlineSeries>;

export async function getOnlineSeries(
  store: SlotQueries,
  { days, resolution }: SeriesQuery,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getOnlineSeries>> {
  const points = await store.siteOnline(lastSeconds(now, days * DAY_SECONDS));
  const body = seriesRows(points, resolution, (recorded_at, online_count) => ({ recorded_at, online_count }));
  return { body, lastModified: points.at(-1)?.[0] };
}

/** Slots with a missing title have no count. */
export async function getLobbySeries(
  store: SlotQueries,
  { days, resolution }: SeriesQuery,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getLobbySeries>> {
  const points = await store.siteLobbies(lastSeconds(now, days * DAY_SECONDS));
  const body = seriesRows(points, resolution, (recorded_at, lobby_count) => ({ recorded_at, lobby_count }));
  return { body, lastModified: points.at(-1)?.[0] };
}

/** @throws AppError `not-found` for an unknown title */
export async function getTitleOnlineHistory(
  store: TitleQueries & SlotQueries,
  titleId: string,
  { hours, resolution }: { hours: number; resolution: Resolution },
  now: EpochSeconds,
): Promise<Reply<typeof operations.getTitleOnlineHistory>> {
  const head = await titleHeader(store, titleId);
  const points = await store.titleOnline(titleId, lastHours(now, hours));
  const history = seriesRows(points, resolution, (recorded_at, online_count) => ({ recorded_at, online_count }));
  return { body: { ...head, hours, resolution, history }, lastModified: points.at(-1)?.[0] };
}

/**
 * In the order asked for.
 *
 * @throws AppError `not-found` for an unknown title
 */
export async function compareGames(
  store: TitleQueries & SlotQueries,
  { titleIds, days, resolution }: OperationQuery<typeof operations.compareGames>,
  now: EpochSeconds,
): Promise<Reply<typeof operations.compareGames>> {
  const period = { hours: days * HOURS_PER_DAY, resolution };
  const histories: Awaited<ReturnType<typeof getTitleOnlineHistory>>[] = [];
  // In turn, so that other reads get their share of the store's processor.
  for (const titleId of titleIds) histories.push(await getTitleOnlineHistory(store, titleId, period, now));
  const games = histories.map(({ body: { titleId, gameName, history } }) => ({ titleId, gameName, history }));
  const newest = Math.max(...histories.map(({ lastModified = 0 }) => lastModified));
  return { body: { days, resolution, games }, lastModified: newest === 0 ? undefined : newest };
}
