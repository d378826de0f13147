import { repetitions } from '@lobbystats/test-kit';
import { eventsOf, type BusFixture, type CreateFixture } from './bus-fixture.ts';
import { FixtureProcess } from './fixture-process.ts';
import { Recorder, eventually } from './recorder.ts';
import { factNumberOf, pageConsumer, publishFact, publishPage, publishPages, QUEUE } from './samples.ts';

const KILLS = repetitions(4);

export function durabilityContract(createFixture: CreateFixture): void {
  describe('durability', () => {
    let fixture: BusFixture;
    let child: FixtureProcess | undefined;
    beforeEach(async () => {
      fixture = await createFixture();
    });
    afterEach(async () => {
      await child?.kill();
      await fixture.remove();
    });

    it('delivers waiting messages after a restart', async () => {
      const bus = await fixture.open();
      await publishPages(bus, [1, 2, 3]);
      await bus.close();
      const again = await fixture.open();
      expect(await again.depth(QUEUE)).toBe(3);
      const seen = new Recorder<number>();
      await again.consume(pageConsumer((number) => seen.add(number)));
      expect((await seen.waitForCount(3)).toSorted()).toEqual([1, 2, 3]);
    });

    it('keeps the count of failed attempts over a restart', async () => {
      const { events, hooks } = eventsOf('dead');
      const attempts: number[] = [];
      const backoffMs = (attempt: number): number => {
        attempts.push(attempt);
        return 0;
      };
      const first = await fixture.open();
      const failed = new Recorder<number>();
      const closing = new Recorder<Promise<void>>();
      await first.consume(
        pageConsumer(
          (number) => {
            failed.add(number);
            if (failed.items.length === 2) closing.add(first.close());
            throw new Error('no');
          },
          { backoffMs },
        ),
      );
      await publishPage(first, 1);
      await Promise.all(await closing.waitForCount(1));
      const second = await fixture.open({ hooks });
      await second.consume(pageConsumer(() => Promise.reject(new Error('no')), { attempts: 3, backoffMs }));
      expect(await events.waitForCount(1)).toMatchObject([{ reason: 'failed 3 times: no' }]);
      expect(attempts).toEqual([1, 2]);
    });

    it('keeps the backoff of a failed message over a restart', async () => {
      const first = await fixture.open();
      const failedAt = new Recorder<number>();
      await first.consume(
        pageConsumer(
          () => {
            failedAt.add(performance.now());
            throw new Error('not yet');
          },
          { backoffMs: () => 300 },
        ),
      );
      await publishPage(first, 1);
      const [before] = await failedAt.waitForCount(1);
      await first.close();
      const second = await fixture.open();
      const handledAt = new Recorder<number>();
      await second.consume(pageConsumer(() => handledAt.add(performance.now())));
      const [after] = await handledAt.waitForCount(1);
      // Timers count whole milliseconds.
      expect(after! - before!).toBeGreaterThanOrEqual(298);
    });

    it('redelivers a message whose process was killed during its handling', async () => {
      const bus = await fixture.open();
      await publishPage(bus, 7);
      await bus.close();
      child = new FixtureProcess('hold.ts', fixture.url);
      expect(await child.waitForLines(2)).toEqual(['open', 'has 7']);
      await child.kill();
      const again = await fixture.open();
      const seen = new Recorder<number>();
      const consumer = await again.consume(pageConsumer((number) => seen.add(number)));
      expect(await seen.waitForCount(1)).toEqual([7]);
      await consumer.stop();
      expect(await again.depth(QUEUE)).toBe(0);
    });

    it('keeps dead letters over a restart', async () => {
      const bus = await fixture.open();
      await bus.consume(pageConsumer(() => Promise.reject(new Error('no')), { attempts: 1 }));
      await publishPage(bus, 1);
      const office = await fixture.deadLetters();
      await eventually(
        () => office.list(),
        ({ length }) => length === 1,
      );
      await bus.close();
      expect(await office.list()).toHaveLength(1);
      expect(await office.requeue()).toBe(1);
      await office.close();
      const again = await fixture.open();
      expect(await again.depth(QUEUE)).toBe(1);
    });

    it('a log reader resumes at its position after a restart', async () => {
      const bus = await fixture.open();
      await publishFact(bus, 1);
      const position = await bus.logEnd();
      await publishFact(bus, 2);
      await bus.close();
      const again = await fixture.open();
      await publishFact(again, 3);
      const seen = new Recorder<number>();
      const onReset = jest.fn();
      await again.readLog({
        from: position,
        onEntry: ({ message }) => seen.add(factNumberOf(message)),
        onReset,
        onFault: (error) => {
          throw error;
        },
      });
      expect(await seen.waitForCount(2)).toEqual([2, 3]);
      expect(onReset).not.toHaveBeenCalled();
    });

    it(`loses no confirmed message over ${KILLS} kills at random moments`, async () => {
      const confirmed = new Set<number>();
      const handled = new Set<number>();
      let next = 1;
      for (let kill = 0; kill < KILLS; kill += 1) {
        child = new FixtureProcess('churn.ts', fixture.url, String(next));
        await child.waitForLines(1 + Math.floor(Math.random() * 600));
        for (const line of await child.kill()) {
          const [what, number] = line.split(' ');
          (what === 'published' ? confirmed : handled).add(Number(number));
        }
        // Unconfirmed publications may be in the journal too.
        next = Math.max(next, ...confirmed, ...handled) + 1000;
      }
      expect(confirmed.size).toBeGreaterThan(0);
      const bus = await fixture.open();
      const waiting = await bus.depth(QUEUE);
      const rest = new Recorder<number>();
      const consumer = await bus.consume(pageConsumer((number) => rest.add(number)));
      for (const number of await rest.waitForCount(waiting)) handled.add(number);
      await consumer.stop();
      expect(await bus.depth(QUEUE)).toBe(0);
      expect([...confirmed].filter((number) => !handled.has(number))).toEqual([]);
    });
  });
}
