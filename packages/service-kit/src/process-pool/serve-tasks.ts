import process from 'node:process';

/** The whole program of a process of a pool. A task that rejects ends the process. */
export function serveTasks(run: (task: never) => Promise<unknown>): void {
  // A terminal sends Ctrl-C to all processes. The parent decides when this one ends; without a parent it ends by itself.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.on('message', (task) => void run(task as never).then((result) => process.send?.(result)));
  process.send?.('ready');
}
