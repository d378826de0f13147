import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Tells a collector what time it is, the first time also what it is; or asks what it has cost. */
export type CollectorCommand = { slotMs: number; env?: Readonly<Record<string, string>> } | 'cost';

/** A collector in a process of its own. */
export interface CollectorProcess {
  /** Resolves when it has heard, and for its cost to seconds of processor time. */
  tell(command: CollectorCommand): Promise<unknown>;
}

const STOP_WITHIN_MS = 10_000;

/** Starts one; it is gone with the stack. */
export function startCollectorProcess(stack: AsyncDisposableStack): CollectorProcess {
  const child = fork(join(import.meta.dirname, 'collector-main.ts'));
  const gone = once(child, 'exit');
  const ended = gone.then(() => {
    throw new Error('a collector has ended');
  });
  ended.catch(() => undefined);
  stack.defer(async () => {
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    child.disconnect();
    await gone;
    clearTimeout(kill);
  });
  return {
    tell: async (command) => {
      const answered = once(child, 'message');
      child.send(command);
      const [answer] = (await Promise.race([answered, ended])) as [{ fault?: string; result?: unknown }];
      if (answer.fault !== undefined) throw new Error(answer.fault);
      return answer.result;
    },
  };
}
