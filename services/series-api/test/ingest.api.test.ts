import { matchEnded, matchOpened, nowChanged, operations, slotObserved, slotStored } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { openBus, type MessageBus } from '@lobbystats/service-kit/bus';
import { openSqliteSeriesStore } from '../src/open-store.ts';
import { allPaths } from './all-paths.ts';
import { DAY, HARBOR, NOW, observation, RALLY, SLOT, slotsFrom, TODAY, type SlotSketch } from './observations.ts';
import { at, factDataOf, runSeries, until, type RunningSeries, type RunOptions } from './running-series.ts';

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

describe('facts of a stored slot', () => {
  it('a stored slot is published with its own ID', async () => {
    const series = await run();
    await series.observe({ [NOW]: hosting({ Ada: 1 }) });
    await series.observe({ [NOW - DAY]: hosting(null) }, { past: true });
    const findSlotFacts = () => series.facts.filter(({ type }) => type === slotStored.key);
    await until(() => findSlotFacts().length === 2);
    expect(findSlotFacts()).toMatchObject([
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

  it('a repeated slot is published again with the same ID and the stored data', async () => {
    const series = await run();
    await series.observe({ [NOW]: hosting({ Ada: 1 }) });
    await series.observe({ [NOW]: { online: 77 } });
    const findSlotFacts = () => series.facts.filter(({ type }) => type === slotStored.key);
    await until(() => findSlotFacts().length === 2);
    const [first, second] = findSlotFacts();
    expect([second!.id, second!.data]).toEqual([first!.id, first!.data]);
  });

  it('the ended matches of a slot are published in one message', async () => {
    const series = await run();
    const hosts = [{ Ada: 3, Bob: 1 }, { Ada: 2 }, {}, {}, {}, {}];
    for (const [index, slot] of slotsFrom(NOW - 5 * SLOT, 6).entries()) {
      await series.observe({ [slot]: hosting(hosts[index]!) });
    }
    await until(() => factDataOf(series.facts, matchEnded).length === 2);
    const match = { titleId: HARBOR, startedAt: at(NOW - 5 * SLOT), maxPlayers: 8 };
    expect(factDataOf(series.facts, matchEnded)).toEqual([
      {
        slot: at(NOW - 3 * SLOT),
        matches: [{ ...match, host: 'Bob', endedAt: at(NOW - 5 * SLOT), players: 1, peakPlayers: 1 }],
      },
      {
        slot: at(NOW - 2 * SLOT),
        matches: [{ ...match, host: 'Ada', endedAt: at(NOW - 4 * SLOT), players: 2, peakPlayers: 3 }],
      },
    ]);
  });

  it('opened matches are published with their first counts, but for those of the first slot', async () => {
    const series = await run();
    const hosts = [{ Ada: 3, Bob: 1 }, { Ada: 2 }, { Ada: 2, Cid: 4 }];
    for (const [index, slot] of slotsFrom(NOW - 2 * SLOT, 3).entries()) {
      await series.observe({ [slot]: hosting(hosts[index]!) });
    }
    await until(() => factDataOf(series.facts, slotStored).length === 3);
    expect(factDataOf(series.facts, matchOpened)).toEqual([
      { slot: at(NOW), matches: [{ titleId: HARBOR, maxPlayers: 8, host: 'Cid', players: 4 }] },
    ]);
  });
});

describe('crash between storing and publishing', () => {
  it('loses no facts', async () => {
    const bus = await openBus({ url: 'memory:', origin: 'simulated' });
    const store = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
    closers.push(
      () => bus.close(),
      () => store.close(),
    );
    const broken = await run({ bus: withFailingPublish(bus), store });
    const hosts = [{ Ada: 1 }, {}, {}, { Ada: 1 }];
    for (const [index, slot] of slotsFrom(NOW - 3 * SLOT, 4).entries())
      await bus.publish(slotObserved, observation(slot, hosting(hosts[index]!)));
    await until(async () => (await store.slotBefore(NOW + 1)) === NOW);
    await broken.stop();
    expect(broken.facts).toEqual([]);

    const whole = await run({ bus, store });
    const byId = () => new Map(whole.facts.map((fact) => [fact.id, fact]));
    await until(() => [...byId().values()].filter(({ type }) => type !== nowChanged.key).length === 6);
    const facts = [...byId().values()];
    const slots = factDataOf(facts, slotStored).map((data) => (data as { slot: string }).slot);
    expect(slots.toSorted()).toEqual(slotsFrom(NOW - 3 * SLOT, 4).map(at));
    expect(factDataOf(facts, matchEnded)).toEqual([
      { slot: at(NOW - SLOT), matches: [expect.objectContaining({ host: 'Ada', endedAt: at(NOW - 3 * SLOT) })] },
    ]);
  });
});

describe('late, repeated and disordered observations', () => {
  it('observations delivered ten times in any order give byte-identical responses', async () => {
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
    const shuffled = Array.from({ length: 10 }, (_, round) => reorder(observations, round * 37)).flat();
    for (let from = 0; from < shuffled.length; from += 130) await disordered.publish(shuffled.slice(from, from + 130));
    for (const path of allPaths()) {
      const [expected, found] = await Promise.all([inOrder.get(path), disordered.get(path)]);
      expect([path, found.status, found.text]).toEqual([path, 200, expected.text]);
      expect(found.headers.get('last-modified')).toBe(expected.headers.get('last-modified'));
    }
  });
});

describe('invalid observations', () => {
  it('an invalid observation becomes a dead letter and does not affect the rest of its batch', async () => {
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

  it('a slot older than the retention is skipped without a dead letter', async () => {
    const series = await run();
    await series.observe({ [NOW - 30 * DAY]: { online: 1, titles: { [HARBOR]: {} } }, [NOW]: { online: 2 } });
    expect((await series.get(`${operations.getOnlineSeries.path}?days=30`)).body).toHaveLength(1);
    await until(() => factDataOf(series.facts, slotStored).length === 1);
    expect((await series.get(operations.getMatches.path.replace(':titleId', HARBOR))).status).toBe(404);
  });
});

describe('names of prototype members', () => {
  it('are accepted as hosts and games', async () => {
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

/** A bus that consumes but fails to publish, like a process that crashes before it publishes. */
function withFailingPublish(bus: MessageBus): MessageBus {
  return {
    origin: bus.origin,
    publish: () => Promise.reject(new AppError('unavailable', 'gone')),
    consume: (consumer) => bus.consume(consumer),
    readLog: (reader) => bus.readLog(reader),
    join: (replica) => bus.join(replica),
    logEnd: () => bus.logEnd(),
    depth: (queue) => bus.depth(queue),
    check: () => bus.check(),
    close: () => bus.close(),
  };
}

/** The same items in another order, with the first three repeated. */
function reorder<One>(all: readonly One[], by: number): One[] {
  const turned = [...all.slice(by % all.length), ...all.slice(0, by % all.length)];
  return turned
    .map((one, index) => (index % 2 === 0 ? one : turned[turned.length - 1 - index]!))
    .concat(all.slice(0, 3));
}
