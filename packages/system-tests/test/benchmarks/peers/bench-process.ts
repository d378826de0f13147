import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The core of the measured server or of its load. `any`: not pinned. */
export type Core = 'server' | 'load' | 'any';

const STOP_WITHIN_MS = 10_000;

/** Whether this machine can measure CPU time per process and pin it to a core; prints the reason if not. */
export function canMeasureProcesses(say: (line: string) => void): boolean {
  if (process.platform === 'linux' && hasTaskset() && allowedCores().length > 1) return true;
  say('skipped: it needs Linux with `taskset` and two cores');
  return false;
}

const hasTaskset = () => spawnSync('taskset', ['--version']).status === 0;

/** A program of this folder that runs commands in a separate process. */
export interface BenchProcess {
  readonly pid: number;
  /** Sends a command and resolves to its result. One at a time. */
  request(command: unknown): Promise<unknown>;
}

/** Runs until the stack is disposed. */
export function startProgram(file: string, core: Core, stack: AsyncDisposableStack): BenchProcess {
  const child = startOnCore(core, join(import.meta.dirname, file), stack);
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${file} has ended`);
  });
  ended.catch(() => undefined);
  return {
    pid: pidOf(child),
    request: async (command) => {
      const answered = once(child, 'message');
      child.send(command as object);
      const [answer] = (await Promise.race([answered, ended])) as [{ fault?: string; result?: unknown }];
      if (answer.fault !== undefined) throw new Error(`${file}: ${answer.fault}`);
      return answer.result;
    },
  };
}

/** Pins the program to a core. */
function startOnCore(core: Core, main: string, stack: AsyncDisposableStack): ChildProcess {
  const [server, load] = allowedCores();
  const line = ['-c', String({ server, load, any: allowedCores() }[core]), process.execPath, main];
  const child = spawn('taskset', line, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exit = once(child, 'exit');
  stack.defer(async () => {
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    // Programs of this folder exit when the channel closes.
    if (child.connected) child.disconnect();
    await exit;
    clearTimeout(kill);
  });
  return child;
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the program could not be started');
  return pid;
}

/** CPU time of all threads of a process, with nanosecond resolution. */
export function cpuSecondsOf(pid: number): number {
  const threads = `/proc/${pid}/task`;
  const times = readdirSync(threads).map((thread) => readFileSync(join(threads, thread, 'schedstat'), 'utf8'));
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e9;
}

/** Cores that this process may use. */
function allowedCores(): number[] {
  const allowed = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return allowed.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}
