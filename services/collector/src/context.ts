import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { openBus, type MessageBus } from '@lobbystats/message-bus';
import {
  busHooks,
  createHttpClient,
  createLogger,
  createMetrics,
  openParts,
  type Logger,
  type Metrics,
} from '@lobbystats/service-kit';
import { openPageFile } from './adapters/file/page-file.ts';
import { savedLines } from './adapters/file/saved-lines.ts';
import { readGamePage } from './adapters/html/read-game-page.ts';
import { readBoardPage } from './adapters/html/read-board-page.ts';
import { readHomepage } from './adapters/html/read-homepage.ts';
import { createBoardHistoryFeed } from './adapters/http/board-history-feed.ts';
import { createHistoryFeed } from './adapters/http/history-feed.ts';
import { createNetworkBoards } from './adapters/http/network-boards.ts';
import { createNetworkEvents } from './adapters/http/network-events.ts';
import { createNetworkPlayers } from './adapters/http/network-players.ts';
import { createNetworkSite } from './adapters/http/network-site.ts';
import { createPacer } from './adapters/http/pacer.ts';
import { createPlayerHistoryFeed } from './adapters/http/player-history-feed.ts';
import { createPoliteClient, type PoliteClient } from './adapters/http/polite-client.ts';
import { readEvents } from './adapters/json/read-events.ts';
import { readPlayers } from './adapters/json/read-players.ts';
import { openSqliteCollectorStore } from './adapters/sqlite/open-sqlite-collector-store.ts';
import { createServiceTelemetry } from './adapters/telemetry/service-telemetry.ts';
import { systemTime } from './adapters/time/system-time.ts';
import type { CollectorConfig } from './config.ts';
import { boardsInHand } from './domain/board-collection.ts';
import type { BoardHistory } from './domain/board-history.ts';
import type { BoardSite } from './domain/board-site.ts';
import { clockMarginsOf } from './domain/clock-margins.ts';
import { keepStatus, type CollectorStatus } from './domain/collector-status.ts';
import type { CollectorStore } from './domain/collector-store.ts';
import type { EventsFeed } from './domain/events-feed.ts';
import type { History } from './domain/history.ts';
import { leasesOf } from './domain/lease.ts';
import type { Network } from './domain/network.ts';
import { pagesInHand } from './domain/page-reading.ts';
import type { PlayerHistory } from './domain/player-history.ts';
import type { PlayersFeed } from './domain/players-feed.ts';
import type { PageReaders, SavedLine } from './domain/replay.ts';
import type { FillProgress, Telemetry } from './domain/telemetry.ts';
import { doubling, type Backoff, type Time } from './domain/time.ts';
import type { TitleMemory } from './domain/title-memory.ts';

export { carriedFills } from './adapters/carried-fills.ts';
export { collectorSchema } from './adapters/mongo/collector-schema.ts';
export { migrations as collectorMigrations } from './adapters/sqlite/migrations.ts';

/** What may come from outside instead of being made here. Who gives something closes it. */
export interface CollectorOverrides {
  bus?: MessageBus;
  store?: CollectorStore;
  /** Epoch milliseconds. */
  clock?: () => number;
  logger?: Logger;
  metrics?: Metrics;
  /** Told of each step of a first start's fill. */
  onFillProgress?: (progress: FillProgress) => void;
  /** A file that each page and feed is saved to as it came; then every page is asked for whole, changed or not. */
  saveTo?: string;
  /** The wait before a page that couldn't be had is asked for again. Default: 0.5 s, doubling up to 8 s. */
  backoffMs?: Backoff;
}

/** What the service is composed of. */
export interface Context {
  readonly bus: MessageBus;
  readonly store: CollectorStore;
  readonly network: Network;
  readonly boardSite: BoardSite;
  readonly eventsFeed: EventsFeed;
  readonly playersFeed: PlayersFeed;
  /** Undefined for a network that doesn't tell its past. */
  readonly history: History | undefined;
  readonly boardHistory: BoardHistory | undefined;
  readonly playerHistory: PlayerHistory | undefined;
  readonly telemetry: Telemetry;
  readonly status: CollectorStatus;
  readonly time: Time;
  readonly backoff: Backoff;
  /** How far into a slot its reading begins, in milliseconds. */
  readonly settleMs: number;
  /** This instance's name on leases. */
  readonly holder: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Aborted when the service stops. */
  readonly stopping: AbortController;
  /** Close what was opened here, in the order in which it was opened. */
  readonly closers: readonly (() => Promise<void>)[];
}

const VERSION = '0.1.0';

/** Opens what the configuration names, but for what is given. */
export async function createContext(config: CollectorConfig, overrides: CollectorOverrides = {}): Promise<Context> {
  const { LOG_LEVEL, LOG_FORMAT, NETWORK_ORIGIN, NETWORK_URL, NETWORK_PUBLIC_URL, HISTORY_URL, BUS_URL } = config;
  const { onFillProgress, saveTo } = overrides;
  const time = systemTime(overrides.clock ?? Date.now);
  const clock = () => time.now();
  const logger = overrides.logger ?? createLogger({ service: 'collector', level: LOG_LEVEL, format: LOG_FORMAT });
  const metrics = overrides.metrics ?? createMetrics('collector');
  const { status, telemetry } = keepStatus(
    createServiceTelemetry({ logger, metrics, clock, ...(onFillProgress && { onFillProgress }) }),
  );
  const stopping = new AbortController();
  // Every request under way and every wait listens for the stop.
  setMaxListeners(0, stopping.signal);
  const { settleMs, leewaySeconds } = clockMarginsOf(config.NETWORK_CLOCK_TOLERANCE_SECONDS);
  const holder = randomUUID();
  const client = networkClient(config, telemetry, time, stopping.signal);

  return openParts(async (part) => {
    const store = await part(overrides.store, () => openStore(config.DATABASE_URL, NETWORK_ORIGIN));
    const bus = await part(overrides.bus, () =>
      openBus({ url: BUS_URL, origin: NETWORK_ORIGIN, hooks: busHooks(logger, metrics), clock, service: 'collector' }),
    );
    const file = saveTo === undefined ? undefined : await part(undefined, () => openPageFile(saveTo));
    const saving = file && {
      onPage: (url: string, body: string) => file.save({ url, body, at: Math.floor(clock() / 1000) }),
    };
    const network = createNetworkSite({
      client,
      pages: store.pages,
      leases: leasesOf(holder, clock),
      telemetry,
      networkUrl: NETWORK_URL,
      publicUrl: NETWORK_PUBLIC_URL,
      leewaySeconds,
      ...saving,
    });
    const history = HISTORY_URL === undefined ? undefined : createHistoryFeed({ client, time, url: HISTORY_URL });
    const boardSite = createNetworkBoards({
      client,
      telemetry,
      now: clock,
      networkUrl: NETWORK_URL,
      toleranceSeconds: config.NETWORK_CLOCK_TOLERANCE_SECONDS,
      ...saving,
    });
    const eventsFeed = createNetworkEvents({
      client,
      pages: store.pages,
      leases: leasesOf(holder, clock),
      telemetry,
      now: clock,
      toleranceSeconds: config.NETWORK_CLOCK_TOLERANCE_SECONDS,
      networkUrl: NETWORK_URL,
      publicUrl: NETWORK_PUBLIC_URL,
      ...saving,
    });
    const playersFeed = createNetworkPlayers({
      client,
      pages: store.pages,
      leases: leasesOf(holder, clock),
      telemetry,
      now: clock,
      toleranceSeconds: config.NETWORK_CLOCK_TOLERANCE_SECONDS,
      networkUrl: NETWORK_URL,
      ...saving,
    });
    const playerHistory =
      HISTORY_URL === undefined ? undefined : createPlayerHistoryFeed({ client, time, url: `${HISTORY_URL}/players` });
    const boardHistory =
      HISTORY_URL === undefined ? undefined : createBoardHistoryFeed({ client, time, url: `${HISTORY_URL}/boards` });
    const backoff = overrides.backoffMs ?? doubling(500, 8000);
    return {
      bus,
      store,
      network,
      boardSite,
      eventsFeed,
      playersFeed,
      history,
      boardHistory,
      playerHistory,
      telemetry,
      status,
      time,
      backoff,
      settleMs,
      holder,
      logger,
      metrics,
      stopping,
    };
  });
}

/** The driver of a server is loaded where its URL asks for it. */
async function openStore(url: string, origin: string): Promise<CollectorStore> {
  if (!url.startsWith('mongodb')) return openSqliteCollectorStore(url, origin);
  const { openMongoCollectorStore } = await import('./adapters/mongo/open-mongo-collector-store.ts');
  return openMongoCollectorStore(url, origin);
}

/** What a replay is composed of. */
export interface ReplayContext extends Pick<Context, 'bus' | 'time' | 'closers'> {
  /** What was said of titles in this replay. */
  readonly titles: TitleMemory;
  readonly readers: PageReaders;
  readonly lines: AsyncIterable<SavedLine>;
}

/** Opens what a replay of `source` needs: no store, as it speaks of nothing that is collected now. */
export async function createReplayContext(
  source: string,
  config: CollectorConfig,
  overrides: Pick<CollectorOverrides, 'bus' | 'clock' | 'logger'> = {},
): Promise<ReplayContext> {
  const { LOG_LEVEL, LOG_FORMAT, NETWORK_ORIGIN: origin, NETWORK_PUBLIC_URL, BUS_URL } = config;
  const time = systemTime(overrides.clock ?? Date.now);
  const logger = overrides.logger ?? createLogger({ service: 'collector', level: LOG_LEVEL, format: LOG_FORMAT });
  const hooks = busHooks(logger, createMetrics('collector'));
  return openParts(async (part) => {
    const memory = await part(undefined, () => openSqliteCollectorStore('sqlite::memory:', origin));
    const bus = await part(overrides.bus, () =>
      openBus({ url: BUS_URL, origin, hooks, clock: () => time.now(), service: 'collector' }),
    );
    const readers = {
      homepage: (html: string) => readHomepage(html, `${NETWORK_PUBLIC_URL}/`),
      gamePage: readGamePage,
      boardPage: readBoardPage,
      events: (json: string) => readEvents(json, `${NETWORK_PUBLIC_URL}/`),
      players: readPlayers,
    };
    const client = createHttpClient({ timeoutMs: 10_000, maxBytes: 0, userAgent: userAgentOf(config) });
    return { bus, time, titles: memory.titles, readers, lines: savedLines(source, client) };
  });
}

/** Requests go by a clock that never jumps, and so many connections that one answer doesn't wait for another. */
function networkClient(config: CollectorConfig, telemetry: Telemetry, time: Time, stopping: AbortSignal): PoliteClient {
  const client = createHttpClient({
    timeoutMs: 10_000,
    maxBytes: 5 * 1024 * 1024,
    userAgent: userAgentOf(config),
    // The homepage, both feeds and the three histories beside them.
    maxSockets: pagesInHand(config.COLLECTOR_MAX_RPS) + boardsInHand(config.COLLECTOR_MAX_RPS) + 6,
  });
  const pacer = createPacer({
    perSecond: config.COLLECTOR_MAX_RPS,
    now: () => performance.now(),
    sleep: (ms) => time.sleep(ms, stopping),
  });
  return createPoliteClient({ client, pacer, telemetry, time, stopping });
}

function userAgentOf({ COLLECTOR_CONTACT }: CollectorConfig): string {
  return `Lobbystats/${VERSION} (+${COLLECTOR_CONTACT})`;
}
