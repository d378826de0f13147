import {
  allMessages,
  eventsObserved,
  pageRequested,
  slotObserved,
  type Message,
  type ServiceName,
} from '@lobbystats/contracts';
import { handle, handleBatch, type MessageBus } from '../../src/bus/index.ts';
import fc from 'fast-check';
import { eventsOf, type BusFixture, type CreateFixture } from './bus-fixture.ts';
import { Recorder, eventually, Gate, nextImmediate } from './recorder.ts';
import {
  numberOf,
  page,
  pageConsumer,
  publishPage,
  publishPages,
  QUEUE,
  rawBody,
  seriesHandlers,
  ignoreBoards,
} from './samples.ts';

const oneToTwenty = Array.from({ length: 20 }, (_, index) => index + 1);
const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

/**
 * Expects live messages before past ones. A queue that only prefers live messages delivers at least two per past message,
 * except for one past message at the start and one at the end.
 */
function expectLiveFirst(pasts: readonly boolean[], liveFirst: 'all' | 'most'): void {
  const early = pasts.slice(0, pasts.lastIndexOf(false) + 1).filter((past) => past).length;
  const live = pasts.filter((past) => !past).length;
  expect(early).toBeLessThanOrEqual(liveFirst === 'all' ? 0 : Math.ceil(live / 2) + 1);
}

async function everyMessageOf(queue: ServiceName, bus: MessageBus): Promise<Recorder<Message>> {
  const seen = new Recorder<Message>();
  const types = allMessages.filter(({ consumers }) => consumers.includes(queue));
  await bus.consume({ queue, handlers: types.map((type) => handle(type, async (message) => seen.add(message))) });
  return seen;
}

export function deliveryContract(createFixture: CreateFixture): void {
  describe('delivery', () => {
    let fixture: BusFixture;
    beforeEach(async () => {
      fixture = await createFixture();
    });
    afterEach(() => fixture.remove());

    it('delivers every message once, including those published before the consumer started', async () => {
      const bus = await fixture.open();
      await publishPages(bus, oneToTwenty.slice(0, 10));
      const seen = new Recorder<number>();
      const consumer = await bus.consume(pageConsumer((number) => seen.add(number)));
      await publishPages(bus, oneToTwenty.slice(10));
      expect(ascending(await seen.waitForCount(20))).toEqual(oneToTwenty);
      await consumer.stop();
      expect(await bus.depth(QUEUE)).toBe(0);
      expect(seen.items).toHaveLength(20);
    });

    it('delivers what a newer publisher has sent without the fields that it has added, at any depth', async () => {
      const seen = await everyMessageOf('series-api', await fixture.open());
      const [title] = slotObserved.example.titles;
      const [match] = title!.matches!;
      const added = { ...title, queue: 4, matches: [{ ...match, ping: { of: [1] } }] };
      const known = { type: slotObserved.key, data: { ...slotObserved.example, titles: [title] } };
      const newer = {
        ...known,
        region: 'north',
        constructor: 'x',
        data: { ...known.data, waiting: 3, titles: [added] },
      };
      await fixture.publishRaw('series-api', rawBody(newer).replace('{', '{"__proto__":{"past":true},'));
      const [message] = await seen.waitForCount(1);
      expect(message).toEqual({ ...(JSON.parse(rawBody({ id: message?.id })) as Message), ...known });
    });

    it('delivers what an older publisher has sent with the default of a field that it does not know', async () => {
      const seen = await everyMessageOf('catalog-api', await fixture.open());
      const { unread: _, ...older } = eventsObserved.example;
      await fixture.publishRaw('catalog-api', rawBody({ type: eventsObserved.key, data: older }));
      expect(await seen.waitForCount(1)).toMatchObject([{ data: { ...older, unread: [] } }]);
    });

    it('delivers each message to exactly one of the competing consumers of a queue', async () => {
      const bus = await fixture.open();
      const all = new Recorder<number>();
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
      expect(ascending(await all.waitForCount(20))).toEqual(oneToTwenty);
      expect(ascending(shares.flat())).toEqual(oneToTwenty);
    });

    it('a consumer has up to prefetch messages in flight, and never more', async () => {
      const bus = await fixture.open();
      const seen = new Recorder<number>();
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
            await nextImmediate();
            inHand -= 1;
            seen.add(number);
          },
          { prefetch: 4 },
        ),
      );
      await publishPages(bus, oneToTwenty);
      await seen.waitForCount(20);
      expect(most).toBe(4);
    });

    it('a batch handler receives waiting messages in batches, one call at a time', async () => {
      const bus = await fixture.open();
      await publishPages(bus, oneToTwenty);
      const calls = new Recorder<number[]>();
      let running = 0;
      const batches = handleBatch(pageRequested, 8, async (messages) => {
        running += 1;
        await nextImmediate();
        calls.add([...messages.map(numberOf), ...(running > 1 ? [Number.NaN] : [])]);
        running -= 1;
      });
      const consumer = await bus.consume({ queue: QUEUE, handlers: [batches, ignoreBoards] });
      await eventually(
        () => calls.items.flat().length,
        (count) => count >= 20,
      );
      await consumer.stop();
      expect(ascending(calls.items.flat())).toEqual(oneToTwenty);
      expect(Math.max(...calls.items.map(({ length }) => length))).toBe(8);
    });

    it('live messages overtake past ones at any batch size', async () => {
      const bus = await fixture.open();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
          fc.integer({ min: 1, max: 12 }),
          fc.integer({ min: 1, max: 50 }),
          async (pasts, batch, prefetch) => {
            for (const [number, past] of pasts.entries()) await publishPage(bus, number, { past });
            const calls = new Recorder<boolean[]>();
            const handler = handleBatch(pageRequested, batch, async (messages) =>
              calls.add(messages.map(({ past }) => past)),
            );
            const consumer = await bus.consume({ queue: QUEUE, handlers: [handler, ignoreBoards], prefetch });
            await eventually(
              () => calls.items.flat().length,
              (count) => count >= pasts.length,
            );
            await consumer.stop();
            expectLiveFirst(calls.items.flat(), fixture.liveFirst);
            expect(Math.max(...calls.items.map(({ length }) => length))).toBeLessThanOrEqual(Math.min(batch, prefetch));
          },
        ),
        { numRuns: 25 },
      );
    });

    it('drops and counts expired messages, and delivers the rest', async () => {
      let now = Date.UTC(2026, 0, 31);
      const { events, hooks } = eventsOf('expired');
      const bus = await fixture.open({ clock: () => now, hooks });
      await publishPage(bus, 1, { expiresAtMs: now + 60_000 });
      await publishPage(bus, 2, { expiresAtMs: now + 120_000 });
      now += 60_000;
      const seen = new Recorder<number>();
      const consumer = await bus.consume(pageConsumer((number) => seen.add(number)));
      expect(await seen.waitForCount(1)).toEqual([2]);
      expect(await events.waitForCount(1)).toEqual([expect.objectContaining({ queue: QUEUE, count: 1 })]);
      await consumer.stop();
      expect(await bus.depth(QUEUE)).toBe(0);
    });

    it('runs a handler in the context of its message', async () => {
      const contexts = new Recorder<unknown>();
      const bus = await fixture.open({
        hooks: {
          run: ({ id, type }, work) => {
            contexts.add({ id, type });
            return work();
          },
        },
      });
      await bus.consume(pageConsumer(() => undefined));
      await publishPage(bus, 1, { id: 'one' });
      expect(await contexts.waitForCount(1)).toEqual([{ id: 'one', type: 'page.requested' }]);
    });

    it('delivers messages that a stopped consumer had not started to the next consumer', async () => {
      const bus = await fixture.open();
      const first = new Recorder<number>();
      const gate = new Gate();
      const batches = handleBatch(pageRequested, 2, async (messages) => {
        for (const message of messages) first.add(numberOf(message));
        await gate.opened;
      });
      const stopped = await bus.consume({ queue: QUEUE, handlers: [batches, ignoreBoards], prefetch: 10 });
      await publishPages(bus, oneToTwenty);
      await first.waitForCount(1);
      const stopping = stopped.stop();
      gate.open();
      await stopping;
      const second = new Recorder<number>();
      await bus.consume(pageConsumer((number) => second.add(number)));
      await second.waitForCount(20 - first.items.length);
      expect(ascending([...first.items, ...second.items])).toEqual(oneToTwenty);
    });

    it('close waits for running handlers, which can still publish', async () => {
      const bus = await fixture.open();
      const begun = new Gate();
      const gate = new Gate();
      const finished: number[] = [];
      await bus.consume(
        pageConsumer(async (number) => {
          begun.open();
          await gate.opened;
          await bus.publish(pageRequested, page(number), { id: 'published during close' });
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

    it('consume rejects handlers that do not match the queue, and a prefetch of 0', async () => {
      const bus = await fixture.open();
      const handlers = seriesHandlers(() => undefined);
      const page = handle(pageRequested, () => Promise.resolve());
      const lacking = bus.consume({ queue: 'series-api', handlers: handlers.slice(0, -1) });
      await expect(lacking).rejects.toThrow(/no handler for title\.stored/);
      const beyond = bus.consume({ queue: 'series-api', handlers: [...handlers, page] });
      await expect(beyond).rejects.toThrow(/page\.requested/);
      await expect(bus.consume(pageConsumer(() => undefined, { prefetch: 0 }))).rejects.toThrow(/prefetch/);
    });
  });
}
