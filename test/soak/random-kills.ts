import { messageOf } from '@lobbystats/errors';
import { killAndStart, until } from '../drills/faults/broken-server.ts';
import type { StackStage } from '../drills/stages/stack-stage.ts';

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
  /** Epoch milliseconds, after which nothing is killed any more. */
  readonly until: number;
  readonly onKill: (kill: Kill) => void;
}

/** Waits until the time is over without killing anything, or kills one service after another (all replicas of it at once) and starts it again, until the time is over. */
export async function killAtRandom(options: RandomKillsOptions): Promise<void> {
  const { stage, random, everySeconds, onKill } = options;
  if (everySeconds === 0) return until(options.until);
  for (;;) {
    const waitMs = everySeconds * 1000 * (0.5 + random());
    const service = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'collector';
    if (Date.now() + waitMs > options.until) return;
    await until(Date.now() + waitMs);
    onKill({ service, at: Date.now() });
    await killAndStart(stage, service).catch(async (error: unknown) => {
      // An engine that is busy may refuse to start at the first try what has not ended altogether.
      process.stderr.write(`${messageOf(error).split('\n')[0] ?? ''}\n`);
      await stage.compose('start', service);
    });
  }
}
