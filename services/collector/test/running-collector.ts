import {
  allMessages,
  boardConfirmed,
  boardObserved,
  eventsObserved,
  iconObserved,
  playersObserved,
  playObserved,
  registeredObserved,
  slotObserved,
  slotWithdrawn,
  titleObserved,
  type AnnouncedEvent,
  type Message,
  type MessageType,
  type ObservedMetadata,
  type PastPlayer,
  type ObservedPlayer,
  type ServiceName,
  type Withdrawal,
} from '@lobbystats/contracts';
import { handle, handleBatch, openBus, type Handler, type MessageBus } from '@lobbystats/service-kit/bus';
import { silentLogger } from '@lobbystats/service-kit';
import { createSimulator, designOfSeed, type World } from '@lobbystats/simulator';
import { until, seedOfRun } from '@lobbystats/test-kit';
import type { z } from 'zod';
import { openSqliteCollectorStore } from '../src/collector-store.sqlite.ts';
import type { CollectorStore } from '../src/collector-store.ts';
import type { BoardContent } from '../src/network/board.ts';
import type { RegisteredDay } from '../src/network/observation-publisher.ts';
import type { SlotObservation } from '../src/network/slot-observation.ts';
import { testParser } from './test-parser.ts';
import { collectorService, type Collector, type CollectorOverrides } from '../src/service.ts';
import type { BackfillDays } from '../src/config.ts';

/** A slot in which game metadata isn't due: 18:05 on a Thursday. */
export const SLOT = Date.UTC(2026, 0, 15, 18, 5, 0) / 1000;

/** Requests that the simulated network received. */
interface RequestCounts {
  total: number;
  byPath: Record<string, number>;
  maxConcurrentByPath: Record<string, number>;
}

/** The data of a `board.observed` message. */
export interface BoardObservedData {
  titleId: string;
  leaderboardId: number;
  name: string;
  pass: string;
  seenAt: string;
  board: BoardContent | null;
}

/** A simulated network, a bus with its received messages, and collectors that a test starts. */
export interface Stage {
  readonly world: World;
  readonly url: string;
  readonly bus: MessageBus;
  readonly store: CollectorStore;
  /** The clock of all parts in epoch milliseconds; the test moves it. */
  readonly clock: { nowMs: number };
  readonly slots: Message<SlotObservation>[];
  readonly withdrawals: Message<Withdrawal>[];
  readonly titles: Message<{ seenAt: string; titles: ObservedMetadata[] }>[];
  readonly icons: Message<{ titleId: string; seenAt: string; image: string }>[];
  readonly days: RegisteredDay[];
  readonly boards: Message<BoardObservedData>[];
  readonly confirmed: Message<{ titleId: string; leaderboardId: number; pass: string; seenAt: string }>[];
  readonly events: Message<{ seenAt: string; events: AnnouncedEvent[]; unread: number[] }>[];
  readonly players: Message<{ seenAt: string; players: ObservedPlayer[] }>[];
  readonly play: Message<{ players: PastPlayer[] }>[];
  /** Starts a collector, which is stopped with the stage. It parses in this process unless `ownParser` is set. */
  collector(options?: CollectorOptions): Promise<Collector>;
  faults(...faults: object[]): Promise<void>;
  /** Requests for slots, without those for boards, feeds and their history. */
  requests(): Promise<RequestCounts>;
  /** Requests for board pages by path, without the query. */
  boardRequests(): Promise<Record<string, number>>;
  /** Resolves when a received message makes the condition true. */
  until(isSo: () => boolean): Promise<void>;
  /** Resolves when the condition, polled repeatedly, is true. */
  poll(isSo: () => Promise<boolean>): Promise<void>;
  /** Resolves when no page is waiting to be read. */
  pagesRead(): Promise<void>;
  close(): Promise<void>;
}

type CollectorOptions = CollectorOverrides & {
  env?: Record<string, string>;
  /** Default: no backfill. */
  backfillDays?: Partial<BackfillDays>;
  ownParser?: boolean;
};

export interface StageOptions {
  titles?: number;
  openMatches?: number;
  boards?: number;
  boardChanges?: number;
  /** The number of entries of all leaderboards together. */
  entries?: number;
  players?: number;
  /** Default: one in memory. The stage closes it. */
  openStore?: () => CollectorStore | Promise<CollectorStore>;
  /** Default: one in this process. */
  openBus?: (clock: () => number) => Promise<MessageBus>;
}

const parser = testParser();

/** Sets the stage: a small world, one second into {@link SLOT}. */
export async function setStage(options: StageOptions = {}): Promise<Stage> {
  const clock = { nowMs: (SLOT + 1) * 1000 };
  const now = () => clock.nowMs;
  const { openStore = inMemory, openBus: busOf = inProcess, ...world } = options;
  const simulator = createSimulator({
    ...{ titles: 14, openMatches: 8, boards: 20, players: 500, design: designOfSeed(seedOfRun()) },
    ...{ ...world, clock: now },
  });
  const { url } = await simulator.start();
  const bus = await busOf(now);
  const store = await openStore();
  const heard = await listen(bus);
  const collectors: Collector[] = [];
  const closing = new AbortController();
  const poll = (isSo: () => Promise<boolean>): Promise<void> =>
    until(async () => closing.signal.aborted || (await isSo()), { timeoutMs: Infinity });

  const collector: Stage['collector'] = async ({ env = {}, backfillDays, ownParser = false, ...overrides } = {}) => {
    const settings = {
      NETWORK_URL: url,
      NETWORK_ORIGIN: 'simulated',
      // All parts share one clock here, so slots are read from their start.
      NETWORK_CLOCK_TOLERANCE_SECONDS: '0',
      PORT: '0',
      METRICS_PORT: '0',
      COLLECTOR_MAX_RPS: '1000',
      BACKFILL_DAYS: '0',
    };
    const config = collectorService.readConfig({ ...settings, ...env });
    const days = { ...config.backfillDays, ...backfillDays };
    const service = await collectorService.create(
      { ...config, backfillDays: days },
      {
        bus,
        store,
        ...(ownParser ? {} : { parser }),
        clock: now,
        logger: silentLogger(),
        backoffMs: () => 5,
        ...overrides,
      },
    );
    collectors.push(service);
    await service.start();
    return service;
  };

  return {
    world: simulator.world,
    url,
    bus,
    store,
    clock,
    ...heard,
    collector,
    faults: async (...faults) => {
      const body = JSON.stringify({ faults });
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(`${url}/simulator/faults`, { method: 'PUT', headers, body });
      if (!answer.ok) throw new Error(await answer.text());
    },
    boardRequests: async () => {
      const { byPath } = (await (await fetch(`${url}/simulator/requests`)).json()) as RequestCounts;
      return Object.fromEntries(Object.entries(byPath).filter(([path]) => path.includes('/leaderboards/')));
    },
    requests: async () => slotRequestsOf((await (await fetch(`${url}/simulator/requests`)).json()) as RequestCounts),
    poll,
    pagesRead: () => poll(async () => (await bus.depth('collector')) === 0),
    close: async () => {
      closing.abort();
      for (const service of collectors) await service.stop();
      await bus.close();
      await store.close();
      await simulator.stop();
    },
  };
}

const inMemory = () => openSqliteCollectorStore('sqlite::memory:', 'simulated');
const inProcess = (clock: () => number) => openBus({ url: 'memory:', origin: 'simulated', clock });

function slotRequestsOf({ byPath, maxConcurrentByPath }: RequestCounts): RequestCounts {
  const filterSlotPaths = (counts: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(counts).filter(
        ([path]) => !/\/leaderboards\/|^\/(?:feeds|icons)\/|\/(?:boards|players)$/.test(path),
      ),
    );
  const paths = filterSlotPaths(byPath);
  const total = Object.values(paths).reduce((sum, count) => sum + count, 0);
  return { total, byPath: paths, maxConcurrentByPath: filterSlotPaths(maxConcurrentByPath) };
}

/** These handlers, and no-op handlers for all other messages of the service's queue. */
function withNoOpHandlers(service: ServiceName, handlers: readonly Handler[]): Handler[] {
  const heard = new Set(handlers.map(({ type }) => type.key));
  const others = allMessages.filter(({ key, consumers }) => consumers.includes(service) && !heard.has(key));
  return [...handlers, ...others.map((type) => handle(type, () => Promise.resolve()))];
}

async function listen(bus: MessageBus) {
  const slots: Stage['slots'] = [];
  const withdrawals: Stage['withdrawals'] = [];
  const titles: Stage['titles'] = [];
  const icons: Stage['icons'] = [];
  const days: RegisteredDay[] = [];
  const boards: Stage['boards'] = [];
  const confirmed: Stage['confirmed'] = [];
  const events: Stage['events'] = [];
  const players: Stage['players'] = [];
  const play: Stage['play'] = [];
  const waiting = new Set<() => void>();
  const tell = async () => {
    for (const look of waiting) look();
    await Promise.resolve();
  };
  const keep = <Data extends z.ZodType>(type: MessageType<Data>, target: Message<z.output<Data>>[]) =>
    handleBatch(type, 100, async (messages) => {
      target.push(...messages);
      await tell();
    });
  await bus.consume({
    queue: 'series-api',
    handlers: withNoOpHandlers('series-api', [
      keep(slotObserved, slots),
      keep(slotWithdrawn, withdrawals),
      handleBatch(registeredObserved, 100, async (messages) => {
        days.push(...messages.flatMap(({ data }) => data.days));
        await tell();
      }),
    ]),
  });
  await bus.consume({
    queue: 'catalog-api',
    handlers: withNoOpHandlers('catalog-api', [
      keep(titleObserved, titles),
      keep(iconObserved, icons),
      keep(boardObserved, boards),
      keep(boardConfirmed, confirmed),
      keep(eventsObserved, events),
    ]),
  });
  await bus.consume({
    queue: 'user-api',
    handlers: withNoOpHandlers('user-api', [keep(playersObserved, players), keep(playObserved, play)]),
  });
  const until: Stage['until'] = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { slots, withdrawals, titles, icons, days, boards, confirmed, events, players, play, until };
}
