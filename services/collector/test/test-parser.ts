import { createPageParser, type PageParser } from '../src/sources/parsing/page-parser.node.ts';
import { runTask } from '../src/sources/parsing/run-task.node.ts';
import { silentTelemetry } from './silent-telemetry.ts';

/** A page parser in this process: starting one for each suite would take most of its time. */
export function testParser(): PageParser {
  const pool = { run: runTask, close: () => Promise.resolve() };
  return createPageParser({ processes: 1, deadlineMs: 60_000, memoryMb: 256, telemetry: silentTelemetry }, pool);
}
