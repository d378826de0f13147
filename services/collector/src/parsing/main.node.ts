import process from 'node:process';
import type { ParseTask } from './parsers.node.ts';
import { runTask } from './run-task.node.ts';

// A terminal sends Ctrl-C to all processes. The parent decides when this one ends; without a parent it ends by itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

process.on('message', (task: ParseTask) => void runTask(task).then((result) => process.send?.(result)));
process.send?.('ready');
