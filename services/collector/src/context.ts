import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { openBus, type MessageBus } from '@lobbystats/message-bus';
import {
  busHooks,
  createHttpClient,
  createLogger,
  createMetrics,
  openResources,
  type Logger,
  type Metrics,
} from '@lobbystats/service-kit';
import { openPageFile, savedLines } from './replay/saved-pages.file.ts';
import { openNetwork, type OpenedNetwork, userAgentOf } from './network/open-network.http.ts';
import { createPageParser, type PageParser } from './parsing/page-parser.process.ts';
import { openSqliteCollectorStore } from './database/collector-store.sqlite.ts';
import { createServiceTelemetry } from './telemetry/telemetry.metrics.ts';
import { systemTime } from './time/time.timers.ts';
import type { CollectorConfig } from './config.ts';
import { clockMarginsOf } from './slots/slot-times.ts';
import { trackStatus, type CollectorStatus } from './telemetry/collector-status.ts';
import type { CollectorStore } from './database/collector-store.ts';
import { leasesOf } from './leases/lease.ts';
import type { PageReaders } from './replay/saved-page.ts';
import type { SavedLine } from './replay/replay.ts';
import type { BackfillProgress, Telemetry } from './telemetry/telemetry.ts';
import type { Time } from './time/time.ts';
import { exponentialBackoff, type Backoff } from '@lobbystats/concurrency';
import type { AnnouncedTitles } from './titles/announced-titles.ts';

export { exportBackfills } from './backfills/backfill-store.sqlite.ts';
export { collectorSchema } from './database/collector-schema.mongo.ts';
export { migrations as collectorMigrations } from './database/collector-store.sqlite.ts';

export interface CollectorOverrides {
  bus?: MessageBus;
  store?: CollectorStore;
  parser?: PageParser;
  clock?: () => number;
  logger?: Logger;
  metrics?: Metrics;
  onFillProgress?: (progress: BackfillProgress) => void;
  /** A file that receives each page and feed verbatim; disables conditional requests. */
  saveTo?: string;
  /** Backoff before a page is requested again after a failure. Default: 0.5 s, doubling up to 8 s. */
  backoffMs?: Backoff;
}

export interface Context extends OpenedNetwork {
  readonly bus: MessageBus;
  readonly store: CollectorStore;
  readonly telemetry: Telemetry;
  readonly status: CollectorStatus;
  readonly time: Time;
  readonly backoff: Backoff;
  /** Delay from the start of a slot to its first request, in milliseconds. */
  readonly settleMs: number;
  readonly holder: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly stopping: AbortController;
  readonly disposers: readonly (() => Promise<void>)[];
}

export async function createContext(config: CollectorConfig, overrides: CollectorOverrides = {}): Promise<Context> {
  const { LOG_LEVEL, LOG_FORMAT, NETWORK_ORIGIN, BUS_URL } = config;
  const { onFillProgress, saveTo } = overrides;
  const time = systemTime(overrides.clock ?? Date.now);
  const clock = () => time.now();
  const logger = overrides.logger ?? createLogger({ service: 'collector', level: LOG_LEVEL, format: LOG_FORMAT });
  const metrics = overrides.metrics ?? createMetrics('collector');
  const { status, telemetry } = trackStatus(
    createServiceTelemetry({ logger, metrics, clock, ...(onFillProgress && { onFillProgress }) }),
  );
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const { settleMs, leewaySeconds } = clockMarginsOf(config.NETWORK_CLOCK_TOLERANCE_SECONDS);
  const holder = randomUUID();

  return openResources(async (part) => {
    const store = await part(overrides.store, () => openStore(config.DATABASE_URL, NETWORK_ORIGIN));
    const bus = await part(overrides.bus, () =>
      openBus({ url: BUS_URL, origin: NETWORK_ORIGIN, hooks: busHooks(logger, metrics), clock, service: 'collector' }),
    );
    const file = saveTo === undefined ? undefined : await part(undefined, () => openPageFile(saveTo));
    const saving = file && {
      onPage: (url: string, body: string) => file.save({ url, body, at: Math.floor(clock() / 1000) }),
    };
    const { parse } = await part(overrides.parser, () => openParser(config, telemetry, stopping.signal));
    const opened = openNetwork(config, {
      parse,
      pages: store.pages,
      leases: leasesOf(holder, clock),
      telemetry,
      leewaySeconds,
      time,
      stopping: stopping.signal,
      ...saving,
    });
    const backoff = overrides.backoffMs ?? exponentialBackoff(500, 8000);
    return {
      bus,
      store,
      ...opened,
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

/** Loads the MongoDB driver only for a MongoDB URL. */
async function openStore(url: string, origin: string): Promise<CollectorStore> {
  if (!url.startsWith('mongodb')) return openSqliteCollectorStore(url, origin);
  const { openMongoCollectorStore } = await import('./database/collector-store.mongo.ts');
  return openMongoCollectorStore(url, origin);
}

function openParser(config: CollectorConfig, telemetry: Telemetry, stopping?: AbortSignal): PageParser {
  return createPageParser({
    processes: config.PAGE_PARSERS,
    deadlineMs: config.PAGE_PARSE_TIMEOUT_MS,
    memoryMb: config.PAGE_PARSER_MEMORY_MB,
    telemetry,
    ...(stopping && { stopping }),
  });
}

export interface ReplayContext extends Pick<Context, 'bus' | 'time' | 'disposers'> {
  readonly titles: AnnouncedTitles;
  readonly readers: PageReaders;
  readonly lines: AsyncIterable<SavedLine>;
}

export async function createReplayContext(
  source: string,
  config: CollectorConfig,
  overrides: Pick<CollectorOverrides, 'bus' | 'clock' | 'logger'> = {},
): Promise<ReplayContext> {
  const { LOG_LEVEL, LOG_FORMAT, NETWORK_ORIGIN: origin, NETWORK_PUBLIC_URL, BUS_URL } = config;
  const time = systemTime(overrides.clock ?? Date.now);
  const logger = overrides.logger ?? createLogger({ service: 'collector', level: LOG_LEVEL, format: LOG_FORMAT });
  const metrics = createMetrics('collector');
  const hooks = busHooks(logger, metrics);
  return openResources(async (part) => {
    const memory = await part(undefined, () => openSqliteCollectorStore('sqlite::memory:', origin));
    const bus = await part(overrides.bus, () =>
      openBus({ url: BUS_URL, origin, hooks, clock: () => time.now(), service: 'collector' }),
    );
    const { parse } = await part(undefined, () =>
      openParser(config, createServiceTelemetry({ logger, metrics, clock: () => time.now() })),
    );
    const readers: PageReaders = {
      homepage: (html) => parse('home', html, `${NETWORK_PUBLIC_URL}/`),
      gamePage: (html) => parse('game', html),
      boardPage: (html) => parse('board', html),
      events: (json) => parse('events', json, `${NETWORK_PUBLIC_URL}/`),
      players: (json) => parse('players', json),
    };
    const client = createHttpClient({ timeoutMs: 10_000, maxBytes: 0, userAgent: userAgentOf(config) });
    return { bus, time, titles: memory.titles, readers, lines: savedLines(source, client) };
  });
}
