import { boardWanted, pageWanted } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { handle, handleBatch, type Consumer } from '@lobbystats/message-bus';
import { eventsOf, type BusPlace, type CreatePlace } from './bus-place.ts';
import { Collected } from './collected.ts';
import { boardNumberOf, publishBoard, QUEUE } from './samples.ts';

export function inTurnContract(createPlace: CreatePlace): void {
  describe('what stays in turn', () => {
    let place: BusPlace;
    beforeEach(async () => {
      place = await createPlace();
    });
    afterEach(() => place.remove());

    it('keeps its order when what its handler needs is away and comes back', async () => {
      const { events, hooks } = eventsOf('retried');
      const bus = await place.open({ hooks });
      const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
      for (const number of numbers) await publishBoard(bus, number, { past: number < 10 });
      const handled = new Collected<number>();
      let away = 3;
      const boards = handleBatch(boardWanted, 4, async (messages) => {
        if (away > 0) {
          away -= 1;
          throw new AppError('unavailable', 'The store is not available');
        }
        for (const message of messages) handled.add(boardNumberOf(message));
      });
      const pages = handle(pageWanted, () => Promise.resolve());
      await bus.consume({ queue: QUEUE, handlers: [pages, boards], backoffMs: () => 1, attempts: 1 });
      expect(await handled.reaches(20)).toEqual(numbers);
      expect(events.items).toHaveLength(3);
    });

    it('is given back by who is stopped while what the handler needs is away', async () => {
      const { events, hooks } = eventsOf('retried');
      const bus = await place.open({ hooks });
      for (const number of [1, 2, 3]) await publishBoard(bus, number);
      const handled = new Collected<number>();
      const consumer = (isAway: boolean): Consumer => ({
        queue: QUEUE,
        handlers: [
          handle(pageWanted, () => Promise.resolve()),
          handleBatch(boardWanted, 4, async (messages) => {
            if (isAway) throw new AppError('unavailable', 'The store is not available');
            for (const message of messages) handled.add(boardNumberOf(message));
          }),
        ],
        backoffMs: () => 600_000,
      });
      const stopped = await bus.consume(consumer(true));
      await events.reaches(1);
      await stopped.stop();
      await bus.consume(consumer(false));
      expect(await handled.reaches(3)).toEqual([1, 2, 3]);
    });
  });
}
