import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createProcessPool, ProcessEndedError, type ProcessPool } from '@lobbystats/service-kit/process-pool';
import { PageFailure, UnparseablePageError, sampleOf } from '../../network/page-failures.ts';
import type { ParserLabel, Telemetry } from '../../telemetry/telemetry.ts';
import type { PageBody, Parse, ParseContext, ParseResult, ParserName, ParseTask, ReadingOf } from './parsers.node.ts';

/** A slot's pages take less. Starting a process again takes a third of a second, and keeping it 90 MB. */
const IDLE_MS = 60_000;

/** One processor is left to the rest of the collector. */
const PROCESSES = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Both suffice for a homepage of about ten thousand games. */
const DEADLINE_MS = 2000;
const MEMORY_MB = 256;

/**
 * Time limits as multiples of that of a page. The homepage and feeds list all games and users. The past is not urgent, and a day of it that
 * takes too long on a busy machine is read again only in the next slot.
 */
const DEADLINE_FACTORS: Readonly<Record<ParserLabel, number>> = {
  ...{ home: 5, events: 5, players: 5, history: 20 },
  ...{ game: 1, board: 1, icon: 1 },
};
/** A slot waits for these pages. */
const URGENT: ReadonlySet<ParserLabel> = new Set(['home', 'game']);

const LABELS: Readonly<Record<ParserName, ParserLabel>> = {
  ...{ home: 'home', siteCounts: 'home' },
  ...{ game: 'game', gameWithBoards: 'game', gameData: 'game' },
  ...{ board: 'board', boardEntries: 'board' },
  ...{ icon: 'icon', events: 'events', players: 'players' },
  ...{ pastSlots: 'history', pastDays: 'history', pastBoards: 'history', pastPlayers: 'history' },
};

export interface PageParserOptions {
  /** Maximum number of processes. Default: 2, at most one less than the number of processors. */
  processes?: number;
  /** Time limit of a page in milliseconds; the homepage and feeds may take five times as long, the past twenty times. Default: 2000. */
  deadlineMs?: number;
  /** Heap limit of a process in MiB. Default: 256. */
  memoryMb?: number;
  telemetry: Pick<Telemetry, 'pageParsed' | 'pageTerminated' | 'fault'>;
  stopping?: AbortSignal;
}

/** Parses pages in child processes, which isolates pages that take too much time or memory. */
export interface PageParser {
  readonly parse: Parse;
  close(): Promise<void>;
}

export function createPageParser(options: PageParserOptions, pool = createParserPool(options)): PageParser {
  const { deadlineMs = DEADLINE_MS, memoryMb = MEMORY_MB, telemetry, stopping } = options;
  stopping?.addEventListener('abort', () => void pool.close(), { once: true });

  return { parse, close: () => pool.close() };

  async function parse<Name extends ParserName>(
    parser: Name,
    body: PageBody,
    context: ParseContext = {},
  ): Promise<ReadingOf<Name>> {
    const begunMs = performance.now();
    const label = LABELS[parser];
    const limits = { deadlineMs: DEADLINE_FACTORS[label] * deadlineMs, isUrgent: URGENT.has(label) };
    const response = await pool.run({ ...context, parser, body }, limits).catch((error: unknown) => {
      if (stopping?.aborted === true) throw new PageFailure('late', 'The collector stops', { cause: error });
      if (!(error instanceof ProcessEndedError)) throw error;
      telemetry.pageTerminated(label, error.reason);
      const reason = REASONS[error.reason](limits.deadlineMs, memoryMb);
      throw new UnparseablePageError(reason, { sample: sampleOf(textOf(body)), isFinal: true });
    });
    telemetry.pageParsed(label, performance.now() - begunMs);
    switch (response.kind) {
      case 'read':
        return JSON.parse(response.json) as ReadingOf<Name>;
      case 'unparseable': {
        const { reason, isFinal } = response;
        throw new UnparseablePageError(reason, { sample: sampleOf(textOf(body)), isFinal });
      }
      case 'fault':
        throw new Error(`A page could not be parsed: ${response.message}`);
    }
  }
}

function createParserPool({
  processes = PROCESSES,
  memoryMb = MEMORY_MB,
  telemetry,
}: PageParserOptions): ProcessPool<ParseTask, ParseResult> {
  return createProcessPool({
    entry: join(import.meta.dirname, 'main.node.ts'),
    size: processes,
    memoryMb,
    idleMs: IDLE_MS,
    onCrash: (error) => telemetry.fault('parser process crashed, replacing it', error),
  });
}

const REASONS = {
  deadline: (deadlineMs: number) => `it takes more than ${deadlineMs} ms to parse`,
  memory: (_: number, memoryMb: number) => `it takes more than ${memoryMb} MiB to parse`,
  crash: () => 'it ends the process that parses it',
};

function textOf(body: PageBody): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}
