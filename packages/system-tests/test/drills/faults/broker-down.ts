import { operations, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { expectSiteSeries, simulatedSlots } from '../../standalone/expect-series.ts';
import { deadLetters } from '../dead-letters.ts';
import { SkippedError, type StackDrill } from '../drill.ts';
import { stopped, whileFaulty } from '../inject.ts';
import { waitForNextSlot, waitUntil } from '../wait.ts';

interface Point {
  readonly recorded_at: string;
}

/**
 * Runs in real time, because the processes of the stack use the system clock.
 *
 * @param minutes duration of the outage; undefined: the drill is skipped
 */
export function brokerDown(minutes: number | undefined): StackDrill {
  return {
    number: 3,
    name: 'the broker is down for an hour',
    on: 'stack',
    isFault: true,
    run: async (stage) => {
      if (minutes === undefined) {
        throw new SkippedError(
          'an hour of a real broker takes an hour: --broker-away MINUTES says that it may, or how much of it',
        );
      }
      const first = await waitForNextSlot();
      const growth: number[] = [];
      const { collector: before = 0 } = await stage.memory();
      await whileFaulty(stage, stopped('rabbitmq'), async () => {
        const end = (first + minutes * 60) * 1000;
        while (Date.now() < end) {
          await waitUntil(Math.min(end, Date.now() + 30_000));
          const { collector = 0 } = await stage.memory();
          growth.push((collector - before) / 1024 ** 2);
        }
      });
      const last = first + Math.floor((minutes * 60) / SLOT_SECONDS) * SLOT_SECONDS;
      const { world } = createSimulator();
      const truth = simulatedSlots(world, first, last);
      const times = await eventually(
        async () => {
          const points = (await stage.request(`${operations.getOnlineSeries.path}?days=1`)).body as Point[];
          const times = points.map(({ recorded_at }) => recorded_at);
          expect(times.filter((time) => truth.has(time)).length).toBeGreaterThanOrEqual(truth.size - 1);
          expect(times).toEqual(times.toSorted());
          return expectSiteSeries(stage.url, truth);
        },
        { timeoutMs: 180_000, everyMs: 2000 },
      );
      expect(await deadLetters(stage)).toEqual([]);
      return [
        `away for ${minutes} minutes: ${times.length} of ${truth.size} slots of that time are there, in order and as they were; the collector had at most ${Math.max(0, ...growth).toFixed(0)} MB more; no dead letter`,
      ];
    },
  };
}
