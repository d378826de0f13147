import { streamEvents } from '@lobbystats/contracts';
import type { LogReader, MessageBus } from '@lobbystats/message-bus';
import { memoryBus } from '@lobbystats/test-kit';
import { publishSlot } from './stream-facts.ts';
import { emptyLog, runStream, type Streaming } from './running-stream.ts';
import { onlineOf, reaches, readStream, type Reading } from './stream-reading.ts';

const STREAM = streamEvents.path;
const FAR = 100_000;
/** The backfill, and following. */
const READINGS = 2;

describe('an id that the log can not have', () => {
  const log = '0123456789abcdef';
  it.each([
    ['the words of the bus', ['start', 'end', 'end~1']],
    ['an offset in another form', [`${log}-007`, `${log}-+1`, `${log}-1e3`, `${log}-`, `${log}-${'9'.repeat(16)}`]],
    ['a log id in another form', ['-1', 'ABCDEF0123456789-1', `${log}0-1`, `x${log}-1`]],
    ['a position of another log', [`${log}-1`]],
  ])('is answered with a reset, and the log is not read for it: %s', async (_what, ids) => {
    const { url, bus, readings } = await watchedStream();
    await publishSlot(bus, 1);
    for (const id of ids) expect(await firstEvent(url, id)).toBe('reset');
    expect(readings).toHaveLength(READINGS);
  });
});

describe('an offset that the log does not have', () => {
  it('far ahead or behind the backlog is answered with a reset, and the log is not read for it', async () => {
    const bus = await memoryBus();
    const { hub, url, readings } = await watchedStream(bus);
    const [log = ''] = (await bus.logEnd()).split('-');
    hub.begin(emptyLog(`${log}-${FAR}`));
    for (const offset of [1, FAR / 2, FAR - 1, FAR * 2, 999_999_999_999_999]) {
      expect(await firstEvent(url, `${log}-${offset}`)).toBe('reset');
    }
    expect(readings).toHaveLength(READINGS);
  });

  it('a little ahead is waited for without holding up those who come back', async () => {
    const bus = await memoryBus();
    for (let online = 1; online <= 4; online += 1) await publishSlot(bus, online);
    const { url, readings } = await watchedStream(bus);
    const [log = '', newest] = (await bus.logEnd()).split('-');
    const ahead = Array.from({ length: 100 }, (_, index) => open(url, `${log}-${Number(newest) + 1 + index}`));
    const resumed = await open(url, `${log}-${Number(newest) - 3}`);
    await reaches(resumed, 3);
    expect(onlineOf(resumed)).toEqual([2, 3, 4]);
    const events = (await Promise.all(ahead)).map((reading) => reaches(reading, 1).then(([event]) => event?.event));
    expect(new Set(await Promise.all(events))).toEqual(new Set(['reset']));
    expect(readings).toHaveLength(READINGS);
  });

  it('that another gateway has had already leads on as soon as the fact comes here', async () => {
    const bus = await memoryBus();
    const ahead = await runStream({ bus });
    const gate = Promise.withResolvers<undefined>();
    const behind = await watchedStream(bus, () => gate.promise);
    const reading = await readStream(ahead.url + STREAM);
    for (const online of [1, 2, 3]) await publishSlot(bus, online);
    const [, second] = await reaches(reading, 3);
    const again = open(behind.url, second?.id ?? '');
    gate.resolve(undefined);
    const returned = await again;
    await reaches(returned, 1);
    expect(onlineOf(returned)).toEqual([3]);
  });
});

interface Watched extends Streaming {
  /** Where each reading of the log began. */
  readonly readings: readonly string[];
}

/**
 * A stream on a bus that counts the readings of the log.
 *
 * @param beforeEntry waited for before each fact is passed on
 */
async function watchedStream(given?: MessageBus, beforeEntry?: () => Promise<unknown>): Promise<Watched> {
  const bus = given ?? (await memoryBus());
  const readings: string[] = [];
  const readLog: MessageBus['readLog'] = (reader) => {
    readings.push(reader.from);
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
  return { ...(await runStream({ bus: watched })), readings };
}

function open(url: string, id: string): Promise<Reading> {
  return readStream(url + STREAM, { 'Last-Event-ID': id });
}

async function firstEvent(url: string, id: string): Promise<string | undefined> {
  const reading = await open(url, id);
  const [first] = await reaches(reading, 1);
  reading.hangUp();
  return first?.event;
}
