import type { LogReader, MessageBus } from '@lobbystats/service-kit/bus';
import { memoryBus } from '@lobbystats/test-kit';
import type { StreamLog } from '../src/stream/stream-log.ts';
import { backfillStream, type BackfillOptions } from '../src/stream/backfill-stream.bus.ts';
import { publishSlot } from './stream-facts.ts';

const directory = { find: () => undefined };
const pause = () => Promise.resolve();

interface BackfillRun {
  log: StreamLog;
  /** The position after a number of facts. */
  positionAfter: (facts: number) => string;
}

/** Runs the backfill of a log with five slots. */
async function runBackfill(
  readLog?: (bus: MessageBus, reader: LogReader) => ReturnType<MessageBus['readLog']>,
  options: Partial<BackfillOptions> = {},
): Promise<BackfillRun> {
  const bus = await memoryBus();
  for (const online of [1, 2, 3, 4, 5]) await publishSlot(bus, online);
  const end = await bus.logEnd();
  const read = { readLog: (reader: LogReader) => (readLog ?? ((_bus, one) => bus.readLog(one)))(bus, reader) };
  const log = await backfillStream({ bus: read, directory, pause, ...options })(end);
  const [logId] = end.split('-');
  return { log, positionAfter: (facts) => `${logId}-${facts}` };
}

const running = { stop: () => Promise.resolve() };

describe('stream backlog backfill', () => {
  it('resumes from every position of a short fact log', async () => {
    const { log, positionAfter } = await runBackfill();
    for (let facts = 0; facts <= 5; facts += 1)
      expect(await log.resume(positionAfter(facts))).toEqual({ frame: facts, skip: 0 });
  });

  it('resumes only from positions within the newest facts that were read', async () => {
    const { log, positionAfter } = await runBackfill(undefined, { facts: [3] });
    expect(await log.resume(positionAfter(2))).toEqual({ frame: 0, skip: 0 });
    expect(await log.resume(positionAfter(1))).toBeUndefined();
  });

  it('reads more facts when the newest produce too few events', async () => {
    const limits = { minEvents: 3, maxEvents: 10, maxBytes: 1_000_000 };
    const few = await runBackfill(undefined, { facts: [1, 3, 5], limits });
    expect(few.log.backlog.end).toBe(5);
    const enough = await runBackfill(undefined, { facts: [1, 4, 5], limits });
    expect(enough.log.backlog.end).toBe(4);
  });

  it('reads few facts when those fill the backlog', async () => {
    const read: string[] = [];
    const limits = { minEvents: 1, maxEvents: 1, maxBytes: 1_000_000 };
    const readLog = (bus: MessageBus, reader: LogReader) => {
      read.push(reader.from.replace(/^.*-/, ''));
      return bus.readLog(reader);
    };
    const dense = await runBackfill(readLog, { facts: [2, 5], limits });
    expect(read).toEqual(['3']);
    expect(await dense.log.resume(dense.positionAfter(4))).toEqual({ frame: 1, skip: 0 });
    read.length = 0;
    await runBackfill(readLog, { facts: [2, 5], limits: { ...limits, maxEvents: 10 } });
    expect(read).toEqual(['3', '0']);
  });

  it('begins with the oldest fact that is still in the log', async () => {
    const { log, positionAfter } = await runBackfill(async (bus, reader) => {
      await reader.onReset?.();
      return bus.readLog({ ...reader, from: reader.from.replace(/\d+$/, '3') });
    });
    expect(log.backlog.end).toBe(2);
    expect(await log.resume(positionAfter(3))).toEqual({ frame: 0, skip: 0 });
    expect(await log.resume(positionAfter(2))).toBeUndefined();
  });

  it.each<[string, (bus: MessageBus, reader: LogReader) => ReturnType<MessageBus['readLog']>]>([
    ['makes no progress', () => Promise.resolve(running)],
    [
      'breaks off',
      (bus, reader) => {
        let read = 0;
        const onEntry: LogReader['onEntry'] = (entry) => {
          read += 1;
          if (read === 3) throw new Error('the log is down');
          return reader.onEntry(entry);
        };
        return bus.readLog({ ...reader, onEntry });
      },
    ],
    ['can not begin', () => Promise.reject(new Error('the bus is closed'))],
  ])('leaves the backlog empty when reading the log %s', async (_what, readLog) => {
    const { log, positionAfter } = await runBackfill(readLog, { deadlineMs: 50 });
    expect(log.end).toBe(positionAfter(5));
    expect(log.backlog.end).toBe(0);
    expect(await log.resume(positionAfter(4))).toBeUndefined();
    expect(await log.resume(positionAfter(5))).toEqual({ frame: 0, skip: 0 });
  });
});
