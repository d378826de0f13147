import type { CollectorStore } from '../src/collector-store.ts';
import type { Collector } from '../src/service.ts';
import { killAfter } from './kill-after.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';
import { sorted, expectedObservation } from './run-slots.ts';

/** Runs a collector that is killed after `steps` steps, then another one. Returns whether the first was killed. */
async function wasKilledAfter(steps: number, stage: Stage): Promise<boolean> {
  const life = killAfter(stage.store, stage.bus, steps);
  const first: Collector = await stage.collector({ store: life.store, bus: life.bus });
  await stage.poll(
    async () =>
      life.isKilled() ||
      ((await stage.store.slots.state(SLOT)) === 'published' && (await stage.bus.depth('collector')) === 0),
  );
  await first.stop();
  const second = await stage.collector();
  await stage.until(() => stage.slots.length > 0);
  await stage.pagesRead();
  await second.tick();
  return life.isKilled();
}

/**
 * A slot is complete and published once, at whatever step its collector is killed.
 *
 * @param openStore opens a fresh store
 */
export function killedSlotContract(openStore: () => CollectorStore | Promise<CollectorStore>): void {
  it('leaves a slot that another replica completes when killed between any two steps', async () => {
    let wasKilled = true;
    let kills = 0;
    for (let steps = 0; wasKilled; steps += 1) {
      const stage = await setStage({ titles: 3, openMatches: 3, openStore });
      try {
        wasKilled = await wasKilledAfter(steps, stage);
        kills += 1;
        const messages = stage.slots.map(({ id, data }) => ({ id, data: sorted(data) }));
        const once = {
          id: 'slot.observed:simulated:2026-01-15T18:05:00Z',
          data: expectedObservation(stage.world, SLOT),
        };
        expect({ steps, said: messages }).toEqual({ steps, said: messages.map(() => once) });
        expect(messages.length).toBeLessThanOrEqual(2);
        expect(await stage.store.slots.state(SLOT)).toBe('published');
        const { maxConcurrentByPath } = await stage.requests();
        expect(Math.max(...Object.values(maxConcurrentByPath))).toBe(1);
        const home = new Set(
          stage.titles.flatMap(({ data }) => data.titles.filter(({ home }) => home).map(({ titleId }) => titleId)),
        );
        expect(home.size).toBe(3);
      } finally {
        await stage.close();
      }
    }
    expect(kills).toBeGreaterThan(20);
  });
}
