import { allMessages, pageRequested } from '@lobbystats/contracts';
import { handle, type DeadLetterStore, type MessageBus } from '../../src/bus/index.ts';
import type { BusFixture, CreateFixture } from './bus-fixture.ts';
import { Recorder, eventually } from './recorder.ts';
import { pageConsumer, publishPages, QUEUE } from './samples.ts';

/** A bus with dead letters in two queues: three of pages and one that isn't JSON. */
async function withDeadLetters(fixture: BusFixture): Promise<{ bus: MessageBus; office: DeadLetterStore }> {
  const bus = await fixture.open();
  await publishPages(bus, [1, 2, 3]);
  await fixture.publishRaw('catalog-api', 'no JSON');
  const fails = await bus.consume(pageConsumer(() => Promise.reject(new Error('no')), { attempts: 1 }));
  const other = await bus.consume({
    queue: 'catalog-api',
    handlers: allMessages
      .filter(({ consumers }) => consumers.includes('catalog-api'))
      .map((type) => handle(type, () => Promise.resolve())),
  });
  const office = await fixture.deadLetters();
  await eventually(
    () => office.list(),
    ({ length }) => length === 4,
  );
  await fails.stop();
  await other.stop();
  return { bus, office };
}

export function deadLetterContract(createFixture: CreateFixture): void {
  describe('dead letters', () => {
    let fixture: BusFixture;
    beforeEach(async () => {
      fixture = await createFixture();
    });
    afterEach(() => fixture.remove());

    it('list returns all or the selected dead letters, oldest first', async () => {
      const { office } = await withDeadLetters(fixture);
      const all = await office.list();
      expect(new Set(all.map(({ id }) => id)).size).toBe(4);
      for (const { diedAt } of all) expect(diedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(await office.list({ queue: 'catalog-api' })).toMatchObject([{ queue: 'catalog-api', body: 'no JSON' }]);
      const [second] = all.slice(1);
      expect(await office.list({ ids: [second!.id] })).toEqual([second]);
      expect(await office.list({ ids: [second!.id], queue: 'gateway' })).toEqual([]);
      expect(await office.list({ ids: [] })).toEqual([]);
      expect(await office.list({ ids: ["' OR 1", '-1', '999'] })).toEqual([]);
      await office.close();
    });

    it('requeue returns dead letters to their queues with all attempts', async () => {
      const { bus, office } = await withDeadLetters(fixture);
      const seen = new Recorder<number>();
      const consumer = await bus.consume(
        pageConsumer(
          (number) => {
            const isFirst = !seen.items.includes(number);
            seen.add(number);
            if (isFirst) throw new Error('once more');
          },
          { attempts: 2 },
        ),
      );
      expect(await office.requeue({ queue: QUEUE })).toBe(3);
      expect((await seen.waitForCount(6)).toSorted()).toEqual([1, 1, 2, 2, 3, 3]);
      await consumer.stop();
      expect(await bus.depth(QUEUE)).toBe(0);
      expect(await office.list()).toMatchObject([{ queue: 'catalog-api' }]);
      await office.close();
    });

    it('requeue returns a single dead letter to its queue once', async () => {
      const { bus, office } = await withDeadLetters(fixture);
      const [first] = await office.list({ queue: QUEUE });
      expect(await office.requeue({ ids: [first!.id] })).toBe(1);
      expect(await office.requeue({ ids: [first!.id] })).toBe(0);
      expect(await bus.depth(QUEUE)).toBe(1);
      await office.close();
    });

    it('purge removes the selected dead letters', async () => {
      const { bus, office } = await withDeadLetters(fixture);
      const [first] = await office.list({ queue: QUEUE });
      expect(await office.purge({ ids: [first!.id] })).toBe(1);
      expect(await office.purge({ queue: 'catalog-api' })).toBe(1);
      expect(await office.purge()).toBe(2);
      expect(await office.purge()).toBe(0);
      expect(await office.list()).toEqual([]);
      expect(await bus.depth(QUEUE)).toBe(0);
      await office.close();
    });

    it('requeue returns each of 450 dead letters once, although they fail again at once', async () => {
      const bus = await fixture.open();
      const numbers = Array.from({ length: 450 }, (_, index) => index);
      await publishPages(bus, numbers);
      await bus.consume(pageConsumer(() => Promise.reject(new Error('no')), { attempts: 1 }));
      const office = await fixture.deadLetters();
      const before = await eventually(
        () => office.list(),
        ({ length }) => length === 450,
      );
      expect(await office.requeue()).toBe(450);
      const ids = new Set(before.map(({ id }) => id));
      const after = await eventually(
        () => office.list(),
        (letters) => letters.length === 450 && letters.every(({ id }) => !ids.has(id)),
      );
      expect(after.every(({ body }) => body.includes(pageRequested.key))).toBe(true);
      await office.close();
    });
  });
}
