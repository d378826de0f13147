import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestCollectorOptions } from './fixtures/collector.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/collector.ts');

export interface CollectorProcess {
  /** As it said last. */
  leads(): boolean;
  /** The number of pages of games that it has requested. */
  pages(): number;
  /** Sets its clock to the start of a slot, which it collects then if it leads. */
  begin(slotMs: number): void;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  kill(): Promise<void>;
}

/** Starts a collector in a process of its own. */
export async function startCollectorProcess(options: TestCollectorOptions): Promise<CollectorProcess> {
  const child: ChildProcess = fork(FIXTURE, [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  let told = { leads: false, pages: 0 };
  child.on('message', (message: typeof told) => (told = message));
  await once(child, 'message');
  return {
    leads: () => told.leads,
    pages: () => told.pages,
    begin: (slotMs) => void child.send(slotMs),
    signal: (name) => void child.kill(name),
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
