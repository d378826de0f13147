import type { RunChanges } from '../matches/match-runs.ts';
import { dayOf } from './periods.ts';
import type { SeriesStore, RegisteredCount } from '../database/series-store.ts';
import type { MatchSnapshot, SiteSnapshot, SlotSnapshot, TitleSnapshot } from './snapshots.ts';
import { putRegistered } from '../days/dailies.influx.ts';
import { removalLines, runLines } from '../matches/match-runs.influx.ts';
import { lineOf, timeOf, timeOfHost } from './points.influx.ts';
import type { StoreParts } from '../database/store-parts.influx.ts';
import { knownTitleLine } from '../titles/titles.influx.ts';

/**
 * Writes the site's points last, as the commit mark: after a crash, redelivery repeats the rest. New runs are written
 * before old ones are removed. InfluxDB may show points it could not persist, so a commit rewrites the runs of failed
 * ones.
 */
export function slotWrites(parts: StoreParts) {
  const { influx } = parts;
  const known = new Set<string>();
  /** Runs of failed commits, by point key. */
  const unconfirmedRuns = new Map<string, string>();

  const makeKnown = async (slots: readonly SlotSnapshot[]): Promise<void> => {
    const fresh = new Set<string>();
    for (const { titles } of slots) for (const { titleId } of titles) if (!known.has(titleId)) fresh.add(titleId);
    await influx.write('daily', [...fresh].map(knownTitleLine));
    for (const titleId of fresh) known.add(titleId);
  };

  return {
    commit: async ({ slots, runs }) => {
      const retainedPoints = withoutExpired(parts, slots, runs);
      await influx.write('snapshots', [...unconfirmedRuns.values()]);
      for (const line of [...retainedPoints.runs, ...retainedPoints.removals])
        unconfirmedRuns.set(pointKeyOf(line), line);
      await waitForAll([
        influx.write('snapshots', [...retainedPoints.lines, ...retainedPoints.runs]),
        makeKnown(slots),
        putRegistered(parts, registeredIn(slots)),
      ]);
      await influx.write('snapshots', retainedPoints.removals);
      await influx.write('snapshots', retainedPoints.sites);
      unconfirmedRuns.clear();
    },
    confirm: async (sites) => {
      const retained = parts.horizon.retained();
      const retainedSites = sites.filter(({ slot }) => slot > retained);
      await influx.write('snapshots', retainedSites.map(siteLine));
    },
    removeTitles: async (titleIds) => {
      for (const titleId of titleIds) {
        for (const bucket of ['snapshots', 'daily'] as const) {
          await influx.remove(bucket, { predicate: `titleId="${titleId}"` });
        }
        known.delete(titleId);
      }
    },
  } satisfies Partial<SeriesStore>;
}

/** Waits for all writes, since a remaining one could overwrite those of the next commit. */
async function waitForAll(writes: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(writes)) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Lines with the same measurement, tags and time replace each other. */
function pointKeyOf(line: string): string {
  return line.slice(0, line.indexOf(' ')) + line.slice(line.lastIndexOf(' '));
}

/** Expired points are counted and dropped. */
function withoutExpired({ horizon, onExpired }: StoreParts, slots: readonly SlotSnapshot[], runs: RunChanges) {
  const retained = horizon.retained();
  const lines: string[] = [];
  const running: string[] = [];
  const sites: string[] = [];
  let expired = 0;
  for (const { site, titles, matches } of slots) {
    if (site.slot <= retained) expired += 1 + titles.length + matches.length;
    else {
      const time = timeOf(site.slot);
      for (const title of titles) lines.push(titleLine(title, time));
      for (const match of matches) lines.push(matchLine(match));
      sites.push(siteLine(site));
    }
  }
  for (const run of runs.put) {
    if (run.startedAt > retained) running.push(...runLines(run));
    else expired += 1;
  }
  if (expired > 0) onExpired(expired);
  const staying = new Set(running.map(pointKeyOf));
  const removals = runs.remove
    .filter(({ startedAt }) => startedAt > retained)
    .flatMap(removalLines)
    .filter((line) => !staying.has(pointKeyOf(line)));
  return { lines, runs: running, sites, removals };
}

export function titleLine({ titleId, ...counts }: TitleSnapshot, time: string): string {
  return lineOf('title', { titleId, time }, { ...counts });
}

export function matchLine({ slot, titleId, host, players, maxPlayers }: MatchSnapshot): string {
  return lineOf('match', { titleId, host, time: timeOfHost(slot, host) }, { players, maxPlayers });
}

export function siteLine({ slot, online, registered, lobbies, missing }: SiteSnapshot): string {
  return lineOf('site', { time: timeOf(slot) }, { online, missing, registered, lobbies });
}

function registeredIn(slots: readonly SlotSnapshot[]): RegisteredCount[] {
  return slots.flatMap(({ site: { slot, registered } }) =>
    registered === null ? [] : [{ day: dayOf(slot), registered, seenAt: slot }],
  );
}
