import { createPageParser, type PageParser } from '../src/adapters/parser/page-parser.ts';
import { silentTelemetry } from './silent-telemetry.ts';

/** A parser as the collector has it, with time for a busy machine. Its process is started when it is needed. */
export function testParser(): PageParser {
  return createPageParser({ processes: 1, deadlineMs: 60_000, memoryMb: 256, telemetry: silentTelemetry });
}
