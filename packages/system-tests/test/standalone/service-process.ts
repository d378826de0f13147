import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');

/** A child process with its output. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Standard output and standard error so far, as text. */
  output(): string;
  /** Resolves to the first group of the first match in its output. @throws Error when it exits before */
  waitForOutput(pattern: RegExp): Promise<string>;
  isRunning(): boolean;
  /** Resolves to its exit code, null when a signal ended it. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Sends SIGKILL after `inMs` and waits for the exit. */
  kill(inMs?: number): Promise<void>;
}

export interface ProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Options of Node. */
  readonly nodeArgs?: readonly string[];
}

/** @param main path of the program from the repository root */
export function startProcess(main: string, { env, args = [], nodeArgs = [] }: ProcessOptions): ServiceProcess {
  const child = spawn(process.execPath, [...nodeArgs, join(ROOT, main), ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      chunks.push(chunk);
      for (const listener of listeners) listener();
    });
  }
  const exited = once(child, 'exit');
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const output = (): string => chunks.join('');
  const waitForOutput = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(output())?.[1];
      if (found !== undefined) return found;
      if (!isRunning()) throw new Error(`${main} ended: ${output().slice(-2000)}`);
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const listener = (): void => resolve(undefined);
      listeners.add(listener);
      await Promise.race([promise, exited]);
      listeners.delete(listener);
    }
  };
  return {
    child,
    output,
    waitForOutput,
    isRunning,
    stop: async (signal) => {
      if (isRunning()) {
        child.kill(signal);
        await exited;
      }
      return child.exitCode;
    },
    kill: async (inMs = 0) => {
      setTimeout(() => child.kill('SIGKILL'), inMs);
      await exited;
    },
  };
}
