import { titleStored } from '@lobbystats/contracts';
import type { LogEntry, LogPosition, LogReader, MessageBus, Running } from '@lobbystats/message-bus';
import { eventsOf, type BusPlace, type CreatePlace } from './bus-place.ts';
import { Collected, Gate, nextTurn } from './collected.ts';
import { factNumberOf, publishFact, publishPage, seriesHandlers } from './samples.ts';

interface Reading {
  entries: Collected<LogEntry>;
  resets: Collected<number>;
  faults: Collected<unknown>;
  running: Running;
}

async function read(bus: MessageBus, from: LogPosition, changes: Partial<LogReader> = {}): Promise<Reading> {
  const entries = new Collected<LogEntry>();
  const resets = new Collected<number>();
  const faults = new Collected<unknown>();
  const running = await bus.readLog({
    from,
    onEntry: (entry) => entries.add(entry),
    onReset: () => resets.add(entries.items.length),
    onFault: (error) => faults.add(error),
    ...changes,
  });
  return { entries, resets, faults, running };
}

const numbersOf = (entries: readonly LogEntry[]): number[] => entries.map(({ message }) => factNumberOf(message));

export function logContract(createPlace: CreatePlace): void {
  describe('the log of facts', () => {
    let place: BusPlace;
    let bus: MessageBus;
    beforeEach(async () => {
      place = await createPlace();
      bus = await place.open();
    });
    afterEach(() => place.remove());

    it('is read from its start, in order, and goes on with what comes', async () => {
      for (const number of [1, 2, 3]) await publishFact(bus, number);
      await publishPage(bus, 9);
      const { entries, resets } = await read(bus, 'start');
      await entries.reaches(3);
      for (const number of [4, 5]) await publishFact(bus, number);
      expect(numbersOf(await entries.reaches(5))).toEqual([1, 2, 3, 4, 5]);
      expect(new Set(entries.items.map(({ position }) => position)).size).toBe(5);
      expect(resets.items).toEqual([]);
    });

    it('is read from its end', async () => {
      await publishFact(bus, 1);
      const { entries } = await read(bus, 'end');
      await publishFact(bus, 2);
      expect(numbersOf(await entries.reaches(1))).toEqual([2]);
    });

    it('is read on from any position, also by several readers', async () => {
      const all = Array.from({ length: 100 }, (_, index) => index);
      await Promise.all(all.map((number) => publishFact(bus, number)));
      const { entries, running } = await read(bus, 'start');
      await entries.reaches(100);
      await running.stop();
      const readings = await Promise.all(entries.items.map(({ position }) => read(bus, position)));
      await publishFact(bus, 100);
      for (const [index, reading] of readings.entries()) {
        expect(numbersOf(await reading.entries.reaches(100 - index))).toEqual([...all.slice(index + 1), 100]);
        expect(reading.resets.items).toEqual([]);
      }
    });

    it('knows its end', async () => {
      const empty = await bus.logEnd();
      await publishFact(bus, 1);
      const one = await bus.logEnd();
      await publishFact(bus, 2);
      const fromEmpty = await read(bus, empty);
      expect(numbersOf(await fromEmpty.entries.reaches(2))).toEqual([1, 2]);
      expect(fromEmpty.entries.items[0]!.position).toBe(one);
      const fromOne = await read(bus, one);
      expect(numbersOf(await fromOne.entries.reaches(1))).toEqual([2]);
    });

    it.each([0, 40])('calls onCaughtUp behind %i facts', async (count) => {
      for (let number = 1; number <= count; number += 1) await publishFact(bus, number);
      const seen = new Collected<number>();
      await read(bus, 'start', {
        onEntry: ({ message }) => seen.add(factNumberOf(message)),
        onCaughtUp: () => seen.add(0),
      });
      await seen.reaches(count + 1);
      await publishFact(bus, count + 1);
      const upTo = Array.from({ length: count }, (_, index) => index + 1);
      expect((await seen.reaches(count + 2)).slice(0, count + 2)).toEqual([...upTo, 0, count + 1]);
    });

    it('lets other work go on while much of it is read', async () => {
      const count = 5000;
      await Promise.all(Array.from({ length: count }, (_, number) => publishFact(bus, number)));
      const { entries } = await read(bus, 'start');
      const readBeforeTimer = await new Promise<number>((resolve) => {
        setTimeout(() => resolve(entries.items.length), 1);
      });
      expect(readBeforeTimer).toBeLessThan(count);
      await entries.reaches(count);
    });

    it('also brings facts to the queues that want them', async () => {
      const stored = new Collected<string>();
      await bus.consume({ queue: 'series-api', handlers: seriesHandlers(({ id }) => stored.add(id)) });
      const { entries } = await read(bus, 'end');
      await bus.publish(titleStored, { revision: 1, titles: [] }, { id: 'both' });
      expect(await stored.reaches(1)).toEqual(['both']);
      expect((await entries.reaches(1))[0]!.message.id).toBe('both');
    });

    it.each([
      ['that is nonsense', () => 'nonsense'],
      ['that is empty', () => ''],
      ['of another log', () => '0123456789abcdef-1'],
      ['that is no number', (end: string) => `${end}x`],
      ['ahead of the log', (end: string) => `${end}0`],
    ])('says that facts may be missing, and begins anew, at a position %s', async (_what, positionOf) => {
      await publishFact(bus, 1);
      await publishFact(bus, 2);
      const { entries, resets } = await read(bus, positionOf(await bus.logEnd()));
      expect(numbersOf(await entries.reaches(2))).toEqual([1, 2]);
      expect(resets.items).toEqual([0]);
    });

    it('waits for a reader before it goes on, and stops when told', async () => {
      await publishFact(bus, 1);
      await publishFact(bus, 2);
      const gate = new Gate();
      const begun = new Collected<number>();
      const { running } = await read(bus, 'start', {
        onEntry: ({ message }) => {
          begun.add(factNumberOf(message));
          return gate.opened;
        },
      });
      await begun.reaches(1);
      const stopping = running.stop();
      gate.open();
      await stopping;
      await publishFact(bus, 3);
      await nextTurn();
      expect(begun.items).toEqual([1]);
    });

    it('stops a reader that rejects, once, and no other', async () => {
      const fault = new Error('full');
      const bad = await read(bus, 'start', { onEntry: () => Promise.reject(fault) });
      const good = await read(bus, 'start');
      for (const number of [1, 2, 3]) await publishFact(bus, number);
      await good.entries.reaches(3);
      await bad.faults.reaches(1);
      await bad.running.stop();
      expect(bad.faults.items).toEqual([fault]);
      expect(good.faults.items).toEqual([]);
    });

    it('counts what was published', async () => {
      await bus.close();
      const { events, hooks } = eventsOf('published');
      bus = await place.open({ hooks });
      await publishFact(bus, 1);
      expect(events.items).toEqual([{ name: 'published', type: 'slot.stored', count: 1 }]);
    });
  });
}
