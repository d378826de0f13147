import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** For whom a core is: what is measured, or what loads it. Neither takes the other's time. `any`: where the kernel sees fit. */
export type Core = 'server' | 'load' | 'any';

const STOP_WITHIN_MS = 10_000;

/** Whether this machine can tell what a process costs and keep it on a core; says so if it can't. */
export function canMeasureProcesses(say: (line: string) => void): boolean {
  if (process.platform === 'linux' && findProgram('taskset') !== undefined && allowedCores().length > 1) return true;
  say('left out: it needs Linux with `taskset` and two cores');
  return false;
}

/** A program of this folder in a process of its own, which does as it is told. */
export interface OwnProcess {
  readonly pid: number;
  /** Sends a command, and resolves to what answers it. One at a time. */
  ask(command: unknown): Promise<unknown>;
}

/** Starts a program of this folder on a core; it is stopped with the stack. */
export function startProgram(file: string, core: Core, stack: AsyncDisposableStack): OwnProcess {
  const child = startOnCore(core, process.execPath, [join(import.meta.dirname, file)], stack, ['ipc']);
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${file} has ended`);
  });
  ended.catch(() => undefined);
  return {
    pid: pidOf(child),
    ask: async (command) => {
      const answered = once(child, 'message');
      child.send(command as object);
      const [answer] = (await Promise.race([answered, ended])) as [{ fault?: string; result?: unknown }];
      if (answer.fault !== undefined) throw new Error(`${file}: ${answer.fault}`);
      return answer.result;
    },
  };
}

/** Starts a program that stays on a core. */
export function startOnCore(
  core: Core,
  command: string,
  args: readonly string[],
  stack: AsyncDisposableStack,
  channels: readonly 'ipc'[] = [],
): ChildProcess {
  const [server, load] = allowedCores();
  const cores = { server, load, any: allowedCores() };
  const line = ['-c', String(cores[core]), command, ...args];
  const child = spawn('taskset', line, { stdio: ['ignore', 'inherit', 'inherit', ...channels] });
  const gone = once(child, 'exit');
  stack.defer(async () => {
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    // Our own programs end when nobody is there any more to tell them what to do.
    if (child.connected) child.disconnect();
    else child.kill('SIGTERM');
    await gone;
    clearTimeout(kill);
  });
  return child;
}

/** Where a program is, if this machine has it. */
export function findProgram(name: string): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

export function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the program could not be started');
  return pid;
}

/** Processor time that all threads of a process have had, in seconds, to the nanosecond. */
export function cpuSecondsOf(pid: number): number {
  const threads = `/proc/${pid}/task`;
  const times = readdirSync(threads).map((thread) => readFileSync(join(threads, thread, 'schedstat'), 'utf8'));
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e9;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Those of the machine's on which this process may run. */
function allowedCores(): number[] {
  const allowed = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return allowed.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}
