import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulator, type World } from '@lobbystats/simulator';
import { systemEnv } from '../../standalone/run-system.ts';
import { freePorts } from '@lobbystats/test-kit/free-ports';
import { millisecondsOf, quantile } from '../abuse/timing.ts';
import { waitUntil } from '../wait.ts';
import { readMetric } from './read-metric.ts';
import { startProcess, type ServiceProcess } from './service-process.ts';

/** The first collected slot; the clock stands in it. */
export const SLOT = Date.parse('2026-01-31T12:00:00Z') / 1000;
const SLOT_OFFSET_SECONDS = 5;
const POLL_MS = 50;

/** The system as a child process, on a simulated network with some altered responses. */
export interface AlteredNetwork {
  readonly world: World;
  readonly system: ServiceProcess;
  /** Number of requests for a path, ignoring the query. */
  requestCount(path: string): number;
  metric(name: string, labels?: Readonly<Record<string, string>>): Promise<number>;
  /** Polls `/healthz` until the condition holds. Resolves to the latencies in milliseconds. */
  healthUntil(isSo: () => Promise<boolean>): Promise<number[]>;
  /** Sets both clocks to so many seconds into {@link SLOT}. */
  setClock(seconds: number): void;
  close(): Promise<void>;
}

/** @param altered handles a path; undefined passes it to the simulated network */
export async function openAlteredNetwork(
  altered: (path: string, world: World) => ((response: ServerResponse) => void) | undefined,
): Promise<AlteredNetwork> {
  let now = SLOT + SLOT_OFFSET_SECONDS;
  const simulator = createSimulator({
    clock: () => now * 1000,
    ...{ titles: 30, openMatches: 40, players: 100, boards: 0, entries: 0 },
  });
  const { url: simulated } = await simulator.start();
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const { url: target = '/', method = 'GET', headers } = request;
    const [path = '/'] = target.split('?');
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const answer = altered(path, simulator.world);
    response.sendDate = false;
    if (answer !== undefined) {
      answer(response);
      return;
    }
    void fetch(simulated + target, { method, headers: { accept: headers.accept ?? '*/*' } })
      .then(async (passed) => {
        response.writeHead(passed.status, { 'Content-Type': passed.headers.get('content-type') ?? '' });
        response.end(Buffer.from(await passed.arrayBuffer()));
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const networkUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const directory = mkdtempSync(join(tmpdir(), 'lobbystats-drill-'));
  const [metricsPort = 0] = await freePorts(1);
  const system = startProcess('packages/system-tests/test/standalone/fixtures/run-system-main.ts', {
    env: systemEnv(directory, networkUrl, { METRICS_PORT: String(metricsPort), AUTH_URL: simulated }),
    args: [String(now * 1000)],
  });
  const setClock = (seconds: number): void => {
    now = SLOT + seconds;
    system.child.stdin?.write(`${now * 1000}\n`);
  };
  const close = async (): Promise<void> => {
    await system.stop('SIGKILL');
    server.close();
    server.closeAllConnections();
    await simulator.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const url = await system.waitForOutput(/"url":"([^"]+)"/);
    setClock(SLOT_OFFSET_SECONDS);
    return {
      world: simulator.world,
      system,
      requestCount: (path) => asked.get(path) ?? 0,
      async metric(name, labels) {
        const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
        return readMetric(text, `lobbystats_${name}`, labels);
      },
      healthUntil: (isSo) => healthUntil(url, isSo),
      setClock,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function healthUntil(url: string, isSo: () => Promise<boolean>): Promise<number[]> {
  const latencies: number[] = [];
  while (!(await isSo())) {
    const ms = await millisecondsOf(async () => {
      const answer = await fetch(`${url}/healthz`);
      if (answer.status !== 200) throw new Error(`/healthz answers ${answer.status}`);
    });
    latencies.push(ms);
    await waitUntil(Date.now() + POLL_MS);
  }
  return latencies;
}

/** Describes count, 99th percentile and maximum of latencies. */
export function latencyText(latencies: readonly number[]): string {
  const longest = Math.max(...latencies);
  return `${latencies.length} answers of /healthz, p99 ${quantile(latencies, 0.99).toFixed(0)} ms, at most ${longest.toFixed(0)} ms`;
}
