import { ProcessEndedError, startProcess, type PoolProcess } from './pool-process.ts';

export interface ProcessPoolOptions {
  /** The path of the module that each process runs. */
  entry: string;
  /** Processes at most; each is started when it is needed. */
  size: number;
  /** The heap of a process, at most, in MiB. */
  memoryMb: number;
  /** Called when a process ends by itself, for any other reason than its memory. The next task starts another. */
  onCrash: (error: ProcessEndedError) => void;
}

interface TaskOptions {
  /** The time that the task may take once it has begun, in milliseconds. */
  deadlineMs: number;
  /** Whether it goes before tasks that aren't urgent. */
  isUrgent: boolean;
}

/** Child processes that share a queue of tasks. */
export interface ProcessPool<Task, Answer> {
  /** Rejects with a ProcessEndedError when the process ended before it answered, or when the pool is closed. */
  run(task: Task, options: TaskOptions): Promise<Answer>;
  /** Ends all processes; tasks that aren't done reject. */
  close(): Promise<void>;
}

interface Job<Task, Answer> extends TaskOptions, PromiseWithResolvers<Answer> {
  task: Task;
}

export function createProcessPool<Task extends object, Answer>(options: ProcessPoolOptions): ProcessPool<Task, Answer> {
  const { entry, size, memoryMb, onCrash } = options;
  const urgent: Job<Task, Answer>[] = [];
  const others: Job<Task, Answer>[] = [];
  const processes = new Set<PoolProcess<Task, Answer>>();
  const idle: PoolProcess<Task, Answer>[] = [];
  let starting = 0;
  let isClosed = false;

  return {
    run(task, taskOptions) {
      const job = { task, ...taskOptions, ...Promise.withResolvers<Answer>() };
      if (isClosed) job.reject(closedError());
      else (job.isUrgent ? urgent : others).push(job);
      dispatch();
      return job.promise;
    },
    async close() {
      isClosed = true;
      for (const job of [...urgent.splice(0), ...others.splice(0)]) job.reject(closedError());
      const ended = [...processes].map(async (each) => {
        each.kill();
        await each.ended;
      });
      await Promise.all(ended);
    },
  };

  function dispatch(): void {
    while (idle.length > 0 && urgent.length + others.length > 0) {
      const free = idle.pop();
      const job = urgent.shift() ?? others.shift();
      if (free !== undefined && job !== undefined) void work(free, job);
    }
    while (processes.size < size && starting < urgent.length + others.length) void start();
  }

  async function start(): Promise<void> {
    const started = startProcess<Task, Answer>(entry, memoryMb);
    processes.add(started);
    starting += 1;
    void started.ended.then(() => remove(started));
    try {
      await started.ready;
      idle.push(started);
    } catch (error) {
      // Every task would wait for ever if no process can be started.
      report(error);
      (urgent.shift() ?? others.shift())?.reject(new Error('No process could be started', { cause: error }));
    } finally {
      starting -= 1;
      dispatch();
    }
  }

  async function work(free: PoolProcess<Task, Answer>, job: Job<Task, Answer>): Promise<void> {
    try {
      job.resolve(await free.run(job.task, job.deadlineMs));
      if (processes.has(free)) idle.push(free);
    } catch (error) {
      report(error);
      job.reject(isClosed ? closedError() : error);
    }
    dispatch();
  }

  function remove(ended: PoolProcess<Task, Answer>): void {
    processes.delete(ended);
    if (idle.includes(ended)) {
      idle.splice(idle.indexOf(ended), 1);
      if (!isClosed) onCrash(new ProcessEndedError('crash', 'The process ended while it was idle'));
    }
    dispatch();
  }

  function report(error: unknown): void {
    if (!isClosed && error instanceof ProcessEndedError && error.reason === 'crash') onCrash(error);
  }
}

function closedError(): Error {
  return new Error('The pool is closed');
}
