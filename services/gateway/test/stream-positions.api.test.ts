import { streamEvents, userForgotten } from '@lobbystats/contracts';
import type { LogReader, MessageBus } from '@lobbystats/message-bus';
import { eventually, memoryBus } from '@lobbystats/test-kit';
import { publishRating, publishSlot } from './stream-facts.ts';
import { runStream, type Streaming } from './running-stream.ts';
import { onlineOf, reaches, readStream, type Reading } from './stream-reading.ts';

const STREAM = streamEvents.path;
const FAR = 100_000;

describe('an id that the log can not have', () => {
  const log = '0123456789abcdef';
  it.each([
    ['the words of the bus', ['start', 'end', 'end~1']],
    ['an offset in another form', [`${log}-007`, `${log}-+1`, `${log}-1e3`, `${log}-`, `${log}-${'9'.repeat(16)}`]],
    ['a log id in another form', ['-1', 'ABCDEF0123456789-1', `${log}0-1`, `x${log}-1`]],
    ['a position of another log', [`${log}-1`]],
  ])('is answered with a reset, and the log is not read for it: %s', async (_what, ids) => {
    const { url, bus, readFrom } = await watchedStream();
    await publishSlot(bus, 1);
    for (const id of ids) expect(await firstEvent(url, id)).toBe('reset');
    expect(readFrom).toEqual([]);
  });

  it('is answered while a reading of the log makes no progress', async () => {
    const held = Promise.withResolvers<undefined>();
    const { url, oldest, readFrom } = await restartedStream({
      read: async (reader) => {
        await held.promise;
        await reader.onReset?.();
      },
    });
    const waiting = firstEvent(url, oldest);
    await eventually(() => expect(readFrom).toEqual([oldest]));
    const ids = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 'end' : `${log}-${index}`));
    const events = await Promise.all(ids.map((id) => firstEvent(url, id)));
    expect(new Set(events)).toEqual(new Set(['reset']));
    expect(readFrom).toEqual([oldest]);
    held.resolve(undefined);
    expect(await waiting).toBe('reset');
  });
});

describe('an offset that the log does not have', () => {
  it('far ahead or far behind is answered with a reset, and the log is not read for it', async () => {
    const bus = await memoryBus();
    const { hub, url, readFrom } = await watchedStream(bus);
    const [log = ''] = (await bus.logEnd()).split('-');
    hub.begin(`${log}-${FAR}`);
    for (const offset of [1, FAR / 2, FAR * 2, 999_999_999_999_999]) {
      expect(await firstEvent(url, `${log}-${offset}`)).toBe('reset');
    }
    expect(readFrom).toEqual([]);
  });

  it('a little ahead is waited for without holding up those who come back', async () => {
    const { url, oldest, newest, readFrom } = await restartedStream();
    const { log, offset } = placeOf(newest);
    const ahead = Array.from({ length: 100 }, (_, index) => open(url, `${log}-${offset + 1 + index}`));
    await publishedSince(await open(url, oldest), 3);
    expect(readFrom).toEqual([oldest]);
    const events = (await Promise.all(ahead)).map((reading) => reaches(reading, 1).then(([event]) => event?.event));
    expect(new Set(await Promise.all(events))).toEqual(new Set(['reset']));
    expect(readFrom).toEqual([oldest]);
  });

  it('that another gateway has had already leads on as soon as the fact comes here', async () => {
    const bus = await memoryBus();
    const ahead = await runStream({ bus });
    const gate = Promise.withResolvers<undefined>();
    const behind = await watchedStream(bus, { follow: () => gate.promise });
    const reading = await readStream(ahead.url + STREAM);
    for (const online of [1, 2, 3]) await publishSlot(bus, online);
    const [, second] = await reaches(reading, 3);
    const again = open(behind.url, second?.id ?? '');
    gate.resolve(undefined);
    const returned = await again;
    await reaches(returned, 1);
    expect(onlineOf(returned)).toEqual([3]);
    expect(behind.readFrom).toEqual([]);
  });
});

describe('readers who come back together', () => {
  it('are led on newest first, and a reading that fails answers all who are further back', async () => {
    const { hub, url, oldest, newest, readFrom } = await restartedStream({
      slots: 30,
      read: async (reader, read) => {
        if (reader.from === at(20)) await reader.onReset?.();
        else await read();
      },
    });
    const { log, offset } = placeOf(oldest);
    const at = (slot: number) => `${log}-${offset + slot}`;
    const offsets = [25, ...Array.from({ length: 21 }, (_, index) => index), 27];
    const reset = jest.fn<undefined, [number]>();
    const joined = offsets.map(async (slot) => {
      const sink = { write: (bytes: Buffer) => (/^event: reset/m.test(bytes.toString()) && reset(slot), true) };
      await hub.join({ topics: ['online'], lastEventId: at(slot) }, () => ({
        ...sink,
        end: () => undefined,
        drop: () => undefined,
      }));
    });
    await Promise.all(joined);
    expect(readFrom).toEqual([at(25), at(20)]);
    expect(reset.mock.calls.flat().sort((one, other) => one - other)).toEqual(offsets.slice(1, -1));
    await publishedSince(await open(url, at(27)), placeOf(newest).offset - placeOf(at(27)).offset);
  });

  it('hear nothing of somebody whom a later part of the log forgets, however that part was read', async () => {
    const bus = await memoryBus();
    const one = await runStream({ bus });
    const reading = await readStream(one.url + STREAM);
    await publishSlot(bus, 1);
    await publishRating(bus, 'EmberFox', 1);
    await publishSlot(bus, 2);
    await bus.publish(userForgotten, { username: 'EmberFox', gamertag: 'Ember Fox' });
    await publishSlot(bus, 3);
    const [first, , second] = await reaches(reading, 4);
    const other = await runStream({ bus });
    await publishedSince(await open(other.url, second?.id ?? ''), 1);
    const again = await open(other.url, first?.id ?? '');
    await publishedSince(again, 2);
    expect(onlineOf(again)).toEqual([2, 3]);
  });
});

interface Watched extends Streaming {
  /** Where each reading of the log's past began. */
  readonly readFrom: readonly string[];
}

interface WatchedOptions {
  /** Waited for before the gateway is told of a fact. */
  follow?: () => Promise<unknown>;
  /** Reads the past, by itself or as the bus does. */
  read?: (reader: LogReader, read: () => Promise<unknown>) => Promise<void>;
}

/** A stream on a bus that notes each reading of the log but the one that follows it. */
async function watchedStream(given?: MessageBus, { follow, read }: WatchedOptions = {}): Promise<Watched> {
  const bus = given ?? (await memoryBus());
  const readFrom: string[] = [];
  let isFollowed = false;
  const readLog: MessageBus['readLog'] = async (reader) => {
    if (!isFollowed) {
      isFollowed = true;
      const onEntry: LogReader['onEntry'] = async (entry) => {
        await follow?.();
        await reader.onEntry(entry);
      };
      return bus.readLog({ ...reader, onEntry });
    }
    readFrom.push(reader.from);
    if (read === undefined) return bus.readLog(reader);
    void read(reader, () => bus.readLog(reader)).catch(reader.onFault);
    return { stop: () => Promise.resolve() };
  };
  const watched = new Proxy(bus, {
    get: (target, name) => {
      if (name === 'readLog') return readLog;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { ...(await runStream({ bus: watched })), readFrom };
}

/** A gateway that has started after some slots were published, and the ids of the oldest and the newest of them. */
async function restartedStream({ slots = 4, ...options }: WatchedOptions & { slots?: number } = {}) {
  const bus = await memoryBus();
  const before = await runStream({ bus });
  const reading = await readStream(before.url + STREAM);
  for (let online = 1; online <= slots; online += 1) await publishSlot(bus, online);
  const events = await reaches(reading, slots);
  const stream = await watchedStream(bus, options);
  return { ...stream, oldest: events[0]?.id ?? '', newest: events.at(-1)?.id ?? '' };
}

function placeOf(id: string): { log: string; offset: number } {
  const [log = '', offset] = id.split('-');
  return { log, offset: Number(offset) };
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

/** Waits for so many slots, and nothing else. */
async function publishedSince(reading: Reading, count: number): Promise<void> {
  const events = await reaches(reading, count);
  expect(events.map(({ event }) => event)).toEqual(Array.from({ length: count }, () => 'online'));
}
