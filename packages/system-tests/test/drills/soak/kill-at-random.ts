import { messageOf } from '@lobbystats/contracts/errors';
import { killAndStart } from '../inject.ts';
import type { StackStage } from '../stages/stack-stage.ts';
import { waitUntil } from '../wait.ts';

const VICTIMS = [
  ...['collector', 'series-api', 'catalog-api', 'user-api', 'reputation-api', 'gateway'],
  ...['rabbitmq', 'influxdb', 'mongodb'],
];

export interface Kill {
  readonly service: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface RandomKillsOptions {
  readonly stage: StackStage;
  readonly random: () => number;
  readonly everySeconds: number;
  /** End of the kills, in epoch milliseconds. */
  readonly until: number;
  readonly onKill: (kill: Kill) => void;
}

/** Kills and restarts random services (all replicas at once) until the end; with an interval of 0, only waits. */
export async function killAtRandom(options: RandomKillsOptions): Promise<void> {
  const { stage, random, everySeconds, onKill } = options;
  if (everySeconds === 0) return waitUntil(options.until);
  for (;;) {
    const waitMs = everySeconds * 1000 * (0.5 + random());
    const service = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'collector';
    if (Date.now() + waitMs > options.until) return;
    await waitUntil(Date.now() + waitMs);
    onKill({ service, at: Date.now() });
    await killAndStart(stage, service).catch(async (error: unknown) => {
      // A busy engine may refuse to start a container that has not fully stopped.
      process.stderr.write(`${messageOf(error).split('\n')[0] ?? ''}\n`);
      await stage.compose('start', service);
    });
  }
}
