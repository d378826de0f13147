import PQueue from 'p-queue';
import { ProcessEndedError, startProcess, type PoolProcess } from './child.ts';

export interface ProcessPoolOptions {
  entry: string;
  size: number;
  memoryMb: number;
  /** After this time without a task a process ends, and frees its memory. */
  idleMs: number;
  onCrash: (error: ProcessEndedError) => void;
}

interface TaskOptions {
  deadlineMs: number;
  isUrgent: boolean;
}

export interface ProcessPool<Task, Result> {
  run(task: Task, options: TaskOptions): Promise<Result>;
  close(): Promise<void>;
}

export function createProcessPool<Task extends object, Result>(options: ProcessPoolOptions): ProcessPool<Task, Result> {
  const { entry, size, memoryMb, idleMs, onCrash } = options;
  const queue = new PQueue({ concurrency: size });
  const closing = new AbortController();
  const processes = new Set<PoolProcess<Task, Result>>();
  const idle: PoolProcess<Task, Result>[] = [];
  const timers = new Map<PoolProcess<Task, Result>, NodeJS.Timeout>();

  return {
    run: (task, { deadlineMs, isUrgent }) =>
      queue.add(() => work(task, deadlineMs), { priority: isUrgent ? 1 : 0, signal: closing.signal }),
    async close() {
      closing.abort(new Error('The pool is closed'));
      const ended = [...processes].map(async (each) => {
        each.kill();
        await each.ended;
      });
      await Promise.all(ended);
    },
  };

  async function work(task: Task, deadlineMs: number): Promise<Result> {
    const free = takeIdle() ?? (await start());
    try {
      const response = await free.run(task, deadlineMs);
      if (processes.has(free)) leaveIdle(free);
      return response;
    } catch (error) {
      report(error);
      throw error;
    }
  }

  function takeIdle(): PoolProcess<Task, Result> | undefined {
    const free = idle.pop();
    if (free !== undefined) clearTimeout(timers.get(free));
    return free;
  }

  function leaveIdle(free: PoolProcess<Task, Result>): void {
    idle.push(free);
    const end = () => {
      idle.splice(idle.indexOf(free), 1);
      free.kill();
    };
    timers.set(free, setTimeout(end, idleMs).unref());
  }

  async function start(): Promise<PoolProcess<Task, Result>> {
    const started = startProcess<Task, Result>(entry, memoryMb);
    processes.add(started);
    void started.ended.then(() => remove(started));
    try {
      await started.ready;
      return started;
    } catch (error) {
      report(error);
      throw new Error('No process could be started', { cause: error });
    }
  }

  function remove(ended: PoolProcess<Task, Result>): void {
    processes.delete(ended);
    clearTimeout(timers.get(ended));
    timers.delete(ended);
    if (idle.includes(ended)) {
      idle.splice(idle.indexOf(ended), 1);
      report(new ProcessEndedError('crash', 'The process ended while it was idle'));
    }
  }

  function report(error: unknown): void {
    if (!closing.signal.aborted && error instanceof ProcessEndedError && error.reason === 'crash') onCrash(error);
  }
}
