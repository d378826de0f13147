import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { MATCH_END_MAX_SECONDS } from '../matches/read-slots.ts';
import type { RunQueries } from '../matches/runs.queries.ts';
import { dayOf } from '../series/periods.ts';
import { highestOf, type SeriesPoint } from '../series/points.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import type { SiteSnapshot } from '../slots/snapshots.ts';
import type { SiteDay, SiteDayQueries } from './site-days.queries.ts';
import type { TitleDayQueries } from './title-days.queries.ts';

export type RollupStore = SlotQueries & RunQueries & SiteDayQueries & TitleDayQueries;

/** The slot's day, and the next one if the slot joins or cuts a match that goes on there. */
export function affectedDays(slots: Iterable<EpochSeconds>): EpochSeconds[] {
  const days = new Set<EpochSeconds>();
  for (const slot of slots) days.add(dayOf(slot)).add(dayOf(slot + MATCH_END_MAX_SECONDS));
  return [...days].sort((a, b) => a - b);
}

/** Recomputes days of the titles and of the site; a day computed from more snapshots than remain stays. */
export async function rollUp(store: RollupStore, days: readonly EpochSeconds[]): Promise<void> {
  const [rolledUp] = await Promise.all([Promise.all(days.map((day) => siteDayOf(store, day))), store.rollUp(days)]);
  await store.putSiteDays(rolledUp.flatMap((day) => day ?? []));
}

async function siteDayOf(store: RollupStore, day: EpochSeconds): Promise<SiteDay | undefined> {
  const until = day + DAY_SECONDS - 1;
  const [sites, matches, [stored]] = await Promise.all([
    store.siteSnapshots({ after: day - 1, until }),
    store.countRuns(day, until),
    store.siteDays({ after: day - 1, until: day }),
  ]);
  const newest = sites.at(-1);
  if (newest === undefined || sites.length < (stored?.samples ?? 0)) return undefined;
  const online = countsOf(sites, 'online');
  const lobbies = countsOf(sites, 'lobbies');
  const [peakOnlineAt = day, peakOnline = 0] = highestOf(online) ?? [];
  const [peakLobbiesAt = null, peakLobbies = null] = highestOf(lobbies) ?? [];
  return {
    day,
    onlineSum: sumOf(online),
    samples: sites.length,
    peakOnline,
    peakOnlineAt,
    lobbySum: sumOf(lobbies),
    lobbySamples: lobbies.length,
    peakLobbies,
    peakLobbiesAt,
    matches,
    newestSlot: newest.slot,
  };
}

function countsOf(sites: readonly SiteSnapshot[], measure: 'online' | 'lobbies'): SeriesPoint[] {
  return sites.flatMap(({ slot, [measure]: count }): SeriesPoint[] => (count === null ? [] : [[slot, count]]));
}

function sumOf(points: readonly SeriesPoint[]): number {
  return points.reduce((sum, [, count]) => sum + count, 0);
}
