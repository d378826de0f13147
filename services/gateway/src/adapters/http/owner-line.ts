import type { ServiceName } from '@lobbystats/contracts';
import type { AppError } from '@lobbystats/errors';
import { toldElsewhere } from '@lobbystats/service-kit';
import { BrokenCircuitError } from 'cockatiel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pool } from 'undici';
import { unavailable } from '../../domain/owners.ts';
import type { AdaptiveLimit } from './adaptive-limit.ts';
import {
  fetchAnswer,
  NoAnswerError,
  type AnswerUnderWay,
  type AskedRequest,
  type FetchLimits,
  type WholeAnswer,
} from './fetch-answer.ts';
import { LargeAnswers } from './large-answers.ts';
import { OwnerBreaker } from './owner-breaker.ts';
import type { OwnerHooks } from './owner-hooks.ts';
import { sessionPool, usualPool, type OwnerPool } from './owner-pool.ts';

export interface OwnerLineOptions {
  owner: ServiceName;
  url: string;
  /** For a whole answer. */
  timeoutMs: number;
  /** The largest answer that is buffered. */
  maxBytes: number;
  /** Time limit of a streaming answer. */
  streamMs: number;
  hooks: OwnerHooks;
}

export interface Question {
  request: AskedRequest;
  timeoutMs: number;
  /** The upstream waits for the auth service then. */
  hasSession: boolean;
  isSafe: boolean;
  streamedFrom?: number;
}

const UNAVAILABLE = 503;

/** Requests to one owner: two connection pools, one retry, and a circuit breaker. */
export class OwnerLine {
  readonly basePath: string;
  readonly #options: OwnerLineOptions;
  readonly #breaker: OwnerBreaker;
  readonly #pool: OwnerPool;
  /** Requests with a session may wait for the auth service: others do not wait behind them. */
  readonly #sessionPool: OwnerPool;
  readonly #crowded: AppError;
  readonly #cut: AppError;
  readonly #largeAnswers: LargeAnswers;

  constructor(options: OwnerLineOptions) {
    const { owner, url, timeoutMs, hooks } = options;
    const { origin, pathname } = new URL(url);
    this.basePath = pathname === '/' ? '' : pathname;
    this.#options = options;
    this.#crowded = notAsked(`${owner} was not asked: too many requests to it are under way`);
    this.#cut = notAsked(`${owner} was not asked: its circuit is open after failures`);
    this.#largeAnswers = new LargeAnswers(() => hooks.became(owner, 'dropped'));
    this.#pool = usualPool(origin, timeoutMs);
    this.#sessionPool = sessionPool(origin, timeoutMs);
    this.#breaker = new OwnerBreaker({
      isFailure: isOwnersFault,
      onChange: (isOpen) => hooks.circuitChanged(owner, isOpen),
    });
  }

  /**
   * @throws AppError `unavailable` when nobody was asked
   * @throws Error when there is no answer
   */
  async ask(question: Question): Promise<WholeAnswer | AnswerUnderWay> {
    const { owner, hooks } = this.#options;
    const { pool, limit } = question.hasSession ? this.#sessionPool : this.#pool;
    const place = limit.enter();
    if (place === 0) {
      hooks.became(owner, 'crowded');
      throw this.#crowded;
    }
    const began = performance.now();
    try {
      const answer = await this.#breaker.execute(() => this.#exchange(pool, question, began, () => limit.has(place)));
      if (answer.status === UNAVAILABLE) limit.refused(place);
      else limit.took(performance.now() - began, place);
      hooks.became(owner, 'answered');
      return 'incoming' in answer ? this.#admitted(answer, limit) : answer;
    } catch (error) {
      if (isOutOfTime(error)) limit.took(performance.now() - began, place);
      throw this.#counted(error);
    } finally {
      limit.leave();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.pool.destroy(), this.#sessionPool.pool.destroy()]);
  }

  /** Sends the request, and once more if it is idempotent and the connection broke before the head of an answer. */
  async #exchange(
    pool: Pool,
    question: Question,
    began: number,
    isWanted: () => boolean,
  ): Promise<WholeAnswer | AnswerUnderWay> {
    const { owner, hooks, maxBytes, streamMs, timeoutMs: usualMs } = this.#options;
    const { request, isSafe, timeoutMs, streamedFrom } = question;
    const fetch = () => {
      const leftMs = Math.max(1, Math.ceil(began + timeoutMs - performance.now()));
      const streaming = streamedFrom === undefined ? {} : { streamedFrom };
      const limits: FetchLimits = { timeoutMs: leftMs, maxBytes, streamMs, isWanted, ...streaming };
      return fetchAnswer(pool, request, limits);
    };
    try {
      return await fetch().catch(async (error: unknown) => {
        const isBroken = error instanceof NoAnswerError && error.reason === 'broken';
        if (!isBroken || !isSafe || pool.destroyed) throw error;
        hooks.became(owner, 'retried');
        // An owner that restarts breaks all its connections: the pool notices the others meanwhile.
        await nextTurn();
        return fetch();
      });
    } catch (error) {
      const hadLittleTime = isOutOfTime(error) && timeoutMs < usualMs / 2;
      throw hadLittleTime ? new NoAnswerError('no-time', 'little time was left', { cause: error }) : error;
    }
  }

  #admitted(answer: AnswerUnderWay, limit: AdaptiveLimit): AnswerUnderWay {
    this.#largeAnswers.admit(answer.incoming);
    limit.stay();
    answer.incoming.once('close', () => {
      limit.leave();
    });
    return answer;
  }

  /** Counts an error and returns what to throw. */
  #counted(error: unknown): unknown {
    const { owner, hooks } = this.#options;
    if (error instanceof BrokenCircuitError) {
      hooks.became(owner, 'cut');
      return this.#cut;
    }
    if (!(error instanceof NoAnswerError)) return error;
    if (error.reason === 'unwanted') {
      hooks.became(owner, 'crowded');
      return this.#crowded;
    }
    hooks.became(owner, isOwnersFault(error) ? 'failed' : 'late');
    return error;
  }
}

function isOutOfTime(error: unknown): boolean {
  return error instanceof NoAnswerError && (error.reason === 'late' || error.reason === 'no-time');
}

function isOwnersFault(error: unknown): boolean {
  return error instanceof NoAnswerError && error.reason !== 'no-time' && error.reason !== 'unwanted';
}

/** Created once, so that refusals are cheap under load. */
function notAsked(reason: string): AppError {
  return toldElsewhere(unavailable(new Error(reason)));
}
