import { createPageParser, type PageParser } from '../src/parsing/page-parser.node.ts';
import { silentTelemetry } from './silent-telemetry.ts';

/** A page parser with a deadline for busy machines. Its process starts with the first task. */
export function testParser(): PageParser {
  return createPageParser({ processes: 1, deadlineMs: 60_000, memoryMb: 256, telemetry: silentTelemetry });
}
