import { join } from 'node:path';
import type { PageBody } from '../../domain/page-readers.ts';
import { PageFailure, PageNotUnderstoodError, sampleOf } from '../../domain/page-failures.ts';
import type { ParsedName, Telemetry } from '../../domain/telemetry.ts';
import type { Parse, ParseAnswer, ParserName, ParseTask, ReadingOf } from './parse-task.ts';
import { ProcessEndedError } from './pool-process.ts';
import { createProcessPool } from './process-pool.ts';

/** A feed may be as long as a hundred pages. */
const FEED_DEADLINE_FACTOR = 5;

interface Kind {
  name: ParsedName;
  isFeed?: boolean;
  isUrgent?: boolean;
}

const KINDS: Readonly<Record<ParserName, Kind>> = {
  home: { name: 'home', isUrgent: true },
  game: { name: 'game', isUrgent: true },
  board: { name: 'board' },
  events: { name: 'events', isFeed: true },
  players: { name: 'players', isFeed: true },
  pastSlots: { name: 'history', isFeed: true },
  pastDays: { name: 'history', isFeed: true },
  pastBoards: { name: 'history', isFeed: true },
  pastPlayers: { name: 'history', isFeed: true },
};

export interface PageParserOptions {
  /** Processes at most. */
  processes: number;
  /** The time that a page may take, in milliseconds; feeds may take five times as long. */
  deadlineMs: number;
  /** The heap of a process, at most, in MiB. */
  memoryMb: number;
  telemetry: Pick<Telemetry, 'pageTerminated' | 'fault'>;
  stopping?: AbortSignal;
}

/** Parses pages in processes of their own: one that takes too much time or memory harms nothing else. */
export interface PageParser {
  readonly parse: Parse;
  close(): Promise<void>;
}

export function createPageParser(options: PageParserOptions): PageParser {
  const { processes, deadlineMs, memoryMb, telemetry, stopping } = options;
  const pool = createProcessPool<ParseTask, ParseAnswer>({
    entry: join(import.meta.dirname, 'main.ts'),
    size: processes,
    memoryMb,
    onCrash: (error) => telemetry.fault('a process that parses pages ended and is replaced', error),
  });
  stopping?.addEventListener('abort', () => void pool.close(), { once: true });

  return { parse, close: () => pool.close() };

  async function parse<Name extends ParserName>(parser: Name, body: PageBody, baseUrl = ''): Promise<ReadingOf<Name>> {
    const { name, isFeed = false, isUrgent = false } = KINDS[parser];
    const limits = { deadlineMs: isFeed ? FEED_DEADLINE_FACTOR * deadlineMs : deadlineMs, isUrgent };
    const answer = await pool.run({ parser, body, baseUrl }, limits).catch((error: unknown) => {
      if (stopping?.aborted === true) throw new PageFailure('late', 'The collector stops', { cause: error });
      if (!(error instanceof ProcessEndedError)) throw error;
      telemetry.pageTerminated(name, error.reason);
      const reason = REASONS[error.reason](limits.deadlineMs, memoryMb);
      throw new PageNotUnderstoodError(reason, { sample: sampleOf(textOf(body)), isFinal: true });
    });
    switch (answer.kind) {
      case 'read':
        return JSON.parse(answer.json) as ReadingOf<Name>;
      case 'not-understood': {
        const { reason, isFinal } = answer;
        throw new PageNotUnderstoodError(reason, { sample: sampleOf(textOf(body)), isFinal });
      }
      case 'fault':
        throw new Error(`A page could not be parsed: ${answer.message}`);
    }
  }
}

const REASONS = {
  deadline: (deadlineMs: number) => `it takes more than ${deadlineMs} ms to parse`,
  memory: (_: number, memoryMb: number) => `it takes more than ${memoryMb} MiB to parse`,
  crash: () => 'it ends the process that parses it',
};

function textOf(body: PageBody): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}
