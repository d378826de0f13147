import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulator, type SimulatorOptions } from '@lobbystats/simulator';
import { getJson } from '@lobbystats/test-kit';
import { sendRequest } from '@lobbystats/test-kit/send-request';
import { systemEnv } from '../../standalone/run-system.ts';
import { freePorts } from '@lobbystats/test-kit/free-ports';
import { signInKnownUsers } from './known-users.ts';
import { readMetric } from './read-metric.ts';
import { startProcess, type ServiceProcess } from './service-process.ts';
import { SHORT_BACKFILL, type Stage, type Trap } from './stage.ts';
import { failingRoutes } from './failing-routes.ts';
import { warmUp } from './warm-up.ts';

/** Enough data for every route, and small enough to be loaded in seconds. */
const SMALL_WORLD = { titles: 20, openMatches: 8, players: 300, boards: 60, entries: 3000 };

/** `npm start` as a child process with its own data directory and simulated network. */
export interface StandaloneStage extends Stage {
  readonly kind: 'standalone';
  readonly process: ServiceProcess;
  /** The data directory. */
  readonly directory: string;
}

export interface StandaloneOptions {
  readonly world?: SimulatorOptions;
  readonly env?: Readonly<Record<string, string>>;
}

export async function openStandalone({ world = {}, env = {} }: StandaloneOptions = {}): Promise<StandaloneStage> {
  const simulator = createSimulator({ ...SMALL_WORLD, ...world });
  const { url: networkUrl } = await simulator.start();
  const directory = mkdtempSync(join(tmpdir(), 'lobbystats-drill-'));
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) };
  const process = startProcess('services/standalone/src/main.ts', {
    env: {
      ...systemEnv(directory, networkUrl, SHORT_BACKFILL),
      NETWORK_CLOCK_TOLERANCE_SECONDS: '2',
      ...ports,
      ...env,
    },
  });
  const close = async (): Promise<void> => {
    await process.stop('SIGKILL');
    await simulator.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  const metrics = async (): Promise<string> =>
    (await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers: { connection: 'close' } })).text();
  try {
    const url = await process.waitForOutput(/is ready: (\S+)/);
    const users = await signInKnownUsers(url, networkUrl);
    await warmUp(url);
    return {
      kind: 'standalone',
      ...{ url, networkUrl, users, process, directory, metrics, close },
      request: (path, options) => sendRequest(url, path, options),
      memory: async () => ({ standalone: readMetric(await metrics(), 'process_resident_memory_bytes') }),
      markLog: () => String(process.output().length),
      logs: async (mark = '0') => process.output().slice(Number(mark)),
      countStored: async (texts) =>
        readdirSync(directory)
          .map((file) => readFileSync(join(directory, file), 'latin1'))
          .filter((content) => texts.some((text) => content.includes(text))).length,
      incarnations: async () => ({ standalone: process.isRunning() ? String(process.child.pid) : 'gone' }),
      unhealthy: async () => {
        const { status } = await getJson(`${url}/readyz`).catch(() => ({ status: 0 }));
        return [...(status === 200 ? [] : ['standalone']), ...(await failingRoutes(url, users[0].username))];
      },
      trap: openTrap,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens a trap on loopback, under all spellings of its address. */
async function openTrap(): Promise<Trap> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    addresses: ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]'].map(
      (host) => `${host}:${port}`,
    ),
    connections: async () => connections,
    close: async () => {
      server.close();
    },
  };
}
