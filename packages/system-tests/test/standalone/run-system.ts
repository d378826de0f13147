import { createSimulator, designOfSeed, type Simulator, type SimulatorOptions } from '@lobbystats/simulator';
import { cleanUp, seedOfRun, temporaryDirectory, type Scope } from '@lobbystats/test-kit';
import { readStandaloneConfig } from '@lobbystats/standalone/config';
import { createSystem } from '@lobbystats/standalone/system';

/** The standalone system with its own simulated network, in this process. */
export interface RunningSystem {
  readonly url: string;
  readonly networkUrl: string;
  readonly simulator: Simulator;
  /** The data directory. */
  readonly directory: string;
  /** Log lines. */
  readonly log: string[];
  stop(): Promise<void>;
}

export interface RunSystemOptions {
  readonly clock: () => number;
  readonly world: Omit<SimulatorOptions, 'clock'>;
  readonly env?: Readonly<Record<string, string>>;
  readonly scope?: Scope;
}

/** Settings of a system with the clock of its network, without backfill unless `env` enables it. */
export function systemEnv(directory: string, networkUrl: string, env: Readonly<Record<string, string>> = {}) {
  return {
    DATA_DIR: directory,
    NETWORK_URL: networkUrl,
    NETWORK_ORIGIN: 'simulated',
    NETWORK_CLOCK_TOLERANCE_SECONDS: '0',
    AUTH_URL: networkUrl,
    DISCORD_API_URL: `${networkUrl}/discord`,
    BACKFILL_DAYS: '0',
    COLLECTOR_MAX_RPS: '500',
    PORT: '0',
    METRICS_PORT: '0',
    ...env,
  };
}

/** Starts both. They stop at the end of the scope. */
export async function runSystem({ clock, world, env = {}, scope = 'test' }: RunSystemOptions): Promise<RunningSystem> {
  const simulator = createSimulator({ design: designOfSeed(seedOfRun()), ...world, clock });
  cleanUp(() => simulator.stop(), scope);
  const { url: networkUrl } = await simulator.start();
  const directory = temporaryDirectory(scope);
  const log: string[] = [];
  const config = readStandaloneConfig(systemEnv(directory, networkUrl, env));
  const system = createSystem(config, { clock, write: (line) => void log.push(line) });
  cleanUp(() => system.stop(), scope);
  await system.start();
  return { url: system.url(), networkUrl, simulator, directory, log, stop: () => system.stop() };
}
