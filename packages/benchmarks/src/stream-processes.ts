import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { ReadersCommand, ServerCommand } from './stream-commands.ts';

/** Starts a program of this folder until the stack is disposed. Pins it to a core if taskset is available. */
export function startChild(
  file: string,
  args: readonly string[],
  core: string | undefined,
  stack: DisposableStack | AsyncDisposableStack,
): ChildProcess {
  const started = fork(join(import.meta.dirname, file), args, { execArgv: ['--expose-gc'] });
  stack.defer(() => void started.kill('SIGKILL'));
  if (core !== undefined) spawnSync('taskset', ['-a', '-cp', core, String(started.pid)]);
  return started;
}

export function sendRequest<Reply>(asked: ChildProcess, order: ServerCommand | ReadersCommand): Promise<Reply> {
  const words = nextMessage<Reply>(asked);
  asked.send(order);
  return words;
}

/** @throws Error when the process ends before */
export function nextMessage<Reply>(from: ChildProcess): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('A process of the benchmark has ended'));
    from.once('exit', onExit);
    from.once('message', (words) => {
      from.off('exit', onExit);
      resolve(words as Reply);
    });
  });
}
