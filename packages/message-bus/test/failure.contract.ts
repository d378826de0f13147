import { pageWanted } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { handleBatch, MAX_BODY_BYTES } from '@lobbystats/message-bus';
import { eventsOf, type BusPlace, type CreatePlace } from './bus-place.ts';
import { Collected, eventually } from './collected.ts';
import { noBoards, numberOf, page, pageConsumer, publishPage, publishPages, QUEUE, rawBody } from './samples.ts';

const hugeBody = (): string => rawBody({ data: { ...page(1), more: 'x'.repeat(10_000_000) } });

export function failureContract(createPlace: CreatePlace): void {
  describe('failure', () => {
    let place: BusPlace;
    beforeEach(async () => {
      place = await createPlace();
    });
    afterEach(() => place.remove());

    it('hands a message over again after its backoff, until a handler resolves', async () => {
      const { events, hooks } = eventsOf('retried');
      const bus = await place.open({ hooks });
      const attempts: number[] = [];
      const seen = new Collected<number>();
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
      await seen.reaches(4);
      await consumer.stop();
      expect(attempts).toEqual([1, 2, 3]);
      expect(events.items).toHaveLength(3);
      expect(events.items[0]).toMatchObject({ queue: QUEUE, type: 'page.wanted', reason: 'not yet' });
      expect(await bus.depth(QUEUE)).toBe(0);
    });

    it('waits at least as long as the backoff says', async () => {
      const bus = await place.open();
      const times = new Collected<number>();
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
      const [first, second] = await times.reaches(2);
      // Timers count whole milliseconds.
      expect(second! - first!).toBeGreaterThanOrEqual(79);
    });

    it('makes a dead letter of what has failed as often as it may, and says why', async () => {
      const { events, hooks } = eventsOf('dead');
      const bus = await place.open({ hooks });
      const seen = new Collected<number>();
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
      await events.reaches(1);
      const office = await place.deadLetters();
      const [letter] = await eventually(
        () => office.list(),
        ({ length }) => length > 0,
      );
      expect(letter).toMatchObject({ queue: QUEUE, attempts: 3, reason: 'failed 3 times: no such luck (rain)' });
      expect(seen.items).toEqual([1, 1, 1]);
      expect(await bus.depth(QUEUE)).toBe(0);
      await office.close();
    });

    it('makes a dead letter at once of what its handler calls invalid', async () => {
      const { events, hooks } = eventsOf('dead');
      const bus = await place.open({ hooks });
      const seen = new Collected<number>();
      await bus.consume(
        pageConsumer((number) => {
          seen.add(number);
          throw new AppError('invalid', 'such a page cannot be');
        }),
      );
      await publishPage(bus, 1);
      expect(await events.reaches(1)).toMatchObject([{ type: 'page.wanted', reason: 'such a page cannot be' }]);
      expect(seen.items).toEqual([1]);
    });

    it.each<[string, () => string, RegExp]>([
      ['no JSON', () => '{"id":', /not JSON/],
      ['nothing', () => '', /not JSON/],
      ['JSON of another shape', () => '[1]', /envelope/],
      ['an envelope with more in it', () => rawBody({ constructor: 'x' }), /envelope/],
      ['a prototype', () => rawBody().replace('{', '{"__proto__":{"past":true},'), /envelope/],
      ['a wrong traceparent', () => rawBody({ traceparent: 'x' }), /envelope\.traceparent/],
      ['an unknown type', () => rawBody({ type: 'page.\u001b[31munwanted' }), /unknown type page\. \[31munwanted/],
      ['a type named like a property of all objects', () => rawBody({ type: 'constructor' }), /unknown type/],
      ['another version', () => rawBody({ version: 2 }), /version 2 of page\.wanted/],
      ['another network', () => rawBody({ origin: 'elsewhere' }), /network elsewhere/],
      ['data off the schema', () => rawBody({ data: { ...page(1), titleId: 'x' } }), /data\.titleId/],
      [
        'another queue’s message',
        () => rawBody({ type: 'slot.stored', data: { slot: '2026-01-31T18:05:00Z', online: 1, lobbies: 1 } }),
        /no handler/,
      ],
      ['ten million characters', hugeBody, new RegExp(`larger than ${MAX_BODY_BYTES}`)],
      ['depth', () => '['.repeat(100_000), /not JSON/],
    ])('makes a dead letter at once of a body with %s, and goes on', async (_what, createBody, reason) => {
      const { events, hooks } = eventsOf('dead');
      const bus = await place.open({ hooks });
      const body = createBody();
      await place.publishRaw(QUEUE, body);
      await publishPage(bus, 2);
      const seen = new Collected<number>();
      const consumer = await bus.consume(pageConsumer((number) => seen.add(number)));
      await events.reaches(1);
      expect(await seen.reaches(1)).toEqual([2]);
      await consumer.stop();
      const office = await place.deadLetters();
      const [letter] = await eventually(
        () => office.list(),
        ({ length }) => length > 0,
      );
      expect(letter?.reason).toMatch(reason);
      expect(letter?.body === body).toBe(true);
      await office.close();
    });

    it('handles the rest of a batch when one in it is bad', async () => {
      const { events, hooks } = eventsOf('dead');
      const bus = await place.open({ hooks });
      await publishPages(bus, [1, 2, 3, 4, 5]);
      const handled: number[] = [];
      const sizesWithBad: number[] = [];
      const handler = handleBatch(pageWanted, 10, async (messages) => {
        if (messages.some((message) => numberOf(message) === 3)) {
          sizesWithBad.push(messages.length);
          throw new Error('not three');
        }
        handled.push(...messages.map(numberOf));
      });
      const consumer = await bus.consume({
        queue: QUEUE,
        handlers: [handler, noBoards],
        attempts: 2,
        backoffMs: () => 0,
      });
      await events.reaches(1);
      await consumer.stop();
      expect(handled.toSorted()).toEqual([1, 2, 4, 5]);
      // With the others that were there, alone, and once more.
      expect(sizesWithBad.length).toBeLessThanOrEqual(3);
      expect(sizesWithBad.slice(-2)).toEqual([1, 1]);
    });

    it('gives a batch no second try at once, and lets nothing die, when what its handler needs is away', async () => {
      const { events, hooks } = eventsOf('retried');
      const bus = await place.open({ hooks });
      await publishPages(bus, [1, 2, 3, 4, 5]);
      const handled = new Collected<number>();
      const failed: number[] = [];
      let calls = 0;
      let backoffs = 0;
      const handler = handleBatch(pageWanted, 10, async (messages) => {
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
      const consumer = await bus.consume({ queue: QUEUE, handlers: [handler, noBoards], backoffMs, attempts: 1 });
      expect((await handled.reaches(5)).toSorted()).toEqual([1, 2, 3, 4, 5]);
      await consumer.stop();
      // Each that was in a failing call has waited before it came again.
      expect(backoffs).toBe(failed.length);
      expect(events.items[0]).toMatchObject({ type: 'page.wanted', reason: 'The store is not available' });
      expect(await bus.depth(QUEUE)).toBe(0);
    });

    it('goes on with others while a handler throws and another rejects', async () => {
      const bus = await place.open();
      const seen = new Collected<number>();
      const work = (number: number): unknown => {
        if (number === 1) throw new Error('thrown');
        if (number === 2) return Promise.reject(new Error('rejected'));
        seen.add(number);
        return undefined;
      };
      await bus.consume(pageConsumer(work, { prefetch: 2, attempts: Number.POSITIVE_INFINITY }));
      await publishPages(bus, [1, 2, 3, 4, 5, 6]);
      expect(await seen.reaches(4)).toEqual([3, 4, 5, 6]);
      // For a moment a message may be in hand and wait for its next attempt, too.
      await eventually(
        () => bus.depth(QUEUE),
        (depth) => depth === 2,
      );
    });
  });
}
