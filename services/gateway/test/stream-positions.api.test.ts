import { streamEvents } from '@lobbystats/contracts';
import type { LogReader, MessageBus } from '@lobbystats/service-kit/bus';
import { memoryBus } from '@lobbystats/test-kit';
import { publishSlot } from './stream-facts.ts';
import { emptyLog, runStream, type RunningStream } from './running-stream.ts';
import { onlineCounts, waitForEvents, readStream, type StreamConnection } from '@lobbystats/test-kit/stream-reading';

const STREAM = streamEvents.path;
const DISTANT_OFFSET = 100_000;
/** One read by the backfill, one by the subscriber. */
const EXPECTED_LOG_READS = 2;

describe('invalid Last-Event-ID', () => {
  const log = '0123456789abcdef';
  it.each([
    ['the words of the bus', ['start', 'end', 'end~1']],
    ['an offset in another form', [`${log}-007`, `${log}-+1`, `${log}-1e3`, `${log}-`, `${log}-${'9'.repeat(16)}`]],
    ['a log id in another form', ['-1', 'ABCDEF0123456789-1', `${log}0-1`, `x${log}-1`]],
    ['a position of another log', [`${log}-1`]],
  ])('is answered with a reset, without reading the log: %s', async (_what, ids) => {
    const { url, bus, logReads } = await watchedStream();
    await publishSlot(bus, 1);
    for (const id of ids) expect(await firstEvent(url, id)).toBe('reset');
    expect(logReads).toHaveLength(EXPECTED_LOG_READS);
  });
});

describe('offset outside of the log', () => {
  it('far ahead of or behind the backlog is answered with a reset, without reading the log', async () => {
    const bus = await memoryBus();
    const { hub, url, logReads } = await watchedStream(bus);
    const [log = ''] = (await bus.logEnd()).split('-');
    hub.begin(emptyLog(`${log}-${DISTANT_OFFSET}`));
    for (const offset of [1, DISTANT_OFFSET / 2, DISTANT_OFFSET - 1, DISTANT_OFFSET * 2, 999_999_999_999_999]) {
      expect(await firstEvent(url, `${log}-${offset}`)).toBe('reset');
    }
    expect(logReads).toHaveLength(EXPECTED_LOG_READS);
  });

  it('slightly ahead is waited for without delaying other reconnecting clients', async () => {
    const bus = await memoryBus();
    for (let online = 1; online <= 4; online += 1) await publishSlot(bus, online);
    const { url, logReads } = await watchedStream(bus);
    const [log = '', newest] = (await bus.logEnd()).split('-');
    const ahead = Array.from({ length: 100 }, (_, index) => open(url, `${log}-${Number(newest) + 1 + index}`));
    const resumed = await open(url, `${log}-${Number(newest) - 3}`);
    await waitForEvents(resumed, 3);
    expect(onlineCounts(resumed)).toEqual([2, 3, 4]);
    const events = (await Promise.all(ahead)).map((reading) =>
      waitForEvents(reading, 1).then(([event]) => event?.event),
    );
    expect(new Set(await Promise.all(events))).toEqual(new Set(['reset']));
    expect(logReads).toHaveLength(EXPECTED_LOG_READS);
  });

  it('that another gateway has already read resumes as soon as this gateway reads the fact', async () => {
    const bus = await memoryBus();
    const ahead = await runStream({ bus });
    const gate = Promise.withResolvers<undefined>();
    const behind = await watchedStream(bus, () => gate.promise);
    const reading = await readStream(ahead.url + STREAM);
    for (const online of [1, 2, 3]) await publishSlot(bus, online);
    const [, second] = await waitForEvents(reading, 3);
    const again = open(behind.url, second?.id ?? '');
    gate.resolve(undefined);
    const returned = await again;
    await waitForEvents(returned, 1);
    expect(onlineCounts(returned)).toEqual([3]);
  });
});

interface WatchedStream extends RunningStream {
  /** Start positions of all reads of the log. */
  readonly logReads: readonly string[];
}

/**
 * Runs a stream on a bus that records reads of the log.
 *
 * @param beforeEntry awaited before each fact is delivered
 */
async function watchedStream(injectedBus?: MessageBus, beforeEntry?: () => Promise<unknown>): Promise<WatchedStream> {
  const bus = injectedBus ?? (await memoryBus());
  const logReads: string[] = [];
  const readLog: MessageBus['readLog'] = (reader) => {
    logReads.push(reader.from);
    const onEntry: LogReader['onEntry'] = async (entry) => {
      await beforeEntry?.();
      await reader.onEntry(entry);
    };
    return bus.readLog({ ...reader, onEntry });
  };
  const watched = new Proxy(bus, {
    get: (target, name) => {
      if (name === 'readLog') return readLog;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { ...(await runStream({ bus: watched })), logReads };
}

function open(url: string, id: string): Promise<StreamConnection> {
  return readStream(url + STREAM, { 'Last-Event-ID': id });
}

async function firstEvent(url: string, id: string): Promise<string | undefined> {
  const reading = await open(url, id);
  const [first] = await waitForEvents(reading, 1);
  reading.disconnect();
  return first?.event;
}
