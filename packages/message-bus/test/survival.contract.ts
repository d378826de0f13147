import { eventsOf, type BusPlace, type CreatePlace } from './bus-place.ts';
import { Child } from './child.ts';
import { Collected, eventually } from './collected.ts';
import { factNumberOf, pageConsumer, publishFact, publishPage, publishPages, QUEUE } from './samples.ts';

const KILLS = 8;

export function survivalContract(createPlace: CreatePlace): void {
  describe('survival', () => {
    let place: BusPlace;
    let child: Child | undefined;
    beforeEach(async () => {
      place = await createPlace();
    });
    afterEach(async () => {
      await child?.kill();
      await place.remove();
    });

    it('has all that waits after a stop and a start', async () => {
      const bus = await place.open();
      await publishPages(bus, [1, 2, 3]);
      await bus.close();
      const again = await place.open();
      expect(await again.depth(QUEUE)).toBe(3);
      const seen = new Collected<number>();
      await again.consume(pageConsumer((number) => seen.add(number)));
      expect((await seen.reaches(3)).toSorted()).toEqual([1, 2, 3]);
    });

    it('remembers failed attempts', async () => {
      const { events, hooks } = eventsOf('dead');
      const attempts: number[] = [];
      const backoffMs = (attempt: number): number => {
        attempts.push(attempt);
        return 0;
      };
      const first = await place.open();
      const failed = new Collected<number>();
      const closing = new Collected<Promise<void>>();
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
      await Promise.all(await closing.reaches(1));
      const second = await place.open({ hooks });
      await second.consume(pageConsumer(() => Promise.reject(new Error('no')), { attempts: 3, backoffMs }));
      expect(await events.reaches(1)).toMatchObject([{ reason: 'failed 3 times: no' }]);
      expect(attempts).toEqual([1, 2]);
    });

    it('keeps to the backoff', async () => {
      const first = await place.open();
      const failedAt = new Collected<number>();
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
      const [before] = await failedAt.reaches(1);
      await first.close();
      const second = await place.open();
      const handledAt = new Collected<number>();
      await second.consume(pageConsumer(() => handledAt.add(performance.now())));
      const [after] = await handledAt.reaches(1);
      // Timers count whole milliseconds.
      expect(after! - before!).toBeGreaterThanOrEqual(298);
    });

    it('hands a message over again whose handler had not finished when its process was killed', async () => {
      const bus = await place.open();
      await publishPage(bus, 7);
      await bus.close();
      child = new Child('hold.ts', place.url);
      expect(await child.says(2)).toEqual(['open', 'has 7']);
      await child.kill();
      const again = await place.open();
      const seen = new Collected<number>();
      const consumer = await again.consume(pageConsumer((number) => seen.add(number)));
      expect(await seen.reaches(1)).toEqual([7]);
      await consumer.stop();
      expect(await again.depth(QUEUE)).toBe(0);
    });

    it('keeps dead letters', async () => {
      const bus = await place.open();
      await bus.consume(pageConsumer(() => Promise.reject(new Error('no')), { attempts: 1 }));
      await publishPage(bus, 1);
      const office = await place.deadLetters();
      await eventually(
        () => office.list(),
        ({ length }) => length === 1,
      );
      await bus.close();
      expect(await office.list()).toHaveLength(1);
      expect(await office.requeue()).toBe(1);
      await office.close();
      const again = await place.open();
      expect(await again.depth(QUEUE)).toBe(1);
    });

    it('goes on in the log where a reader stood', async () => {
      const bus = await place.open();
      await publishFact(bus, 1);
      const position = await bus.logEnd();
      await publishFact(bus, 2);
      await bus.close();
      const again = await place.open();
      await publishFact(again, 3);
      const seen = new Collected<number>();
      const onReset = jest.fn();
      await again.readLog({
        from: position,
        onEntry: ({ message }) => seen.add(factNumberOf(message)),
        onReset,
        onFault: (error) => {
          throw error;
        },
      });
      expect(await seen.reaches(2)).toEqual([2, 3]);
      expect(onReset).not.toHaveBeenCalled();
    });

    it(`loses nothing that was confirmed over ${KILLS} kills at random moments`, async () => {
      const confirmed = new Set<number>();
      const handled = new Set<number>();
      let next = 1;
      for (let kill = 0; kill < KILLS; kill += 1) {
        child = new Child('churn.ts', place.url, String(next));
        await child.says(1 + Math.floor(Math.random() * 600));
        for (const line of await child.kill()) {
          const [what, number] = line.split(' ');
          (what === 'published' ? confirmed : handled).add(Number(number));
        }
        // What was being published when it was killed may be in the journal too.
        next = Math.max(next, ...confirmed, ...handled) + 1000;
      }
      expect(confirmed.size).toBeGreaterThan(0);
      const bus = await place.open();
      const waiting = await bus.depth(QUEUE);
      const rest = new Collected<number>();
      const consumer = await bus.consume(pageConsumer((number) => rest.add(number)));
      for (const number of await rest.reaches(waiting)) handled.add(number);
      await consumer.stop();
      expect(await bus.depth(QUEUE)).toBe(0);
      expect([...confirmed].filter((number) => !handled.has(number))).toEqual([]);
    }, 60_000);
  });
}
