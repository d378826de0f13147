import {
  allMessages,
  boardConfirmed,
  boardObserved,
  boardRequested,
  pageRequested,
  type Message,
} from '@lobbystats/contracts';

import { AppError } from '@lobbystats/contracts/errors';
import { handle, handleBatch, type Consumer } from '../../src/bus/index.ts';
import { eventsOf, type BusFixture, type CreateFixture } from './bus-fixture.ts';
import { nextImmediate, Recorder } from './recorder.ts';
import { boardNumberOf, publishBoard, QUEUE } from './samples.ts';

export function orderedDeliveryContract(createFixture: CreateFixture): void {
  describe('ordered delivery', () => {
    let fixture: BusFixture;
    beforeEach(async () => {
      fixture = await createFixture();
    });
    afterEach(() => fixture.remove());

    it('ordered messages keep their order when their handler is unavailable and recovers', async () => {
      const { events, hooks } = eventsOf('retried');
      const bus = await fixture.open({ hooks });
      const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
      for (const number of numbers) await publishBoard(bus, number, { past: number < 10 });
      const handled = new Recorder<number>();
      let away = 3;
      const boards = handleBatch(boardRequested, 4, async (messages) => {
        if (away > 0) {
          away -= 1;
          throw new AppError('unavailable', 'The store is not available');
        }
        for (const message of messages) handled.add(boardNumberOf(message));
      });
      const pages = handle(pageRequested, () => Promise.resolve());
      await bus.consume({ queue: QUEUE, handlers: [pages, boards], backoffMs: () => 1, attempts: 1 });
      expect(await handled.waitForCount(20)).toEqual(numbers);
      expect(events.items).toHaveLength(3);
    });

    it('ordered messages of several types are handled in the order in which they were published', async () => {
      const bus = await fixture.open();
      const board = { titleId: '4d530064', pass: '2026-01-31T18:00:00Z', seenAt: '2026-01-31T18:21:40Z' };
      for (const leaderboardId of [1, 2, 3]) {
        await bus.publish(boardObserved, { ...board, leaderboardId, name: '', board: null }, { past: true });
        await bus.publish(boardConfirmed, { ...board, leaderboardId });
      }
      const handled = new Recorder<string>();
      let isAway = true;
      const record = (messages: readonly Message[]) => {
        for (const message of messages) handled.add(`${message.type} ${boardNumberOf(message)}`);
      };
      const observed = handleBatch(boardObserved, 2, async (messages) => {
        await nextImmediate();
        const wasAway = isAway;
        isAway = false;
        if (wasAway) throw new AppError('unavailable', 'The store is not available');
        record(messages);
      });
      const confirmed = handleBatch(boardConfirmed, 10, async (messages) => record(messages));
      const others = allMessages
        .filter(({ consumers, key }) => consumers.includes('catalog-api') && !key.startsWith('board.'))
        .map((type) => handle(type, () => Promise.resolve()));
      await bus.consume({ queue: 'catalog-api', handlers: [observed, confirmed, ...others], backoffMs: () => 1 });
      expect(await handled.waitForCount(6)).toEqual(
        [1, 2, 3].flatMap((number) => [`board.observed ${number}`, `board.confirmed ${number}`]),
      );
    });

    it('a consumer stopped during an outage returns its ordered messages to the next consumer', async () => {
      const { events, hooks } = eventsOf('retried');
      const bus = await fixture.open({ hooks });
      for (const number of [1, 2, 3]) await publishBoard(bus, number);
      const handled = new Recorder<number>();
      const consumer = (isAway: boolean): Consumer => ({
        queue: QUEUE,
        handlers: [
          handle(pageRequested, () => Promise.resolve()),
          handleBatch(boardRequested, 4, async (messages) => {
            if (isAway) throw new AppError('unavailable', 'The store is not available');
            for (const message of messages) handled.add(boardNumberOf(message));
          }),
        ],
        backoffMs: () => 600_000,
      });
      const stopped = await bus.consume(consumer(true));
      await events.waitForCount(1);
      await stopped.stop();
      await bus.consume(consumer(false));
      expect(await handled.waitForCount(3)).toEqual([1, 2, 3]);
    });
  });
}
