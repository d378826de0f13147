import type { BodyOf } from '@lobbystats/client';
import { formatTimestamp, MATCH_GAP_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { SlotObservation, World } from '@lobbystats/simulator';
import { siteClient } from './site-client.ts';

/** Simulated slots by time. */
export type SlotsByTime = ReadonlyMap<string, SlotObservation>;

/** The slots from `first` to `last`, both included. */
export function simulatedSlots(world: World, first: EpochSeconds, last: EpochSeconds): SlotsByTime {
  const slots = new Map<string, SlotObservation>();
  for (let slot = first; slot <= last; slot += SLOT_SECONDS) slots.set(formatTimestamp(slot), world.observe(slot));
  return slots;
}

/** Fails unless the site series equal the simulated slots, each once. Returns the times of the collected slots. */
export async function expectSiteSeries(url: string, truth: SlotsByTime): Promise<string[]> {
  const client = siteClient(url);
  const online = await client.getOnlineSeries({ days: 30 });
  const points = online.filter((p) => truth.has(p.recorded_at));
  const times = points.map((point) => point.recorded_at);
  expect(new Set(times).size).toBe(times.length);
  expect(points.map((point) => point.online_count)).toEqual(times.map((time) => truth.get(time)?.online));

  for (const { recorded_at, lobby_count } of await client.getLobbySeries({ days: 30 })) {
    const slot = truth.get(recorded_at);
    if (slot === undefined) continue;
    const matches = slot.titles.reduce((sum, title) => sum + title.matches.length, 0);
    expect([recorded_at, lobby_count]).toEqual([recorded_at, matches]);
  }
  return times;
}

/**
 * Fails unless the counts and matches of a title equal those of the simulator in the collected slots.
 *
 * @param horizon only matches that ended before it are compared
 */
export async function expectTitleSeries(
  url: string,
  titleId: string,
  { truth, collected, horizon }: { truth: SlotsByTime; collected: ReadonlySet<string>; horizon: string },
): Promise<void> {
  const { history } = await siteClient(url).getTitleOnlineHistory({ titleId, hours: 720 });
  const counts = [...truth]
    .filter(([time]) => collected.has(time))
    .flatMap(([time, slot]) => {
      const title = slot.titles.find((candidate) => candidate.titleId === titleId);
      return title ? [{ recorded_at: time, online_count: title.online }] : [];
    });
  expect(history.filter(({ recorded_at }) => truth.has(recorded_at))).toEqual(counts);

  const matches = await allMatches(url, titleId);
  const seen = matches
    .filter(({ endedAt }) => endedAt < horizon)
    .map(({ hostName, startedAt, endedAt, peakPlayers }) => `${hostName} ${startedAt} ${endedAt} ${peakPlayers}`);
  const runs = matchRuns(truth, titleId).filter(({ endedAt }) => endedAt < horizon);
  expect(seen.sort()).toEqual(
    runs.map(({ host, startedAt, endedAt, peak }) => `${host} ${startedAt} ${endedAt} ${peak}`).sort(),
  );
}

type Match = BodyOf<'getMatchHistory'>['matches'][number];

async function allMatches(url: string, titleId: string): Promise<Match[]> {
  const matches: Match[] = [];
  let total = 0;
  for await (const page of siteClient(url).pages('getMatchHistory', { titleId, hours: 720, limit: 1000 })) {
    matches.push(...page.matches);
    ({ total } = page);
  }
  expect(matches).toHaveLength(total);
  return matches;
}

interface MatchRun {
  host: string;
  startedAt: string;
  endedAt: string;
  peak: number;
}

/** The matches of a title, by a simple reference implementation. */
function matchRuns(slots: SlotsByTime, titleId: string): MatchRun[] {
  const runs: MatchRun[] = [];
  const latest = new Map<string, MatchRun>();
  for (const [time, slot] of slots) {
    for (const { host, players } of slot.titles.find((title) => title.titleId === titleId)?.matches ?? []) {
      const run = latest.get(host);
      const gapMs = run ? Date.parse(`${time}Z`) - Date.parse(`${run.endedAt}Z`) : Number.POSITIVE_INFINITY;
      if (run && gapMs <= MATCH_GAP_SECONDS * 1000) {
        run.endedAt = time;
        run.peak = Math.max(run.peak, players);
      } else {
        const fresh = { host, startedAt: time, endedAt: time, peak: players };
        latest.set(host, fresh);
        runs.push(fresh);
      }
    }
  }
  return runs;
}
