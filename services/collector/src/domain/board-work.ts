import { hasCode } from '@lobbystats/errors';
import { boardIdOf, type BoardContent, type BoardJob } from './board.ts';
import { boardDigest, isOfTheseReaders } from './board-digest.ts';
import type { BoardMemo, BoardMemory, PageValidators, SaidBoard } from './board-memory.ts';
import { passEndMs, passOf } from './board-schedule.ts';
import { createFreshValidators } from './fresh-validators.ts';
import type { BoardSite } from './board-site.ts';
import type { Leases } from './lease.ts';
import type { Outlet } from './outlet.ts';
import { PageFailure, type PageFailureKind } from './page-failures.ts';
import { readBoard, type BoardReading } from './read-board.ts';
import type { Places } from './places.ts';
import type { Telemetry } from './telemetry.ts';
import type { Backoff, Time } from './time.ts';

const ATTEMPTS = 3;
/** Worth another attempt at once. */
const PASSING: ReadonlySet<PageFailureKind> = new Set(['torn', 'not-understood', 'unavailable']);
/** Not worth another attempt in this pass. */
const LASTING: ReadonlySet<PageFailureKind> = new Set(['oversized', 'unsayable']);

export interface BoardWorkParts {
  boards: BoardMemory;
  site: BoardSite;
  outlet: Outlet;
  telemetry: Telemetry;
  time: Time;
  leases: Leases;
  places: Places;
  backoff: Backoff;
  stopping: AbortSignal;
}

/**
 * Reads a board and publishes it if it changed, else confirms it. Memory is updated after publishing: a crash between
 * them publishes again under the same message name. A failed board is enqueued again later in the pass. Rejects when the
 * job shall be redelivered.
 */
export type BoardWork = (job: BoardJob) => Promise<void>;

export function createBoardWork(parts: BoardWorkParts): BoardWork {
  const { boards, site, outlet, telemetry, time, leases, places, backoff, stopping } = parts;
  const inHand = new Set<string>();
  const fresh = createFreshValidators();

  return async (job) => {
    const key = boardIdOf(job);
    if (inHand.has(key)) throw new PageFailure('busy', 'This board is being read');
    inHand.add(key);
    try {
      await places.in(() => work(job));
    } finally {
      inHand.delete(key);
    }
  };

  async function work(wanted: BoardJob): Promise<void> {
    if (time.now() >= passEndMs(wanted.pass)) return;
    const memo = await boards.recall(wanted);
    if (memo === undefined || wasSaidIn(wanted, memo)) return;
    const job = { ...wanted, name: memo.name };
    try {
      await tell(job, memo, await tried(job, knownPages(job, memo)));
    } catch (error) {
      if (!(error instanceof PageFailure) || error.kind === 'busy' || stopping.aborted) throw error;
      const owedAt =
        LASTING.has(error.kind) || error.isFinal ? null : Math.max(job.pass, Math.floor(time.now() / 1000));
      if (time.now() < passEndMs(job.pass) && memo.owedAt !== owedAt) await boards.owe(job, owedAt);
      telemetry.boardFailed(job, error);
    }
  }

  /** Only a 404 of its own page means that a board is gone: a menu may be incomplete. */
  async function tell(job: BoardJob, memo: BoardMemo, reading: BoardReading): Promise<void> {
    if (reading.kind === 'gone') {
      if (memo.said !== null && memo.said.digest !== null) await say(job, null, []);
      else if (memo.owedAt !== null) await boards.owe(job, null);
      return;
    }
    const known = fresh.of(job, memo);
    const validators = reading.kind === 'read' ? reading.validators : known;
    if (reading.kind === 'read' && boardDigest(job.name, reading.content) !== memo.said?.digest) {
      await say(job, reading.content, validators);
      return;
    }
    await confirm(job, memo);
    telemetry.boardHad('unchanged');
    if (memo.owedAt !== null) await boards.confirmed(job, validators);
    else if (!isSame(validators, known)) fresh.keep(job, memo, validators);
  }

  async function confirm({ titleId, leaderboardId }: BoardJob, { said }: BoardMemo): Promise<void> {
    const confirmation = { titleId, leaderboardId, pass: said?.pass ?? 0, seenAt: Math.floor(time.now() / 1000) };
    await outlet.boardConfirmed(confirmation, { past: false });
  }

  function knownPages(job: BoardJob, memo: BoardMemo): readonly PageValidators[] {
    return isOfTheseReaders(memo.said?.digest ?? '') ? fresh.of(job, memo) : [];
  }

  /** A pass ahead of the clock counts for nothing. */
  function wasSaidIn({ pass }: BoardJob, { said }: BoardMemo): boolean {
    return said !== null && said.pass >= pass && said.pass <= passOf(time.now() / 1000);
  }

  async function tried(job: BoardJob, known: readonly PageValidators[]): Promise<BoardReading> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await readBoard(site, job, passEndMs(job.pass), known);
      } catch (error) {
        const mayPass = error instanceof PageFailure && PASSING.has(error.kind) && !error.isFinal;
        if (!mayPass || attempt === ATTEMPTS || stopping.aborted) throw error;
        if (error.kind === 'torn') telemetry.boardHad('torn');
      }
      await time.sleep(backoff(attempt), stopping);
    }
  }

  async function say(job: BoardJob, board: BoardContent | null, validators: readonly PageValidators[]): Promise<void> {
    const said: SaidBoard = { pass: job.pass, digest: board === null ? null : boardDigest(job.name, board) };
    const claim = await boards.claim(job, said, leases());
    if (claim === false) throw new PageFailure('busy', 'Somebody else is saying this board');
    const name = board === null ? '' : job.name;
    try {
      await outlet.board({ ...job, name, seenAt: Math.floor(time.now() / 1000), board }, { past: false });
    } catch (error) {
      if (!hasCode(error, 'invalid')) throw error;
      throw new PageFailure('unsayable', `No message can say it: ${error.message}`, { cause: error });
    }
    // Consumers keep the first of two messages of one pass, and which one came first is unknown: the next pass publishes
    // it again.
    const isCertain = claim.before === undefined || claim.before === said.digest;
    await boards.said(job, isCertain ? said : { ...said, digest: '' }, isCertain ? validators : []);
    telemetry.boardHad(board === null ? 'gone' : 'changed');
  }
}

function isSame(one: readonly PageValidators[], other: readonly PageValidators[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
