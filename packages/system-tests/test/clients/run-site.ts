import { createClient } from '@lobbystats/client';
import { eventually, fixedClock } from '@lobbystats/test-kit';
import { runSystem } from '../standalone/run-system.ts';

/** Starts a site for the file: games, leaderboards and changes of the past hours, with a fixed clock. */
export async function runSite() {
  const clock = fixedClock('2026-01-31T12:00:05Z');
  const system = await runSystem({
    clock,
    world: { titles: 20, openMatches: 10, boards: 10, entries: 400, players: 200 },
    env: { BACKFILL_DAYS: '1' },
    scope: 'file',
  });
  const client = createClient({ baseUrl: system.url });
  const row = await eventually(async () => {
    const { results } = await client.searchByTime({ time: '1:00', tolerance: 60_000, limit: 500 });
    const found = results.find(({ rank }) => rank >= 3);
    if (found === undefined) throw new Error('the leaderboards are not read yet');
    const { total } = await client.listChanges({ limit: 1 });
    if (total < 5) throw new Error('there are no changes yet');
    if ((await client.getStatus()).isBackfilling) throw new Error('the past is still read');
    return found;
  });
  return { ...system, clock, client, titleId: row.titleId, leaderboardId: row.leaderboardId };
}
