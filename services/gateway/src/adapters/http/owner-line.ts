import type { ServiceName } from '@lobbystats/contracts';
import type { AppError } from '@lobbystats/errors';
import { toldElsewhere } from '@lobbystats/service-kit';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { unavailable } from '../../domain/owners.ts';
import type { AdaptiveLimit } from './adaptive-limit.ts';
import { CircuitBreaker, type Pass } from './circuit-breaker.ts';
import {
  fetchAnswer,
  NoAnswerError,
  type AnswerUnderWay,
  type AskedRequest,
  type FetchLimits,
  type WholeAnswer,
} from './fetch-answer.ts';
import { LargeAnswers } from './large-answers.ts';
import type { OwnerHooks } from './owner-hooks.ts';
import { sessionLane, usualLane, type Lane } from './owner-lane.ts';

export interface OwnerLineOptions {
  owner: ServiceName;
  url: string;
  /** How long an answer may take at most. */
  timeoutMs: number;
  /** The largest answer that is taken whole. */
  maxBytes: number;
  /** How long an answer may take that is handed on while it comes in. */
  streamMs: number;
  hooks: OwnerHooks;
}

export interface Question {
  request: AskedRequest;
  /** How long this one may take. */
  timeoutMs: number;
  /** Whether it has a session to be judged: such wait for others than their owner. */
  hasSession: boolean;
  /** Whether asking it twice does no harm. */
  isSafe: boolean;
  /** From which length on, if at all, the answer may be one that is under way. */
  streamedFrom?: number;
}

type AskedQuestion = Question & Required<Pick<FetchLimits, 'isWanted'>>;

/** How many failures on end cut an owner off, and for how long it is left alone between two tries. */
const FAILURES = 5;
const OPEN_MS = 1000;
const UNAVAILABLE = 503;
/** How long an owner is asked as strangers are after an answer that only a whole HTTP client understands. */
const INTRICATE_MS = 60_000;

/** The line to one owner: bounded connections that are kept, one more try, and a circuit that is cut when it gives no answers. */
export class OwnerLine {
  readonly basePath: string;
  readonly #options: OwnerLineOptions;
  readonly #breaker: CircuitBreaker;
  readonly #lane: Lane;
  /** What has a session may wait for the auth service: it has connections of its own, and nobody waits behind it. */
  readonly #sessionLane: Lane;
  readonly #crowded: AppError;
  readonly #cut: AppError;
  readonly #largeAnswers: LargeAnswers;
  #intricateUntil = 0;

  constructor(options: OwnerLineOptions) {
    const { origin, pathname } = new URL(options.url);
    this.basePath = pathname === '/' ? '' : pathname;
    this.#options = options;
    this.#crowded = notAsked(`${options.owner} is not asked: too many are asking it already`);
    this.#cut = notAsked(`${options.owner} is not asked: it has given no answers`);
    this.#largeAnswers = new LargeAnswers(() => options.hooks.became(options.owner, 'dropped'));
    this.#lane = usualLane(origin, options.timeoutMs);
    this.#sessionLane = sessionLane(origin, options.timeoutMs);
    this.#breaker = new CircuitBreaker({
      failures: FAILURES,
      openMs: OPEN_MS,
      now: () => performance.now(),
      onChange: (isOpen) => options.hooks.circuitChanged(options.owner, isOpen),
    });
  }

  /**
   * @throws AppError `unavailable` when nobody was asked
   * @throws Error when there is no answer
   */
  async ask(question: Question): Promise<WholeAnswer | AnswerUnderWay> {
    const { owner, hooks } = this.#options;
    const lane = question.hasSession ? this.#sessionLane : this.#lane;
    const { limit } = lane;
    const place = limit.enter();
    if (place === 0) {
      hooks.became(owner, 'crowded');
      throw this.#crowded;
    }
    const pass = this.#breaker.enter();
    if (pass === undefined) {
      limit.leave();
      hooks.became(owner, 'cut');
      throw this.#cut;
    }
    const began = performance.now();
    try {
      const asked = { ...question, isWanted: () => limit.has(place) };
      const answer = await this.#exchange(lane, asked, began);
      if (answer.status === UNAVAILABLE) limit.refused(place);
      else limit.took(performance.now() - began, place);
      this.#breaker.succeeded();
      hooks.became(owner, 'answered');
      return 'incoming' in answer ? this.#admitted(answer, limit) : answer;
    } catch (error) {
      if (isOutOfTime(error)) limit.took(performance.now() - began, place);
      throw this.#judged(error, pass, question);
    } finally {
      limit.leave();
    }
  }

  /** Cuts off what is under way. */
  async close(): Promise<void> {
    this.#lane.plain?.close();
    await Promise.all([this.#lane.pool.destroy(), this.#sessionLane.pool.destroy()]);
  }

  /** Asks, and once more where that does no harm and may help. */
  async #exchange(lane: Lane, question: AskedQuestion, now: number): Promise<WholeAnswer | AnswerUnderWay> {
    const end = now + question.timeoutMs;
    try {
      return await this.#try(lane, question, end, now);
    } catch (error) {
      return this.#tryAgain(error, lane, question, end);
    }
  }

  /** @param end when time is up */
  #try(
    { pool, plain }: Lane,
    question: AskedQuestion,
    end: number,
    now = performance.now(),
  ): Promise<WholeAnswer | AnswerUnderWay> {
    const { request, isSafe } = question;
    const limits = this.#limitsOf(question, Math.max(1, Math.ceil(end - now)));
    const isPlain = isSafe && request.method === 'GET' && now >= this.#intricateUntil;
    return plain !== undefined && isPlain ? plain.fetch(request, limits) : fetchAnswer(pool, request, limits);
  }

  async #tryAgain(
    error: unknown,
    lane: Lane,
    question: AskedQuestion,
    end: number,
  ): Promise<WholeAnswer | AnswerUnderWay> {
    const reason = error instanceof NoAnswerError ? error.reason : undefined;
    if (reason === 'intricate') {
      this.#intricateUntil = performance.now() + INTRICATE_MS;
      return this.#try(lane, question, end);
    }
    if (reason !== 'broken' || !question.isSafe || lane.pool.destroyed) throw error;
    this.#options.hooks.became(this.#options.owner, 'retried');
    // An owner that starts anew breaks all its connections: by then those that are broken are known.
    await nextTurn();
    return this.#try(lane, question, end);
  }

  #limitsOf({ streamedFrom, isWanted }: AskedQuestion, timeoutMs: number): FetchLimits {
    const { maxBytes, streamMs } = this.#options;
    return { timeoutMs, maxBytes, streamMs, isWanted, ...(streamedFrom !== undefined && { streamedFrom }) };
  }

  #admitted(answer: AnswerUnderWay, limit: AdaptiveLimit): AnswerUnderWay {
    this.#largeAnswers.admit(answer.incoming);
    limit.stay();
    answer.incoming.once('close', () => {
      limit.leave();
    });
    return answer;
  }

  /** What to throw. Who had next to no time left, or waited for others to be answered, has learned nothing of the owner. */
  #judged(error: unknown, pass: Pass, { timeoutMs }: Question): unknown {
    const { owner, hooks, timeoutMs: usualMs } = this.#options;
    if (!(error instanceof NoAnswerError)) return error;
    const { reason } = error;
    if (reason === 'unwanted') {
      this.#breaker.dropped(pass);
      hooks.became(owner, 'crowded');
      return this.#crowded;
    }
    if (reason === 'unsent' || (reason === 'late' && timeoutMs < usualMs / 2)) {
      this.#breaker.dropped(pass);
      hooks.became(owner, 'late');
    } else {
      this.#breaker.failed(pass);
      hooks.became(owner, 'failed');
    }
    return error;
  }
}

/** Time was up before there was an answer, or before it was asked for. */
function isOutOfTime(error: unknown): boolean {
  return error instanceof NoAnswerError && (error.reason === 'late' || error.reason === 'unsent');
}

/** Made once: when there is most to do, nothing must be done for each. */
function notAsked(reason: string): AppError {
  return toldElsewhere(unavailable(new Error(reason)));
}
