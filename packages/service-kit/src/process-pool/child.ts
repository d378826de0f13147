import { fork } from 'node:child_process';

/** Why a process ended while it had a task: its deadline, its memory, or a crash of another kind. */
export type EndReason = 'deadline' | 'memory' | 'crash';

export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError';
  readonly reason: EndReason;

  constructor(reason: EndReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface PoolProcess<Task, Result> {
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  /** Runs one task at a time. Kills the process at the deadline, and rejects with a ProcessEndedError then. */
  run(task: Task, deadlineMs: number): Promise<Result>;
  kill(): void;
}

/** Length of the stderr excerpt in a crash message. */
const STDERR_CHARACTERS = 500;

/** Forks a module that sends one message when it is ready and one response for each message it receives. */
export function startProcess<Task extends object, Result>(entry: string, memoryMb: number): PoolProcess<Task, Result> {
  const child = fork(entry, [], {
    // The young generation is beside this heap: V8 would let it grow to 128 MB.
    execArgv: [`--max-old-space-size=${memoryMb}`, '--max-semi-space-size=16'],
    // The child parses untrusted input, so it gets none of the service's secrets.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  let isLate = false;
  let pending: PromiseWithResolvers<unknown> | undefined;
  const ended = Promise.withResolvers<undefined>();

  child.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-STDERR_CHARACTERS)));
  child.on('message', (response: unknown) => settle()?.resolve(response));
  child.once('error', (error) => end(error.message, null));
  child.once('exit', (code, signal) => end(signal ?? `code ${code ?? ''}`, signal));

  return {
    ready: response().then(() => undefined),
    ended: ended.promise,
    async run(task, deadlineMs) {
      const answered = response();
      const ownPending = pending;
      const endLate = () =>
        setImmediate(() => {
          if (pending !== ownPending) return;
          isLate = true;
          child.kill('SIGKILL');
        });
      const timer = startDeadline(deadlineMs, endLate);
      child.send(task, (error) => error && child.kill('SIGKILL'));
      try {
        return (await answered) as Result;
      } finally {
        timer.clear();
      }
    },
    kill: () => void child.kill('SIGKILL'),
  };

  function response(): Promise<unknown> {
    pending = Promise.withResolvers();
    return pending.promise;
  }

  function settle(): PromiseWithResolvers<unknown> | undefined {
    const settled = pending;
    pending = undefined;
    return settled;
  }

  function end(how: string, signal: NodeJS.Signals | null): void {
    const reason = isLate ? 'deadline' : reasonOf(signal);
    settle()?.reject(new ProcessEndedError(reason, `The process ended with ${how}: ${stderr.trim()}`));
    ended.resolve(undefined);
  }
}

/** A timer is later than this only when the event loop was blocked. */
const MAX_LATENESS_MS = 50;

/** Extends the deadline by the time in which this process was blocked, since it could not read a response then. */
function startDeadline(ms: number, onOver: () => void): { clear(): void } {
  const dueMs = performance.now() + ms;
  let timer = setTimeout(() => {
    const lateMs = performance.now() - dueMs;
    if (lateMs <= MAX_LATENESS_MS) onOver();
    else timer = setTimeout(onOver, lateMs);
  }, ms);
  return { clear: () => clearTimeout(timer) };
}

/** V8 aborts a process whose heap is full; Linux kills one that takes more memory than its container has. */
function reasonOf(signal: NodeJS.Signals | null): EndReason {
  return signal === 'SIGABRT' || signal === 'SIGKILL' ? 'memory' : 'crash';
}
