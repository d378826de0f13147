/** A job at one of the replicas. Both promises reject with AppError `unavailable` when it is lost, as in a killed replica. */
export interface Assignment {
  /** Resolves after the replica began, rejects once it can't begin any more. */
  readonly begun: Promise<void>;
  /** The result: JSON. */
  readonly done: Promise<unknown>;
}

/** The rights of the leading replica. */
export interface Leadership {
  /** Aborts when another replica may lead. */
  readonly signal: AbortSignal;
  /** By so much the ways of effects from several replicas to the outside world may differ. */
  readonly marginMs: number;
  /** Resolves while no other replica leads: it did not {@link FRESH_MS} ago. Rejects once the signal aborts. */
  readonly confirm: () => Promise<void>;
  /** Gives a job to any replica. @param timeoutMs for the work, once it has begun */
  readonly assign: (job: unknown, timeoutMs: number) => Assignment;
}

/** A job as its worker sees it. */
export interface JobContext {
  /** Aborts when another replica leads: its jobs must not meet those of the previous leader. */
  readonly signal: AbortSignal;
  /** Call it immediately before the effect of the job. @throws AppError `unavailable` for a job that was given too long ago */
  readonly expectFresh: () => void;
  /** Call it once the effect has begun. */
  readonly begun: () => void;
}

/** One of several processes of a service. One of them leads and gives jobs to all, itself included. */
export interface Replica {
  /** Called when this replica leads. Resolves once all its work has ended after the signal aborted. */
  readonly lead: (leadership: Leadership) => Promise<void>;
  /** @param job of a replica of another release, perhaps */
  readonly work: (job: unknown, context: JobContext) => Promise<unknown>;
}

/** A confirmation of the broker's, or the delivery of a job, counts for this time. */
export const FRESH_MS = 400;

/** A job that no replica takes within this time is dropped. */
export const JOB_TTL_MS = 400;

/** After this time, all that earlier leaders have asked for began at least a second ago. */
export const SETTLE_MS = 2 * FRESH_MS + JOB_TTL_MS + 1000 + 200;

/** Replicas in one process: the one that joined first leads, and does all jobs. */
export class LocalReplicas {
  readonly #members: Replica[] = [];
  #leading: { replica: Replica; ended: AbortController; led: Promise<void> } | undefined;

  /** Returns what leaves. */
  join(replica: Replica): () => Promise<void> {
    this.#members.push(replica);
    this.#leadNext();
    return async () => {
      this.#members.splice(this.#members.indexOf(replica), 1);
      if (this.#leading?.replica !== replica) return;
      this.#leading.ended.abort();
      await this.#leading.led;
      this.#leading = undefined;
      this.#leadNext();
    };
  }

  #leadNext(): void {
    const [replica] = this.#members;
    if (this.#leading !== undefined || replica === undefined) return;
    const ended = new AbortController();
    const { signal } = ended;
    const assign = (job: unknown): Assignment => {
      const { promise: begun, resolve } = Promise.withResolvers<undefined>();
      const done = replica.work(job, {
        signal,
        expectFresh: () => signal.throwIfAborted(),
        begun: () => resolve(undefined),
      });
      void done.catch(() => undefined).then(() => resolve(undefined));
      return { begun, done };
    };
    const confirm = async () => signal.throwIfAborted();
    this.#leading = { replica, ended, led: replica.lead({ signal, marginMs: 0, confirm, assign }) };
  }
}
