import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once, setMaxListeners } from 'node:events';
import { createAccounts, createSessions, type Account } from './auth/accounts.ts';
import { createFaultList } from './faults/fault-list.ts';
import { createSimulatorApp } from './simulator-app.ts';
import { createSimulatorClock } from './simulator-clock.ts';
import { simulatorOptionsSchema, type SimulatorOptions } from './simulator-options.ts';
import { createWorld, type World } from './world/world.ts';

const STOP_GRACE_MS = 1_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

export interface Simulator {
  /** May be called again after `stop`. */
  start(): Promise<{ url: string; port: number }>;
  /** Stops listening, waits a second for requests, then closes connections. Idempotent. */
  stop(): Promise<void>;
  world: World;
  accounts: readonly Account[];
}

/** Invalid options throw a `ZodError`. */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const parsed = simulatorOptionsSchema.parse(options);
  const { host, port, latencyMs, discordToken, clock: baseClock, log, ...worldOptions } = parsed;
  const world = createWorld(worldOptions);
  const accounts = createAccounts(world, worldOptions.seed);
  const sessions = createSessions(() => randomBytes(24).toString('base64url'));
  const clock = createSimulatorClock(baseClock);
  const faults = createFaultList(latencyMs === 0 ? [] : [{ path: '*', kind: 'latency', ms: latencyMs }]);
  let running: { server: Server; stopping: AbortController } | undefined;

  return {
    world,
    accounts,
    async start() {
      if (running !== undefined) throw new Error('the simulator is already started');
      const stopping = new AbortController();
      setMaxListeners(0, stopping.signal);
      const access = { accounts, sessions, discordToken };
      const app = createSimulatorApp({ world, ...access, clock, faults, stopping: stopping.signal, log });
      const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS }, app);
      running = { server, stopping };
      try {
        const address = await listen(server, host, port);
        const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
        log(`simulated network at ${url}`);
        return { url, port: address.port };
      } catch (error) {
        running = undefined;
        throw error;
      }
    },
    async stop() {
      if (running === undefined) return;
      const { server, stopping } = running;
      running = undefined;
      stopping.abort();
      await close(server);
      log('simulated network stopped');
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  server.listen(port, host);
  await once(server, 'listening');
  return server.address() as AddressInfo;
}

async function close(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
  clearTimeout(cut);
}
