import { join } from 'node:path';
import { PageFailure, UnparseablePageError, sampleOf } from '../network/page-failures.ts';
import type { ParserLabel, Telemetry } from '../telemetry/telemetry.ts';
import type { PageBody, Parse, ParseResult, ParserName, ParseTask, ReadingOf } from './parsers.node.ts';
import type { RatingRule } from '../pages/raw-times.ts';
import type { Template } from '../feeds/project.parse.ts';
import { ProcessEndedError } from './child.node.ts';
import { createProcessPool, type ProcessPool } from './pool.node.ts';

/** The homepage and feeds list all games and users: they may be a hundred times as long as another page. */
const LONG_DEADLINE_FACTOR = 5;
/** The past is not urgent. On a busy machine a day has taken more than ten seconds, and would be read again in the next slot only. */
const HISTORY_DEADLINE_FACTOR = 20;
/** A slot's pages take less. Starting a process again takes a third of a second, and keeping it 90 MB. */
const IDLE_MS = 60_000;

interface Kind {
  name: ParserLabel;
  deadlineFactor?: number;
  isUrgent?: boolean;
}

const KINDS: Readonly<Record<ParserName, Kind>> = {
  home: { name: 'home', deadlineFactor: LONG_DEADLINE_FACTOR, isUrgent: true },
  game: { name: 'game', isUrgent: true },
  gameWithBoards: { name: 'game', isUrgent: true },
  board: { name: 'board' },
  icon: { name: 'icon' },
  siteCounts: { name: 'home', deadlineFactor: LONG_DEADLINE_FACTOR, isUrgent: true },
  gameData: { name: 'game', isUrgent: true },
  boardEntries: { name: 'board' },
  events: { name: 'events', deadlineFactor: LONG_DEADLINE_FACTOR },
  players: { name: 'players', deadlineFactor: LONG_DEADLINE_FACTOR },
  pastSlots: { name: 'history', deadlineFactor: HISTORY_DEADLINE_FACTOR },
  pastDays: { name: 'history', deadlineFactor: HISTORY_DEADLINE_FACTOR },
  pastBoards: { name: 'history', deadlineFactor: HISTORY_DEADLINE_FACTOR },
  pastPlayers: { name: 'history', deadlineFactor: HISTORY_DEADLINE_FACTOR },
};

export interface PageParserOptions {
  /** Maximum number of processes. */
  processes: number;
  /** Time limit of a page in milliseconds; the homepage and feeds may take five times as long, the past twenty times. */
  deadlineMs: number;
  /** Heap limit of a process in MiB. */
  memoryMb: number;
  telemetry: Pick<Telemetry, 'pageParsed' | 'pageTerminated' | 'fault'>;
  stopping?: AbortSignal;
}

/** Parses pages in child processes, which isolates pages that take too much time or memory. */
export interface PageParser {
  readonly parse: Parse;
  close(): Promise<void>;
}

export function createPageParser(options: PageParserOptions, pool = createParserPool(options)): PageParser {
  const { deadlineMs, memoryMb, telemetry, stopping } = options;
  stopping?.addEventListener('abort', () => void pool.close(), { once: true });

  return { parse, close: () => pool.close() };

  async function parse<Name extends ParserName>(
    parser: Name,
    body: PageBody,
    baseUrl = '',
    template?: Template,
    rule?: RatingRule,
  ): Promise<ReadingOf<Name>> {
    const begunMs = performance.now();
    const { name, deadlineFactor = 1, isUrgent = false } = KINDS[parser];
    const limits = { deadlineMs: deadlineFactor * deadlineMs, isUrgent };
    const answer = await pool.run({ parser, body, baseUrl, template, rule }, limits).catch((error: unknown) => {
      if (stopping?.aborted === true) throw new PageFailure('late', 'The collector stops', { cause: error });
      if (!(error instanceof ProcessEndedError)) throw error;
      telemetry.pageTerminated(name, error.reason);
      const reason = REASONS[error.reason](limits.deadlineMs, memoryMb);
      throw new UnparseablePageError(reason, { sample: sampleOf(textOf(body)), isFinal: true });
    });
    telemetry.pageParsed(name, performance.now() - begunMs);
    switch (answer.kind) {
      case 'read':
        return JSON.parse(answer.json) as ReadingOf<Name>;
      case 'unparseable': {
        const { reason, isFinal } = answer;
        throw new UnparseablePageError(reason, { sample: sampleOf(textOf(body)), isFinal });
      }
      case 'fault':
        throw new Error(`A page could not be parsed: ${answer.message}`);
    }
  }
}

function createParserPool({ processes, memoryMb, telemetry }: PageParserOptions): ProcessPool<ParseTask, ParseResult> {
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
