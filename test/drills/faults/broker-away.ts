import { operations, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { expectSiteLikeTruth, truthOf } from '../../../services/standalone/test/like-truth.ts';
import { LeftOut, type StackDrill } from '../drill.ts';
import { until } from './broken-server.ts';
import { deadLetters } from './dead-letters.ts';
import { nextSlot } from './slots.ts';

interface Point {
  readonly recorded_at: string;
}

/**
 * An hour passes by the clock: collectors, store and broker are processes with no other one.
 *
 * @param minutes how long the broker stays away; undefined: the drill isn't run
 */
export function brokerAway(minutes: number | undefined): StackDrill {
  return {
    number: 3,
    name: 'the broker is away for an hour',
    on: 'stack',
    isFault: true,
    run: async (stage) => {
      if (minutes === undefined) {
        throw new LeftOut(
          'an hour of a real broker takes an hour: --broker-away MINUTES says that it may, or how much of it',
        );
      }
      const first = await nextSlot();
      const growth: number[] = [];
      const { collector: before = 0 } = await stage.memory();
      await stage.compose('stop', '-t', '30', 'rabbitmq');
      try {
        const end = (first + minutes * 60) * 1000;
        while (Date.now() < end) {
          await until(Math.min(end, Date.now() + 30_000));
          const { collector = 0 } = await stage.memory();
          growth.push((collector - before) / 1024 ** 2);
        }
      } finally {
        await stage.compose('start', 'rabbitmq');
      }
      const last = first + Math.floor((minutes * 60) / SLOT_SECONDS) * SLOT_SECONDS;
      const { world } = createSimulator();
      const truth = truthOf(world, first, last);
      const times = await eventually(
        async () => {
          const points = (await stage.ask(`${operations.getOnlineSeries.path}?days=1`)).body as Point[];
          const times = points.map(({ recorded_at }) => recorded_at);
          expect(times.filter((time) => truth.has(time)).length).toBeGreaterThanOrEqual(truth.size - 1);
          expect(times).toEqual(times.toSorted());
          return expectSiteLikeTruth(stage.url, truth);
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
