import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCatalogApi, readCatalogApiConfig } from '@lobbystats/catalog-api';
import { formatInstant, type EpochSeconds } from '@lobbystats/contracts';
import { readCollectorConfig } from '@lobbystats/collector';
import { openBus } from '@lobbystats/message-bus';
import { silentLogger } from '@lobbystats/service-kit';
import type { World } from '@lobbystats/simulator';
import { createContext, type Context } from '../services/collector/src/context.ts';
import { boardsInHand, createBoardCollection } from '../services/collector/src/domain/board-collection.ts';
import { createBoardHandOut } from '../services/collector/src/domain/board-hand-out.ts';
import { createBusOutlet } from '../services/collector/src/messaging/bus-outlet.ts';
import { consumeJobs } from '../services/collector/src/messaging/consume-jobs.ts';

const LOOK_MS = 20;
/** As fast as the machine can: what counts is CPU. */
const PER_SECOND = 10_000;

/** The collector's reading of boards and catalog-api behind it, on a network in a process of its own. */
export interface BoardReading {
  /** Tells the collector's memory which boards there are, as titles' pages would. */
  list(world: World, at: EpochSeconds): Promise<void>;
  /** Hands out a slot's boards; resolves when they are read and taken in. */
  turn(slot: EpochSeconds): Promise<void>;
  /** How many the network has had. */
  requests(): Promise<number>;
}

/** Starts all of it, with its files in `directory`; `stack` stops it. */
export async function startBoardReading(directory: string, stack: AsyncDisposableStack): Promise<BoardReading> {
  const network = await startNetwork(stack);
  const now = { ms: 0 };
  const clock = () => now.ms;
  const logger = silentLogger();
  const bus = await openBus({ url: 'memory:', origin: 'simulated', clock });
  stack.defer(() => bus.close());
  const env = { PORT: '0', METRICS_PORT: '0' };
  const catalogConfig = readCatalogApiConfig({ ...env, DATABASE_URL: `sqlite:${join(directory, 'catalog.sqlite')}` });
  const catalog = await createCatalogApi(catalogConfig, { bus, clock, logger });
  stack.defer(() => catalog.stop());
  await catalog.start();
  const config = readCollectorConfig({
    ...env,
    NETWORK_URL: network,
    NETWORK_ORIGIN: 'simulated',
    COLLECTOR_MAX_RPS: String(PER_SECOND),
    DATABASE_URL: `sqlite:${join(directory, 'collector.sqlite')}`,
  });
  const context = await createContext(config, { bus, clock, logger });
  stack.defer(async () => {
    context.stopping.abort();
    for (const close of context.closers.toReversed()) await close();
  });
  const handOut = await startReading(context, stack);

  return {
    list: async (world, at) => {
      for (const { titleId } of world.titlesAt(at))
        await context.store.boards.list(titleId, world.boardsAt(at, titleId));
    },
    turn: async (slot) => {
      now.ms = (slot + 1) * 1000;
      await put(`${network}/simulator/clock`, { now: formatInstant(slot + 1), rate: 0 });
      await handOut(slot);
      while ((await bus.depth('collector')) + (await bus.depth('catalog-api')) > 0) await sleep(LOOK_MS);
    },
    requests: async () => {
      const { total } = (await (await fetch(`${network}/simulator/requests`)).json()) as { total: number };
      return total;
    },
  };
}

/** Boards are read as they are handed out from now on; nothing else is. */
async function startReading(
  context: Context,
  stack: AsyncDisposableStack,
): Promise<(slot: EpochSeconds) => Promise<void>> {
  const { bus, store, backoff, telemetry } = context;
  const outlet = createBusOutlet(bus);
  const hands = boardsInHand(PER_SECOND);
  const parts = { ...context, outlet, stopping: context.stopping.signal, boardsInHand: hands };
  const { readBoard } = createBoardCollection(parts);
  const readPage = () => Promise.reject(new Error('No pages are wanted'));
  const consumer = await consumeJobs({ bus, readPage, readBoard, prefetch: hands, backoffMs: backoff });
  stack.defer(() => consumer.stop());
  // No past: the first pass is the first sight.
  await store.boardFill.begin({ fromPass: 0, toPass: 0 });
  await store.boardFill.advance(null, { next: null, reached: 0, said: [] });
  return createBoardHandOut({ boards: store.boards, fill: store.boardFill, outlet, telemetry });
}

async function put(url: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
}

/** The usual simulated network; where it is. */
async function startNetwork(stack: AsyncDisposableStack): Promise<string> {
  const main = join(import.meta.dirname, '../packages/simulator/src/main.ts');
  const child = spawn(process.execPath, [main, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  stack.defer(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  });
  return new Promise((resolve, reject) => {
    child.once('exit', () => {
      reject(new Error('The simulated network did not start'));
    });
    child.stdout.on('data', (chunk: Buffer) => {
      const url = /simulated network at (http\S+)/.exec(chunk.toString())?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}
