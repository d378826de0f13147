import type { LogReader, MessageBus } from '@lobbystats/message-bus';
import { memoryBus } from '@lobbystats/test-kit';
import type { StreamLog } from '../src/domain/stream/stream-log.ts';
import { backfillStream, type BackfillOptions } from '../src/messaging/backfill-stream.ts';
import { publishSlot } from './stream-facts.ts';

const directory = { find: () => undefined };
const pause = () => Promise.resolve();

interface Backfilled {
  log: StreamLog;
  /** The position after so many facts. */
  after: (facts: number) => string;
}

/** The backfill of a log with five slots. */
async function backfilled(
  readLog?: (bus: MessageBus, reader: LogReader) => ReturnType<MessageBus['readLog']>,
  options: Partial<BackfillOptions> = {},
): Promise<Backfilled> {
  const bus = await memoryBus();
  for (const online of [1, 2, 3, 4, 5]) await publishSlot(bus, online);
  const end = await bus.logEnd();
  const read = { readLog: (reader: LogReader) => (readLog ?? ((_bus, one) => bus.readLog(one)))(bus, reader) };
  const log = await backfillStream({ bus: read, directory, pause, ...options })(end);
  const [logId] = end.split('-');
  return { log, after: (facts) => `${logId}-${facts}` };
}

const running = { stop: () => Promise.resolve() };

describe('the backfill of the stream', () => {
  it('resumes from every position of a short log', async () => {
    const { log, after } = await backfilled();
    for (let facts = 0; facts <= 5; facts += 1)
      expect(await log.resume(after(facts))).toEqual({ frame: facts, skip: 0 });
  });

  it('resumes from the newest facts alone', async () => {
    const { log, after } = await backfilled(undefined, { facts: [3] });
    expect(await log.resume(after(2))).toEqual({ frame: 0, skip: 0 });
    expect(await log.resume(after(1))).toBeUndefined();
  });

  it('reads more facts where the newest make too few events', async () => {
    const limits = { minEvents: 3, maxEvents: 10, maxBytes: 1_000_000 };
    const few = await backfilled(undefined, { facts: [3, 5], limits });
    expect(few.log.backlog.end).toBe(5);
    const enough = await backfilled(undefined, { facts: [4, 5], limits });
    expect(enough.log.backlog.end).toBe(4);
  });

  it('begins with the oldest fact that has not left the log', async () => {
    const { log, after } = await backfilled(async (bus, reader) => {
      await reader.onReset?.();
      return bus.readLog({ ...reader, from: reader.from.replace(/\d+$/, '3') });
    });
    expect(log.backlog.end).toBe(2);
    expect(await log.resume(after(3))).toEqual({ frame: 0, skip: 0 });
    expect(await log.resume(after(2))).toBeUndefined();
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
  ])('leaves the backlog empty where reading %s', async (_what, readLog) => {
    const { log, after } = await backfilled(readLog, { deadlineMs: 50 });
    expect(log.end).toBe(after(5));
    expect(log.backlog.end).toBe(0);
    expect(await log.resume(after(4))).toBeUndefined();
    expect(await log.resume(after(5))).toEqual({ frame: 0, skip: 0 });
  });
});
