import {
  formatInstant,
  titleObserved,
  titleStored,
  type GameMetadata,
  type Message,
  type MessageType,
  type ObservedMetadata,
} from '@lobbystats/contracts';
import { openBus, type MessageBus } from '@lobbystats/message-bus';
import { silentLogger } from '@lobbystats/service-kit';
import type { z } from 'zod';
import { createCatalogApi, readCatalogApiConfig, type CatalogApiOverrides } from '../src/service.ts';

export const NOW = 1_800_000_000;

/** A homepage row. */
export interface HomeRow {
  name: string;
  image?: string;
  publisher?: string;
}

/** A catalog-api with an in-process bus and a SQLite store, as a test talks to it. */
export interface RunningCatalog {
  readonly bus: MessageBus;
  readonly url: string;
  /** What the service has said of titles, in the log's order. */
  readonly facts: Message<z.output<typeof titleStored.data>>[];
  /** What it has said in messages of a type, in the log's order. */
  said<Data extends z.ZodType>(type: MessageType<Data>): Message<z.output<Data>>[];
  /** Epoch milliseconds, for the test to move. */
  readonly clock: { nowMs: number };
  /** Publishes an observation and waits until it is taken in. */
  observe(titles: ObservedMetadata[], options?: { seenAt?: number; past?: boolean }): Promise<void>;
  /** The same, of homepage rows by title ID. */
  observeHome(rows: Record<string, HomeRow>, options?: { seenAt?: number; past?: boolean }): Promise<void>;
  get(path: string): Promise<Answer>;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface RunOptions extends CatalogApiOverrides {
  env?: Record<string, string>;
}

/** Starts a catalog-api on a free port, with a bus of its own unless one is given. */
export async function runCatalog({ env = {}, ...overrides }: RunOptions = {}): Promise<RunningCatalog> {
  const clock = { nowMs: NOW * 1000 };
  const bus = overrides.bus ?? (await openBus({ url: 'memory:', origin: 'simulated' }));
  const config = readCatalogApiConfig({ PORT: '0', METRICS_PORT: '0', DATABASE_URL: 'sqlite::memory:', ...env });
  const service = await createCatalogApi(config, {
    clock: () => clock.nowMs,
    logger: silentLogger(),
    checkAnswers: true,
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
    await until(async () => (await bus.depth('catalog-api')) === 0);
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
    said: (type) => log.filter((message) => message.type === type.key) as never,
    clock,
    observe,
    observeHome: (rows, options) => observe(homeTitles(rows), options),
    get: (path) => get(service.url() + path),
    stop: () => (stopped ??= stop()),
  };
}

/** Runs catalogs that are stopped after each test, as are the other things that are given to `closes`. */
export function catalogsOfOneTest(): {
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

/** Homepage rows as an observation has them. */
export function homeTitles(rows: Record<string, HomeRow>): ObservedMetadata[] {
  return Object.entries(rows).map(([titleId, row]) => ({ titleId, home: { image: '', publisher: '', ...row } }));
}

/** The body of a title's answer. */
export function gameOf({ body }: Answer): GameMetadata {
  return body as GameMetadata;
}

/** The games of a list's answer. */
export function gamesOf({ body }: Answer): GameMetadata[] {
  return (body as { games: GameMetadata[] }).games;
}

/** The titles of the answer to other services. */
export function titlesOf({ body }: Answer): GameMetadata[] {
  return (body as { titles: GameMetadata[] }).titles;
}

/** Waits until something is so; gives up after 10 s. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Never came about: ${isSo.toString()}`);
    await new Promise((resolve) => setTimeout(() => resolve(undefined), 2));
  }
}

async function get(url: string): Promise<Answer> {
  const response = await fetch(url, { headers: { connection: 'close' } });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
