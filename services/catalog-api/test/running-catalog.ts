import {
  formatInstant,
  titleObserved,
  titleStored,
  type GameMetadata,
  type Message,
  type MessageType,
  type ObservedMetadata,
} from '@lobbystats/contracts';
import { openBus, type MessageBus } from '@lobbystats/service-kit/bus';
import { silentLogger, type OverridesOf } from '@lobbystats/service-kit';
import { until } from '@lobbystats/test-kit';
import type { z } from 'zod';
import { catalogApi } from '../src/service.ts';

export const NOW = 1_800_000_000;

/** A homepage row. */
export interface HomeRow {
  name: string;
  image?: string;
  publisher?: string;
}

/** A running catalog-api with an in-process bus and a SQLite store. */
export interface RunningCatalog {
  readonly bus: MessageBus;
  readonly url: string;
  /** Published title facts, in log order. */
  readonly facts: Message<z.output<typeof titleStored.data>>[];
  /** Published messages of a type, in log order. */
  published<Data extends z.ZodType>(type: MessageType<Data>): Message<z.output<Data>>[];
  /** Epoch milliseconds, for the test to move. */
  readonly clock: { nowMs: number };
  /** Publishes an observation and waits until it is applied. */
  observe(titles: ObservedMetadata[], options?: { seenAt?: number; past?: boolean }): Promise<void>;
  /** Like `observe`, with homepage rows by title ID. */
  observeHome(rows: Record<string, HomeRow>, options?: { seenAt?: number; past?: boolean }): Promise<void>;
  get(path: string): Promise<ApiResponse>;
  stop(): Promise<void>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface RunOptions extends OverridesOf<typeof catalogApi> {
  env?: Record<string, string>;
}

/** Starts a catalog-api on a free port, with a bus of its own unless one is given. */
export async function runCatalog({ env = {}, ...overrides }: RunOptions = {}): Promise<RunningCatalog> {
  const clock = { nowMs: NOW * 1000 };
  const bus = overrides.bus ?? (await openBus({ url: 'memory:', origin: 'simulated' }));
  const config = catalogApi.readConfig({ PORT: '0', METRICS_PORT: '0', DATABASE_URL: 'sqlite::memory:', ...env });
  const service = await catalogApi.create(config, {
    clock: () => clock.nowMs,
    logger: silentLogger(),
    validateResponses: true,
    ...overrides,
    bus,
  });
  const log: Message[] = [];
  const facts: RunningCatalog['facts'] = [];
  const reader = await bus.readLog({
    from: 'start',
    onEntry: ({ message }) => {
      log.push(message);
      if (message.type === titleStored.key) facts.push(message as RunningCatalog['facts'][number]);
    },
    onFault: (error) => {
      throw error;
    },
  });
  await service.start();

  const observe: RunningCatalog['observe'] = async (titles, { seenAt = NOW, past = false } = {}) => {
    await bus.publish(titleObserved, { seenAt: formatInstant(seenAt), titles }, { past });
    await waitUntil(async () => (await bus.depth('catalog-api')) === 0);
  };
  const stop = async () => {
    await service.stop();
    await reader.stop();
    if (overrides.bus === undefined) await bus.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    bus,
    url: service.url(),
    facts,
    published: (type) => log.filter((message) => message.type === type.key) as never,
    clock,
    observe,
    observeHome: (rows, options) => observe(homeTitles(rows), options),
    get: (path) => get(service.url() + path),
    stop: () => (stopped ??= stop()),
  };
}

/** Runs catalogs that are stopped after each test; so is whatever is passed to `closes`. */
export function catalogFixture(): {
  run: typeof runCatalog;
  closes: (close: () => Promise<void>) => void;
} {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return {
    run: async (options) => {
      const catalog = await runCatalog(options);
      closers.push(() => catalog.stop());
      return catalog;
    },
    closes: (close) => void closers.push(close),
  };
}

/** Homepage rows in the form of an observation. */
export function homeTitles(rows: Record<string, HomeRow>): ObservedMetadata[] {
  return Object.entries(rows).map(([titleId, row]) => ({
    titleId,
    home: { image: '', publisher: '', productCode: '', ...row },
  }));
}

/** The body of a response with one title. */
export function gameOf({ body }: ApiResponse): GameMetadata {
  return body as GameMetadata;
}

/** The games of a list response. */
export function gamesOf({ body }: ApiResponse): GameMetadata[] {
  return (body as { games: GameMetadata[] }).games;
}

/** The titles of the list for other services. */
export function titlesOf({ body }: ApiResponse): GameMetadata[] {
  return (body as { titles: GameMetadata[] }).titles;
}

/** Waits for a condition, at most 10 s. */
export const waitUntil = (isSo: () => boolean | Promise<boolean>): Promise<void> => until(isSo);

async function get(url: string): Promise<ApiResponse> {
  const response = await fetch(url, { headers: { connection: 'close' } });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
