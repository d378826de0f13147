import { randomUUID } from 'node:crypto';
import { AppError } from '@lobbystats/contracts/errors';
import { FRESH_MS, JOB_TTL_MS, type Assignment, type Leadership } from '../replicas.ts';
import { Freshness } from './freshness.ts';
import { pause } from './reconnecting.ts';

const PING_MS = 100;
const LOST_MS = JOB_TTL_MS + FRESH_MS + 100;
/** Enough that the broker, which delivers in turn, gives one to each replica. */
const GREETINGS = 64;

/** `of` names one time of one leader. Without a job, it only tells that another replica leads. */
export interface Job {
  of: string;
  id: number;
  job?: unknown;
}

/** A replica's replies to a job: that it has begun, and then its result or its failure. The broker returns a lost job. */
export type JobReply = Job | ({ of: string; id: number } & ({ begun: true } | { result: unknown } | { error: string }));

interface Given {
  readonly timeoutMs: number;
  readonly begun: PromiseWithResolvers<void>;
  readonly done: PromiseWithResolvers<unknown>;
  timer?: NodeJS.Timeout;
}

/** One time as the leader. */
export class Leading implements Leadership {
  readonly marginMs = 50;
  readonly confirmed = new Freshness();
  readonly #ended = new AbortController();
  readonly #given = new Map<number, Given>();
  readonly #term = randomUUID();
  readonly #publish: (job: Job, done: (error: unknown) => void) => void;
  readonly #ping: () => void;
  #last = 0;

  constructor(publish: (job: Job, done: (error: unknown) => void) => void, ping: () => void) {
    this.#publish = publish;
    this.#ping = ping;
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get ended(): Promise<void> {
    return new Promise((resolve) => this.signal.addEventListener('abort', () => resolve()));
  }

  async confirm(): Promise<void> {
    while (this.confirmed.ageMs() > FRESH_MS) {
      this.signal.throwIfAborted();
      this.#ping();
      await pause(PING_MS);
    }
    this.signal.throwIfAborted();
    if (this.confirmed.ageMs() > FRESH_MS / 2) this.#ping();
  }

  assign(job: unknown, timeoutMs: number): Assignment {
    const id = (this.#last += 1);
    const given: Given = { timeoutMs, begun: Promise.withResolvers(), done: Promise.withResolvers() };
    given.begun.promise.catch(() => undefined);
    given.done.promise.catch(() => undefined);
    this.#given.set(id, given);
    if (this.signal.aborted) this.#lose(id, 'Another replica leads');
    else this.#publish({ of: this.#term, id, job }, (error) => this.#onConfirm(id, error));
    return { begun: given.begun.promise, done: given.done.promise };
  }

  greet(): void {
    for (let count = 0; count < GREETINGS; count += 1) this.#publish({ of: this.#term, id: 0 }, () => undefined);
  }

  onReply(reply: JobReply): void {
    const given = this.#given.get(reply.id);
    if (reply.of !== this.#term || given === undefined) return;
    clearTimeout(given.timer);
    if ('begun' in reply) {
      given.timer = setTimeout(() => this.#lose(reply.id, 'The replica does not answer'), given.timeoutMs);
      given.begun.resolve();
    } else if ('result' in reply) {
      this.#given.delete(reply.id);
      given.begun.resolve();
      given.done.resolve(reply.result);
    } else this.#lose(reply.id, 'error' in reply ? reply.error : 'No replica has done the job');
  }

  end(): void {
    this.#ended.abort(new AppError('unavailable', 'Another replica may lead'));
    for (const id of [...this.#given.keys()]) this.#lose(id, 'Another replica may lead');
  }

  #onConfirm(id: number, error: unknown): void {
    const given = this.#given.get(id);
    if (given === undefined || given.timer !== undefined) return;
    if (error !== null && error !== undefined) this.#lose(id, 'RabbitMQ did not take the job');
    else given.timer = setTimeout(() => this.#lose(id, 'No replica took the job'), LOST_MS);
  }

  #lose(id: number, why: string): void {
    const given = this.#given.get(id);
    clearTimeout(given?.timer);
    this.#given.delete(id);
    const error = new AppError('unavailable', why);
    given?.begun.reject(error);
    given?.done.reject(error);
  }
}
