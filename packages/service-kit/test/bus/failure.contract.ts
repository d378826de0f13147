import { pageRequested } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { handleBatch, MAX_BODY_BYTES, PostponedError } from '../../src/bus/index.ts';
import { eventsOf, type BusFixture, type CreateFixture } from './bus-fixture.ts';
import { Recorder, eventually } from './recorder.ts';
import { ignoreBoards, numberOf, page, pageConsumer, publishPage, publishPages, QUEUE, rawBody } from './samples.ts';

const hugeBody = (): string => rawBody({ data: { ...page(1), more: 'x'.repeat(10_000_000) } });

export function failureContract(createFixture: CreateFixture): void {
  describe('failure', () => {
    let fixture: BusFixture;
    beforeEach(async () => {
      fixture = await createFixture();
    });
    afterEach(() => fixture.remove());

    it('redelivers a failed message after each backoff until its handler resolves', async () => {
      const { events, hooks } = eventsOf('retried');
      const bus = await fixture.open({ hooks });
      const attempts: number[] = [];
      const seen = new Recorder<number>();
      const consumer = await bus.consume(
        pageConsumer(
          (number) => {
            seen.add(number);
            if (seen.items.length < 4) throw new Error('not yet');
          },
          {
            backoffMs: (attempt) => {
              attempts.push(attempt);
              return 5 * attempt;
            },
          },
        ),
      );
      await publishPage(bus, 1);
      await seen.waitForCount(4);
      await consumer.stop();
      expect(attempts).toEqual([1, 2, 3]);
      expect(events.items).toHaveLength(3);
      expect(events.items[0]).toMatchObject({ queue: QUEUE, type: 'page.requested', reason: 'not yet' });
      expect(await bus.depth(QUEUE)).toBe(0);
    });

    it('redelivers a postponed message, which is no failure', async () => {
      const { events, hooks } = eventsOf('retried', 'postponed');
      const bus = await fixture.open({ hooks });
      const seen = new Recorder<number>();
      const consumer = await bus.consume(
        pageConsumer(
          (number) => {
            seen.add(number);
            if (seen.items.length < 3) throw new PostponedError('later');
          },
          { backoffMs: () => 5 },
        ),
      );
      await publishPage(bus, 1);
      await seen.waitForCount(3);
      await consumer.stop();
      const details = { queue: QUEUE, type: 'page.requested', count: 1, reason: 'later' };
      expect(events.items).toEqual([
        { name: 'postponed', ...details },
        { name: 'postponed', ...details },
      ]);
    });

    it('waits at least the backoff before a redelivery', async () => {
      const bus = await fixture.open();
      const times = new Recorder<number>();
      await bus.consume(
        pageConsumer(
          () => {
            times.add(performance.now());
            if (times.items.length < 2) throw new Error('not yet');
          },
          { backoffMs: () => 80 },
        ),
      );
      await publishPage(bus, 1);
      const [first, second] = await times.waitForCount(2);
      // Timers count whole milliseconds.
      expect(second! - first!).toBeGreaterThanOrEqual(79);
    });

    it('a message becomes a dead letter with its reason after its last attempt fails', async () => {
      const { events, hooks } = eventsOf('dead');
      const bus = await fixture.open({ hooks });
      const seen = new Recorder<number>();
      const fail = () => Promise.reject(new Error('no such luck', { cause: new Error('rain') }));
      await bus.consume(
        pageConsumer(
          (number) => {
            seen.add(number);
            return fail();
          },
          { attempts: 3 },
        ),
      );
      await publishPage(bus, 1);
      await events.waitForCount(1);
      const office = await fixture.deadLetters();
      const [letter] = await eventually(
        () => office.list(),
        ({ length }) => length > 0,
      );
      expect(letter).toMatchObject({ queue: QUEUE, attempts: 3, reason: 'failed 3 times: no such luck (rain)' });
      expect(seen.items).toEqual([1, 1, 1]);
      expect(await bus.depth(QUEUE)).toBe(0);
      await office.close();
    });

    it('a message that its handler rejects as invalid becomes a dead letter at once', async () => {
      const { events, hooks } = eventsOf('dead');
      const bus = await fixture.open({ hooks });
      const seen = new Recorder<number>();
      await bus.consume(
        pageConsumer((number) => {
          seen.add(number);
          throw new AppError('invalid', 'such a page cannot be');
        }),
      );
      await publishPage(bus, 1);
      expect(await events.waitForCount(1)).toMatchObject([{ type: 'page.requested', reason: 'such a page cannot be' }]);
      expect(seen.items).toEqual([1]);
    });

    it.each<[string, () => string, RegExp]>([
      ['no JSON', () => '{"id":', /not JSON/],
      ['an empty text', () => '', /not JSON/],
      ['JSON of another shape', () => '[1]', /envelope/],
      ['a wrong traceparent', () => rawBody({ traceparent: 'x' }), /envelope\.traceparent/],
      ['an unknown type', () => rawBody({ type: 'page.\u001b[31munwanted' }), /unknown type page\. \[31munwanted/],
      ['a type named like a property of all objects', () => rawBody({ type: 'constructor' }), /unknown type/],
      ['another version', () => rawBody({ version: 2 }), /version 2 of page\.requested/],
      ['another network', () => rawBody({ origin: 'elsewhere' }), /network elsewhere/],
      [
        'data that violates the schema',
        () => rawBody({ data: { ...page(1), titleId: 'x', added: 1 } }),
        /data\.titleId/,
      ],
      [
        'another queue’s message',
        () => rawBody({ type: 'slot.stored', data: { slot: '2026-01-31T18:05:00Z', online: 1, lobbies: 1 } }),
        /no handler/,
      ],
      ['ten million characters', hugeBody, new RegExp(`larger than ${MAX_BODY_BYTES}`)],
      ['deeply nested JSON', () => '['.repeat(100_000), /not JSON/],
    ])(
      'a body with %s becomes a dead letter at once, and the next message is handled',
      async (_what, createBody, reason) => {
        const { events, hooks } = eventsOf('dead');
        const bus = await fixture.open({ hooks });
        const body = createBody();
        await fixture.publishRaw(QUEUE, body);
        await publishPage(bus, 2);
        const seen = new Recorder<number>();
        const consumer = await bus.consume(pageConsumer((number) => seen.add(number)));
        await events.waitForCount(1);
        expect(await seen.waitForCount(1)).toEqual([2]);
        await consumer.stop();
        const office = await fixture.deadLetters();
        const [letter] = await eventually(
          () => office.list(),
          ({ length }) => length > 0,
        );
        expect(letter?.reason).toMatch(reason);
        expect(letter?.body === body).toBe(true);
        await office.close();
      },
    );

    it('handles the other messages of a batch when one of them fails', async () => {
      const { events, hooks } = eventsOf('dead');
      const bus = await fixture.open({ hooks });
      await publishPages(bus, [1, 2, 3, 4, 5]);
      const handled: number[] = [];
      const sizesWithBad: number[] = [];
      const handler = handleBatch(pageRequested, 10, async (messages) => {
        if (messages.some((message) => numberOf(message) === 3)) {
          sizesWithBad.push(messages.length);
          throw new Error('not three');
        }
        handled.push(...messages.map(numberOf));
      });
      const consumer = await bus.consume({
        queue: QUEUE,
        handlers: [handler, ignoreBoards],
        attempts: 2,
        backoffMs: () => 0,
      });
      await events.waitForCount(1);
      await consumer.stop();
      expect(handled.toSorted()).toEqual([1, 2, 4, 5]);
      // In the batch, then alone, then in its second attempt.
      expect(sizesWithBad.length).toBeLessThanOrEqual(3);
      expect(sizesWithBad.slice(-2)).toEqual([1, 1]);
    });

    it('retries a batch after a backoff, without dead letters, while its handler reports unavailable', async () => {
      const { events, hooks } = eventsOf('retried');
      const bus = await fixture.open({ hooks });
      await publishPages(bus, [1, 2, 3, 4, 5]);
      const handled = new Recorder<number>();
      const failed: number[] = [];
      let calls = 0;
      let backoffs = 0;
      const handler = handleBatch(pageRequested, 10, async (messages) => {
        const numbers = messages.map(numberOf);
        calls += 1;
        if (calls < 3) {
          failed.push(...numbers);
          throw new AppError('unavailable', 'The store is not available');
        }
        for (const number of numbers) handled.add(number);
      });
      const backoffMs = (): number => {
        backoffs += 1;
        return 0;
      };
      const consumer = await bus.consume({ queue: QUEUE, handlers: [handler, ignoreBoards], backoffMs, attempts: 1 });
      expect((await handled.waitForCount(5)).toSorted()).toEqual([1, 2, 3, 4, 5]);
      await consumer.stop();
      // Each message of a failed call waited for its backoff before its redelivery.
      expect(backoffs).toBe(failed.length);
      expect(events.items[0]).toMatchObject({ type: 'page.requested', reason: 'The store is not available' });
      expect(await bus.depth(QUEUE)).toBe(0);
    });

    it('delivers other messages while one handler call throws and another rejects', async () => {
      const bus = await fixture.open();
      const seen = new Recorder<number>();
      const work = (number: number): unknown => {
        if (number === 1) throw new Error('thrown');
        if (number === 2) return Promise.reject(new Error('rejected'));
        seen.add(number);
        return undefined;
      };
      await bus.consume(pageConsumer(work, { prefetch: 2, attempts: Number.POSITIVE_INFINITY }));
      await publishPages(bus, [1, 2, 3, 4, 5, 6]);
      expect(await seen.waitForCount(4)).toEqual([3, 4, 5, 6]);
      // A message may briefly count both as in flight and as waiting.
      await eventually(
        () => bus.depth(QUEUE),
        (depth) => depth === 2,
      );
    });
  });
}
