import { titleStored } from '@lobbystats/contracts';
import type { LogEntry, LogPosition, LogReader, MessageBus, Subscription } from '../../src/bus/index.ts';
import { eventsOf, type BusFixture, type CreateFixture } from './bus-fixture.ts';
import { Recorder, Gate, nextImmediate } from './recorder.ts';
import { factNumberOf, publishFact, publishPage, seriesHandlers } from './samples.ts';

interface ReaderProbe {
  entries: Recorder<LogEntry>;
  resets: Recorder<number>;
  faults: Recorder<unknown>;
  running: Subscription;
}

async function startReader(bus: MessageBus, from: LogPosition, changes: Partial<LogReader> = {}): Promise<ReaderProbe> {
  const entries = new Recorder<LogEntry>();
  const resets = new Recorder<number>();
  const faults = new Recorder<unknown>();
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

export function logContract(createFixture: CreateFixture): void {
  describe('the fact log', () => {
    let fixture: BusFixture;
    let bus: MessageBus;
    beforeEach(async () => {
      fixture = await createFixture();
      bus = await fixture.open();
    });
    afterEach(() => fixture.remove());

    it('is read from its start in order, followed by new facts', async () => {
      for (const number of [1, 2, 3]) await publishFact(bus, number);
      await publishPage(bus, 9);
      const { entries, resets } = await startReader(bus, 'start');
      await entries.waitForCount(3);
      for (const number of [4, 5]) await publishFact(bus, number);
      expect(numbersOf(await entries.waitForCount(5))).toEqual([1, 2, 3, 4, 5]);
      expect(new Set(entries.items.map(({ position }) => position)).size).toBe(5);
      expect(resets.items).toEqual([]);
    });

    it('leaves out facts about the past for a reader of live ones', async () => {
      for (const number of [1, 2, 3, 4]) await publishFact(bus, number, { past: number % 2 === 0 });
      const caughtUp = new Recorder<number>();
      const { entries } = await startReader(bus, 'start', {
        isLiveOnly: true,
        onCaughtUp: () => {
          caughtUp.add(caughtUp.items.length);
        },
      });
      await caughtUp.waitForCount(1);
      expect(numbersOf(entries.items)).toEqual([1, 3]);
    });

    it('delivers only new facts to a reader that starts at its end', async () => {
      await publishFact(bus, 1);
      const { entries } = await startReader(bus, 'end');
      await publishFact(bus, 2);
      expect(numbersOf(await entries.waitForCount(1))).toEqual([2]);
    });

    it('is read from any position by several readers at once', async () => {
      const all = Array.from({ length: 100 }, (_, index) => index);
      await Promise.all(all.map((number) => publishFact(bus, number)));
      const { entries, running } = await startReader(bus, 'start');
      await entries.waitForCount(100);
      await running.stop();
      const readings = await Promise.all(entries.items.map(({ position }) => startReader(bus, position)));
      await publishFact(bus, 100);
      for (const [index, reading] of readings.entries()) {
        expect(numbersOf(await reading.entries.waitForCount(100 - index))).toEqual([...all.slice(index + 1), 100]);
        expect(reading.resets.items).toEqual([]);
      }
    });

    it('returns an end position from which a reader receives only later facts', async () => {
      const empty = await bus.logEnd();
      await publishFact(bus, 1);
      const one = await bus.logEnd();
      await publishFact(bus, 2);
      const fromEmpty = await startReader(bus, empty);
      expect(numbersOf(await fromEmpty.entries.waitForCount(2))).toEqual([1, 2]);
      expect(fromEmpty.entries.items[0]!.position).toBe(one);
      const fromOne = await startReader(bus, one);
      expect(numbersOf(await fromOne.entries.waitForCount(1))).toEqual([2]);
    });

    it.each([0, 40])('calls onCaughtUp after %i existing facts', async (count) => {
      for (let number = 1; number <= count; number += 1) await publishFact(bus, number);
      const seen = new Recorder<number>();
      await startReader(bus, 'start', {
        onEntry: ({ message }) => seen.add(factNumberOf(message)),
        onCaughtUp: () => seen.add(0),
      });
      await seen.waitForCount(count + 1);
      await publishFact(bus, count + 1);
      const upTo = Array.from({ length: count }, (_, index) => index + 1);
      expect((await seen.waitForCount(count + 2)).slice(0, count + 2)).toEqual([...upTo, 0, count + 1]);
    });

    it('does not block timers while a long log is read', async () => {
      const count = 5000;
      await Promise.all(Array.from({ length: count }, (_, number) => publishFact(bus, number)));
      const { entries } = await startReader(bus, 'start');
      const readBeforeTimer = await new Promise<number>((resolve) => {
        setTimeout(() => resolve(entries.items.length), 1);
      });
      expect(readBeforeTimer).toBeLessThan(count);
      await entries.waitForCount(count);
    });

    it('contains facts that are also delivered to the queues of their consumers', async () => {
      const stored = new Recorder<string>();
      await bus.consume({ queue: 'series-api', handlers: seriesHandlers(({ id }) => stored.add(id)) });
      const { entries } = await startReader(bus, 'end');
      await bus.publish(titleStored, { revision: 1, titles: [] }, { id: 'both' });
      expect(await stored.waitForCount(1)).toEqual(['both']);
      expect((await entries.waitForCount(1))[0]!.message.id).toBe('both');
    });

    it.each([
      ['that is nonsense', () => 'nonsense'],
      ['that is empty', () => ''],
      ['of another log', () => '0123456789abcdef-1'],
      ['that is no number', (end: string) => `${end}x`],
      ['ahead of the log', (end: string) => `${end}0`],
    ])('calls onReset and starts at the oldest fact for a position %s', async (_what, positionOf) => {
      await publishFact(bus, 1);
      await publishFact(bus, 2);
      const { entries, resets } = await startReader(bus, positionOf(await bus.logEnd()));
      expect(numbersOf(await entries.waitForCount(2))).toEqual([1, 2]);
      expect(resets.items).toEqual([0]);
    });

    it('waits for onEntry before the next fact, and delivers none after stop', async () => {
      await publishFact(bus, 1);
      await publishFact(bus, 2);
      const gate = new Gate();
      const begun = new Recorder<number>();
      const { running } = await startReader(bus, 'start', {
        onEntry: ({ message }) => {
          begun.add(factNumberOf(message));
          return gate.opened;
        },
      });
      await begun.waitForCount(1);
      const stopping = running.stop();
      gate.open();
      await stopping;
      await publishFact(bus, 3);
      await nextImmediate();
      expect(begun.items).toEqual([1]);
    });

    it('stops only the reader whose onEntry rejects, and reports the error once', async () => {
      const fault = new Error('full');
      const bad = await startReader(bus, 'start', { onEntry: () => Promise.reject(fault) });
      const good = await startReader(bus, 'start');
      for (const number of [1, 2, 3]) await publishFact(bus, number);
      await good.entries.waitForCount(3);
      await bad.faults.waitForCount(1);
      await bad.running.stop();
      expect(bad.faults.items).toEqual([fault]);
      expect(good.faults.items).toEqual([]);
    });

    it('emits a published event for each fact', async () => {
      await bus.close();
      const { events, hooks } = eventsOf('published');
      bus = await fixture.open({ hooks });
      await publishFact(bus, 1);
      expect(events.items).toEqual([{ name: 'published', type: 'slot.stored', count: 1 }]);
    });
  });
}
