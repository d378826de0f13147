import { pageWanted } from '@lobbystats/contracts';
import { handle, handleBatch } from '@lobbystats/message-bus';
import fc from 'fast-check';
import { eventsOf, type BusPlace, type CreatePlace } from './bus-place.ts';
import { Collected, eventually, Gate, nextTurn } from './collected.ts';
import { numberOf, page, pageConsumer, publishPage, publishPages, QUEUE, seriesHandlers, noBoards } from './samples.ts';

const oneToTwenty = Array.from({ length: 20 }, (_, index) => index + 1);
const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

/**
 * Whether past messages came behind live ones. Where a queue only prefers the live, at least two of them come for each
 * past one, while there are any: but for one past message that may come at first, and one at the end.
 */
function expectLiveFirst(pasts: readonly boolean[], liveFirst: 'all' | 'most'): void {
  const early = pasts.slice(0, pasts.lastIndexOf(false) + 1).filter((past) => past).length;
  const live = pasts.filter((past) => !past).length;
  expect(early).toBeLessThanOrEqual(liveFirst === 'all' ? 0 : Math.ceil(live / 2) + 1);
}

export function deliveryContract(createPlace: CreatePlace): void {
  describe('delivery', () => {
    let place: BusPlace;
    beforeEach(async () => {
      place = await createPlace();
    });
    afterEach(() => place.remove());

    it('delivers each message until it is handled, those from before there was a consumer too', async () => {
      const bus = await place.open();
      await publishPages(bus, oneToTwenty.slice(0, 10));
      const seen = new Collected<number>();
      const consumer = await bus.consume(pageConsumer((number) => seen.add(number)));
      await publishPages(bus, oneToTwenty.slice(10));
      expect(ascending(await seen.reaches(20))).toEqual(oneToTwenty);
      await consumer.stop();
      expect(await bus.depth(QUEUE)).toBe(0);
      expect(seen.items).toHaveLength(20);
    });

    it('gives each message to one of the consumers that compete for a queue', async () => {
      const bus = await place.open();
      const all = new Collected<number>();
      const shares: number[][] = [[], []];
      const everyoneBusy = new Gate();
      for (const share of shares) {
        await bus.consume(
          pageConsumer(
            async (number) => {
              share.push(number);
              if (shares.every(({ length }) => length > 0)) everyoneBusy.open();
              await everyoneBusy.opened;
              all.add(number);
            },
            { prefetch: 2 },
          ),
        );
      }
      await publishPages(bus, oneToTwenty);
      expect(ascending(await all.reaches(20))).toEqual(oneToTwenty);
      expect(ascending(shares.flat())).toEqual(oneToTwenty);
    });

    it('keeps as many in hand as the prefetch allows, and never more', async () => {
      const bus = await place.open();
      const seen = new Collected<number>();
      const full = new Gate();
      let inHand = 0;
      let most = 0;
      await bus.consume(
        pageConsumer(
          async (number) => {
            inHand += 1;
            most = Math.max(most, inHand);
            if (inHand === 4) full.open();
            await full.opened;
            await nextTurn();
            inHand -= 1;
            seen.add(number);
          },
          { prefetch: 4 },
        ),
      );
      await publishPages(bus, oneToTwenty);
      await seen.reaches(20);
      expect(most).toBe(4);
    });

    it('hands over in batches what is waiting, one call at a time', async () => {
      const bus = await place.open();
      await publishPages(bus, oneToTwenty);
      const calls = new Collected<number[]>();
      let running = 0;
      const batches = handleBatch(pageWanted, 8, async (messages) => {
        running += 1;
        await nextTurn();
        calls.add([...messages.map(numberOf), ...(running > 1 ? [Number.NaN] : [])]);
        running -= 1;
      });
      const consumer = await bus.consume({ queue: QUEUE, handlers: [batches, noBoards] });
      await eventually(
        () => calls.items.flat().length,
        (count) => count >= 20,
      );
      await consumer.stop();
      expect(ascending(calls.items.flat())).toEqual(oneToTwenty);
      expect(Math.max(...calls.items.map(({ length }) => length))).toBe(8);
    });

    it('lets live messages overtake past ones, in batches of any size', async () => {
      const bus = await place.open();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
          fc.integer({ min: 1, max: 12 }),
          fc.integer({ min: 1, max: 50 }),
          async (pasts, batch, prefetch) => {
            for (const [number, past] of pasts.entries()) await publishPage(bus, number, { past });
            const calls = new Collected<boolean[]>();
            const handler = handleBatch(pageWanted, batch, async (messages) =>
              calls.add(messages.map(({ past }) => past)),
            );
            const consumer = await bus.consume({ queue: QUEUE, handlers: [handler, noBoards], prefetch });
            await eventually(
              () => calls.items.flat().length,
              (count) => count >= pasts.length,
            );
            await consumer.stop();
            expectLiveFirst(calls.items.flat(), place.liveFirst);
            expect(Math.max(...calls.items.map(({ length }) => length))).toBeLessThanOrEqual(Math.min(batch, prefetch));
          },
        ),
        { numRuns: 25 },
      );
    });

    it('drops what has expired, counts it, and goes on', async () => {
      let now = Date.UTC(2026, 0, 31);
      const { events, hooks } = eventsOf('expired');
      const bus = await place.open({ clock: () => now, hooks });
      await publishPage(bus, 1, { expiresAtMs: now + 60_000 });
      await publishPage(bus, 2, { expiresAtMs: now + 120_000 });
      now += 60_000;
      const seen = new Collected<number>();
      const consumer = await bus.consume(pageConsumer((number) => seen.add(number)));
      expect(await seen.reaches(1)).toEqual([2]);
      expect(await events.reaches(1)).toEqual([expect.objectContaining({ queue: QUEUE, count: 1 })]);
      await consumer.stop();
      expect(await bus.depth(QUEUE)).toBe(0);
    });

    it('runs a handler in the context of its message', async () => {
      const contexts = new Collected<unknown>();
      const bus = await place.open({
        hooks: {
          run: ({ id, type }, work) => {
            contexts.add({ id, type });
            return work();
          },
        },
      });
      await bus.consume(pageConsumer(() => undefined));
      await publishPage(bus, 1, { id: 'one' });
      expect(await contexts.reaches(1)).toEqual([{ id: 'one', type: 'page.wanted' }]);
    });

    it('gives what a stopped consumer has not begun to the next one', async () => {
      const bus = await place.open();
      const first = new Collected<number>();
      const gate = new Gate();
      const batches = handleBatch(pageWanted, 2, async (messages) => {
        for (const message of messages) first.add(numberOf(message));
        await gate.opened;
      });
      const stopped = await bus.consume({ queue: QUEUE, handlers: [batches, noBoards], prefetch: 10 });
      await publishPages(bus, oneToTwenty);
      await first.reaches(1);
      const stopping = stopped.stop();
      gate.open();
      await stopping;
      const second = new Collected<number>();
      await bus.consume(pageConsumer((number) => second.add(number)));
      await second.reaches(20 - first.items.length);
      expect(ascending([...first.items, ...second.items])).toEqual(oneToTwenty);
    });

    it('lets what is in hand finish when it closes, and what that publishes be durable', async () => {
      const bus = await place.open();
      const begun = new Gate();
      const gate = new Gate();
      const finished: number[] = [];
      await bus.consume(
        pageConsumer(async (number) => {
          begun.open();
          await gate.opened;
          await bus.publish(pageWanted, page(number), { id: 'said at the end' });
          finished.push(number);
        }),
      );
      await publishPage(bus, 1);
      await begun.opened;
      const closing = bus.close();
      gate.open();
      await closing;
      expect(finished).toEqual([1]);
    });

    it('refuses a consumer that does not handle what its queue gets', async () => {
      const bus = await place.open();
      const [slots, days, titles] = seriesHandlers(() => undefined);
      const page = handle(pageWanted, () => Promise.resolve());
      const lacking = bus.consume({ queue: 'series-api', handlers: [slots!, days!] });
      await expect(lacking).rejects.toThrow(/no handler for title\.stored/);
      const beyond = bus.consume({ queue: 'series-api', handlers: [slots!, days!, titles!, page] });
      await expect(beyond).rejects.toThrow(/page\.wanted/);
      await expect(bus.consume(pageConsumer(() => undefined, { prefetch: 0 }))).rejects.toThrow(/prefetch/);
    });
  });
}
