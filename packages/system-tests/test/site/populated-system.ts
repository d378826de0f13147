import { operations } from '@lobbystats/contracts';
import { eventually, fixedClock, getJson, type Scope } from '@lobbystats/test-kit';
import { runSystem, type RunningSystem } from '../standalone/run-system.ts';

/** A system with a day of snapshots, leaderboards with changes, users with play time and achievements, and events. */
export async function runPopulatedSystem(scope: Scope): Promise<RunningSystem> {
  const system = await runSystem({
    clock: fixedClock('2026-01-31T12:00:05Z'),
    world: { titles: 12, openMatches: 6, players: 300, boards: 40, entries: 1200, boardChanges: 0.1 },
    env: { BACKFILL_DAYS: '1' },
    scope,
  });
  await eventually(
    async () => {
      expect(await answer(system, operations.getStatus.path)).toMatchObject({ isBackfilling: false });
      const { changes } = await answer<{ changes: unknown[] }>(system, operations.listChanges.path);
      const { recent } = await answer<{ recent: unknown[] }>(system, operations.listRecentUnlocks.path);
      const events = await answer<unknown[]>(system, operations.listEvents.path);
      expect([changes.length > 0, recent.length > 0, events.length > 0]).toEqual([true, true, true]);
    },
    { timeoutMs: 120_000, everyMs: 500 },
  );
  return system;
}

async function answer<Body>({ url }: RunningSystem, path: string): Promise<Body> {
  const { body } = await getJson<Body>(url + path);
  return body;
}
