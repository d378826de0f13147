import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Sets the clock, and starts a collector if `env` is given; or requests its CPU time. */
export type CollectorCommand = { slotMs: number; env?: Readonly<Record<string, string>> } | 'cost';

/** A collector in a separate process. */
export interface CollectorProcess {
  /** Resolves when the command is processed; for `cost` to seconds of CPU time. */
  send(command: CollectorCommand): Promise<unknown>;
}

const STOP_WITHIN_MS = 10_000;

/** Runs until the stack is disposed. */
export function startCollectorProcess(stack: AsyncDisposableStack): CollectorProcess {
  const child = fork(join(import.meta.dirname, 'collector-main.ts'));
  const exit = once(child, 'exit');
  const ended = exit.then(() => {
    throw new Error('a collector has ended');
  });
  ended.catch(() => undefined);
  stack.defer(async () => {
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    child.disconnect();
    await exit;
    clearTimeout(kill);
  });
  return {
    send: async (command) => {
      const answered = once(child, 'message');
      child.send(command);
      const [answer] = (await Promise.race([answered, ended])) as [{ fault?: string; result?: unknown }];
      if (answer.fault !== undefined) throw new Error(answer.fault);
      return answer.result;
    },
  };
}
