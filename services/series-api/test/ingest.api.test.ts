import { matchEnded, matchOpened, operations, slotObserved, slotStored } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { openBus, type MessageBus } from '@lobbystats/message-bus';
import { openSqliteSeriesStore } from '../src/adapters/sqlite/sqlite-series-store.ts';
import { everyPath } from './every-path.ts';
import { DAY, HARBOR, NOW, observation, RALLY, SLOT, slotsFrom, TODAY, type SlotSketch } from './observations.ts';
import { at, dataOf, runSeries, until, type RunningSeries, type RunOptions } from './running-series.ts';

const hosting = (matches: Record<string, number> | null): SlotSketch => ({
  online: 3,
  titles: { [HARBOR]: { online: 2, matches } },
});

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function run(options?: RunOptions): Promise<RunningSeries> {
  const series = await runSeries(options);
  closers.push(() => series.stop());
  return series;
}

describe('a stored slot', () => {
  it('is told of, once it can be read, with an ID of its own', async () => {
    const series = await run();
    await series.observe({ [NOW]: hosting({ Ada: 1 }) });
    await series.observe({ [NOW - DAY]: hosting(null) }, { past: true });
    const told = () => series.facts.filter(({ type }) => type === slotStored.key);
    await until(() => told().length === 2);
    expect(told()).toMatchObject([
      {
        id: 'slot.stored:simulated:2027-01-15T08:00:00Z',
        type: slotStored.key,
        occurredAt: '2027-01-15T08:00:00Z',
        past: false,
        data: { slot: '2027-01-15T08:00:00Z', online: 3, lobbies: 1 },
      },
      { past: true, data: { slot: '2027-01-14T08:00:00Z', online: 3, lobbies: null } },
    ]);
  });

  it('is told of again with the same ID when it comes again, as it was stored', async () => {
    const series = await run();
    await series.observe({ [NOW]: hosting({ Ada: 1 }) });
    await series.observe({ [NOW]: { online: 77 } });
    const told = () => series.facts.filter(({ type }) => type === slotStored.key);
    await until(() => told().length === 2);
    const [first, second] = told();
    expect([second!.id, second!.data]).toEqual([first!.id, first!.data]);
  });

  it('tells which matches have ended, in one message', async () => {
    const series = await run();
    const hosts = [{ Ada: 3, Bob: 1 }, { Ada: 2 }, {}, {}, {}, {}];
    for (const [index, slot] of slotsFrom(NOW - 5 * SLOT, 6).entries()) {
      await series.observe({ [slot]: hosting(hosts[index]!) });
    }
    await until(() => series.facts.length === 9);
    const match = { titleId: HARBOR, startedAt: at(NOW - 5 * SLOT), maxPlayers: 8 };
    expect(dataOf(series.facts, matchEnded)).toEqual([
      {
        slot: at(NOW - 2 * SLOT),
        matches: [{ ...match, host: 'Bob', endedAt: at(NOW - 5 * SLOT), players: 1, peakPlayers: 1 }],
      },
      {
        slot: at(NOW - SLOT),
        matches: [{ ...match, host: 'Ada', endedAt: at(NOW - 4 * SLOT), players: 2, peakPlayers: 3 }],
      },
    ]);
  });

  it('tells which matches have begun, as they were then', async () => {
    const series = await run();
    const hosts = [{ Ada: 3, Bob: 1 }, { Ada: 2 }, { Ada: 2, Cid: 4 }];
    for (const [index, slot] of slotsFrom(NOW - 2 * SLOT, 3).entries()) {
      await series.observe({ [slot]: hosting(hosts[index]!) });
    }
    await until(() => series.facts.length === 5);
    const match = { titleId: HARBOR, maxPlayers: 8 };
    expect(dataOf(series.facts, matchOpened)).toEqual([
      {
        slot: at(NOW - 2 * SLOT),
        matches: [
          { ...match, host: 'Ada', players: 3 },
          { ...match, host: 'Bob', players: 1 },
        ],
      },
      { slot: at(NOW), matches: [{ ...match, host: 'Cid', players: 4 }] },
    ]);
  });
});

describe('a crash between storing and telling', () => {
  it('loses no fact', async () => {
    const bus = await openBus({ url: 'memory:', origin: 'simulated' });
    const store = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
    closers.push(
      () => bus.close(),
      () => store.close(),
    );
    const broken = await run({ bus: withoutPublishing(bus), store });
    for (const slot of [NOW - 3 * SLOT, NOW]) await bus.publish(slotObserved, observation(slot, hosting({ Ada: 1 })));
    await until(async () => (await store.slotBefore(NOW + 1)) === NOW);
    await broken.stop();
    expect(broken.facts).toEqual([]);

    const whole = await run({ bus, store });
    const byId = () => new Map(whole.facts.map((fact) => [fact.id, fact]));
    await until(() => byId().size === 5);
    const facts = [...byId().values()];
    const slots = dataOf(facts, slotStored).map((data) => (data as { slot: string }).slot);
    expect(slots.toSorted()).toEqual([at(NOW - 3 * SLOT), at(NOW)]);
    expect(dataOf(facts, matchEnded)).toEqual([
      { slot: at(NOW), matches: [expect.objectContaining({ host: 'Ada', endedAt: at(NOW - 3 * SLOT) })] },
    ]);
  });
});

describe('observations that come late, again and in disorder', () => {
  it('ten times each end in answers that are the same to the byte', async () => {
    const slots = [...slotsFrom(TODAY - 30 * SLOT, 60), ...slotsFrom(NOW - 30 * SLOT, 31)];
    const observations = slots.map((slot, index) =>
      observation(slot, {
        online: index,
        registered: 1000 + (index % 7),
        titles: {
          [HARBOR]: { online: index % 11, sessions: 1, players: 2, matches: { Ada: index % 5, [`h${index % 13}`]: 1 } },
          [RALLY]: { online: index % 3, matches: index % 10 === 0 ? null : {} },
        },
      }),
    );
    const inOrder = await run();
    await inOrder.publish(observations);
    const disordered = await run();
    const shuffled = Array.from({ length: 10 }, (_, round) => rotated(observations, round * 37)).flat();
    for (let from = 0; from < shuffled.length; from += 130) await disordered.publish(shuffled.slice(from, from + 130));
    for (const path of everyPath()) {
      const [expected, found] = await Promise.all([inOrder.get(path), disordered.get(path)]);
      expect([path, found.status, found.text]).toEqual([path, 200, expected.text]);
      expect(found.headers.get('last-modified')).toBe(expected.headers.get('last-modified'));
    }
  });
});

describe('what can never be stored', () => {
  it('becomes a dead letter and takes nothing with it', async () => {
    const dead: (string | undefined)[] = [];
    const hooks = {
      event: (name: string, { reason }: { reason?: string }) => {
        if (name === 'dead') dead.push(reason);
      },
    };
    const bus = await openBus({ url: 'memory:', origin: 'simulated', hooks });
    closers.push(() => bus.close());
    const series = await run({ bus });
    await series.observe({
      [NOW]: hosting({ Ada: 1 }),
      [NOW + 2 * SLOT]: {},
      [NOW + 365 * DAY]: {},
      [NOW - SLOT]: { online: Number.MAX_SAFE_INTEGER },
    });
    await series.observeRegistered({ '2027-01-16': 5 });
    await series.observeRegistered({ '2027-01-15': 2 ** 40 });
    const { body } = await series.get(operations.getOnlineSeries.path);
    expect(body).toEqual([{ recorded_at: '2027-01-15 08:00:00', online_count: 3 }]);
    expect((await series.get(operations.getDailyRegistered.path)).body).toEqual([]);
    expect(dead.toSorted()).toEqual([
      '1099511627776 is more than a network can have',
      '9007199254740991 is more than a network can have',
      'Registered users of a day in the future',
      'Slot 2027-01-15T08:10:00Z lies in the future: it is 2027-01-15 08:00:00',
      'Slot 2028-01-15T08:00:00Z lies in the future: it is 2027-01-15 08:00:00',
    ]);
  });

  it('is no slot that is merely too old: that is left out without a word', async () => {
    const series = await run();
    await series.observe({ [NOW - 30 * DAY]: { online: 1, titles: { [HARBOR]: {} } }, [NOW]: { online: 2 } });
    expect((await series.get(`${operations.getOnlineSeries.path}?days=30`)).body).toHaveLength(1);
    await until(() => series.facts.length === 1);
    expect((await series.get(operations.getMatches.path.replace(':titleId', HARBOR))).status).toBe(404);
  });
});

describe('names that no object should have', () => {
  it('are hosts and games like any other', async () => {
    const series = await run();
    await series.name(1, { [HARBOR]: '__proto__' });
    await series.observe({
      [NOW]: hosting(Object.fromEntries(['__proto__', 'constructor', '=1+1', '\0', '🏁'].map((host) => [host, 1]))),
    });
    expect((await series.get(operations.getMatches.path.replace(':titleId', HARBOR))).body).toMatchObject({
      gameName: '__proto__',
      matches: ['\0', '=1+1', '__proto__', 'constructor', '🏁'].map((hostName) => ({ hostName })),
    });
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});

/** A bus that takes messages and gives none on: the process behind it dies before it can tell. */
function withoutPublishing(bus: MessageBus): MessageBus {
  return {
    origin: bus.origin,
    publish: () => Promise.reject(new AppError('unavailable', 'gone')),
    consume: (consumer) => bus.consume(consumer),
    readLog: (reader) => bus.readLog(reader),
    logEnd: () => bus.logEnd(),
    depth: (queue) => bus.depth(queue),
    check: () => bus.check(),
    close: () => bus.close(),
  };
}

/** The same, begun elsewhere and every second one from behind. */
function rotated<One>(all: readonly One[], by: number): One[] {
  const turned = [...all.slice(by % all.length), ...all.slice(0, by % all.length)];
  return turned
    .map((one, index) => (index % 2 === 0 ? one : turned[turned.length - 1 - index]!))
    .concat(all.slice(0, 3));
}
