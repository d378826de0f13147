import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cleanUp } from '@lobbystats/test-kit';

/** A line that the process prints: its URL once it is ready, and the progress of the backfill. */
export interface SystemEvent {
  readonly url?: string;
  readonly fill?: { readonly doneSlots: number; readonly totalSlots: number };
}

/** The standalone system as a child process. */
export interface KillableSystem {
  readonly url: string;
  /** Sets the clock and stops it, in epoch milliseconds. */
  setClock(nowMs: number): void;
  /** Sends SIGKILL after `inMs` and waits for the exit. */
  kill(inMs?: number): Promise<void>;
}

/** As npm scripts do it, since stripping the types of all sources takes a third of a start. */
const PREPARE_NODE = join(import.meta.dirname, '../../../service-kit/src/process/prepare-node.cjs');

/** Starts the system. Its clock begins at `beginMs`. It is killed at the end of the test file. */
export function spawnSystem(beginMs: number, env: NodeJS.ProcessEnv): ChildProcess {
  const main = join(import.meta.dirname, 'fixtures/run-system-main.ts');
  const child = spawn(process.execPath, ['-r', PREPARE_NODE, main, String(beginMs)], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  cleanUp(() => child.kill('SIGKILL'), 'file');
  return child;
}

export async function* eventsOf({ stdout }: ChildProcess): AsyncGenerator<SystemEvent> {
  for await (const line of createInterface({ input: stdout! })) yield JSON.parse(line) as SystemEvent;
}

/** Starts the system. Resolves when it is ready. */
export async function startKillable(beginMs: number, env: NodeJS.ProcessEnv): Promise<KillableSystem> {
  const child = spawnSystem(beginMs, env);
  const url = await urlOf(child);
  return {
    url,
    setClock: (nowMs) => void child.stdin?.write(`${nowMs}\n`),
    kill: async (inMs = 0) => {
      const ended = exited(child);
      setTimeout(() => child.kill('SIGKILL'), inMs);
      await ended;
    },
  };
}

/** @throws Error when it ends before it is ready */
export async function urlOf(child: ChildProcess): Promise<string> {
  for await (const { url } of eventsOf(child)) if (url !== undefined) return url;
  throw new Error('the system ended before it was ready');
}

export async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
