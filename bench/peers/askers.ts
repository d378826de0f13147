import { constants, setPriority } from 'node:os';
import type { BucketNames } from '../../services/series-api/src/adapters/influx/buckets.ts';
import { startProgram } from './own-process.ts';

/** Whom they ask, and how many at once. */
export interface Asking {
  /** InfluxDB's, or that of the door before it. */
  url: string;
  token: string;
  buckets: BucketNames;
  loops: number;
}

/** Analysts, in a process of their own. */
export interface Askers {
  begin(asking: Asking): Promise<unknown>;
  /** What was answered, and what refused, since they began. */
  stop(): Promise<{ answered: number; refused: number }>;
}

/** Starts a process that asks InfluxDB the heaviest questions in loops, when it is told to; it ends with the stack. */
export function startAskers(stack: AsyncDisposableStack): Askers {
  const program = startProgram('askers-main.ts', 'server', stack);
  // On another machine in earnest: what they cost on this one is to be in nobody's way.
  setPriority(program.pid, constants.priority.PRIORITY_LOW);
  return {
    begin: (asking) => program.ask(asking),
    stop: async () => (await program.ask('stop')) as { answered: number; refused: number },
  };
}
