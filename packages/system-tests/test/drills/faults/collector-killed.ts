import { formatTimestamp, operations, parseInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { expectSiteSeries, simulatedSlots } from '../../standalone/expect-series.ts';
import { deadLetters } from '../dead-letters.ts';
import type { StackDrill } from '../drill.ts';
import { killAndStart, networkFaults, whileFaulty } from '../inject.ts';
import { waitForNextSlot, waitUntil } from '../wait.ts';

const KILLS = 20;
/** Slow enough that pages are in progress at every kill. */
const PAGE_LATENCY_MS = 400;
const BETWEEN_KILLS_MS = 2500;
const SETTLED_SECONDS = 150;

interface Point {
  readonly recorded_at: string;
}

export const collectorKilled: StackDrill = {
  number: 1,
  name: 'a collector is killed in mid-slot, 20 times',
  on: 'stack',
  restarts: ['collector'],
  isFault: true,
  run: async (stage) => {
    const slots: number[] = [];
    let kills = 0;
    const slowPages = networkFaults({ path: '/games', kind: 'latency', ms: PAGE_LATENCY_MS });
    while (kills < KILLS) {
      const slot = await whileFaulty(stage, slowPages, async () => {
        const next = await waitForNextSlot();
        // Until the deadline of the slot, after which no page is in progress.
        while (kills < KILLS && Date.now() < (next + 100) * 1000) {
          await waitUntil(Date.now() + BETWEEN_KILLS_MS);
          await killAndStart(stage, 'collector');
          kills += 1;
        }
        return next;
      });
      slots.push(slot);
      await waitUntil((slot + SETTLED_SECONDS) * 1000);
    }
    const online = await eventually(
      async () => (await stage.request(`${operations.getOnlineSeries.path}?days=30`)).body as Point[],
      { timeoutMs: 10_000 },
    );
    const first = parseInstant(String(online[0]?.recorded_at));
    const { world } = createSimulator();
    const times = await expectSiteSeries(stage.url, simulatedSlots(world, first, slots.at(-1) ?? first));
    const counts = (await stage.request(`${operations.getLobbySeries.path}?days=30`)).body as Point[];
    const became = slots.map((slot) => {
      const time = formatTimestamp(slot);
      const isThere = times.includes(time);
      const isWhole = counts.some(({ recorded_at }) => recorded_at === time);
      return `${time} ${isThere ? (isWhole ? 'whole' : 'there, without a lobby count') : 'honestly missing'}`;
    });
    expect(await deadLetters(stage)).toEqual([]);
    const all = ((slots.at(-1) ?? first) - first) / SLOT_SECONDS + 1;
    return [
      `killed ${kills} times in ${slots.length} slots: ${became.join('; ')}`,
      `${times.length} of ${all} slots there, each once and as the network had it; no dead letter`,
    ];
  },
};
