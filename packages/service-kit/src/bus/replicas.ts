/** The rights of the leading replica. */
export interface Leadership {
  /** Aborts when another replica may lead. */
  readonly signal: AbortSignal;
  /** Call it immediately before an effect of one's own. @throws AppError `unavailable` once another replica may lead */
  readonly expectLeading: () => void;
  /** Resolves when a replica has room for a job. Rejects once another replica may lead. */
  readonly ready: () => Promise<void>;
  /**
   * Gives a job to any replica, and again when it has not answered for {@link ANSWER_MS}, each time once `turn` resolves.
   * Resolves with the result, which is JSON. Rejects with the failure of `turn`, and with AppError `unavailable` for a
   * job that failed or when another replica may lead.
   */
  readonly ask: (job: unknown, turn: () => Promise<void>) => Promise<unknown>;
}

/** One of several processes of a service. One of them leads and gives jobs to all, itself included. */
export interface Replica {
  /** Called when this replica leads. Resolves once all its work has ended after the signal aborted. */
  readonly lead: (leadership: Leadership) => Promise<void>;
  /** @param job of a replica of another release, perhaps @param signal aborts when this replica stops */
  readonly work: (job: unknown, signal: AbortSignal) => Promise<unknown>;
}

/** A job without an answer for this time may be lost, and is given again. */
export const ANSWER_MS = 5000;

/** Replicas in one process: each leads, and does all jobs, once those that joined before have left. */
export class LocalReplicas {
  #last = Promise.resolve();

  /** Returns what leaves. */
  join(replica: Replica): () => Promise<void> {
    const ended = new AbortController();
    const { signal } = ended;
    let led: Promise<void> | undefined;
    const expectLeading = () => signal.throwIfAborted();
    const ask: Leadership['ask'] = async (job, turn) => {
      await turn();
      expectLeading();
      return replica.work(job, signal);
    };
    this.#last = this.#last.then(() => {
      if (!signal.aborted) led = replica.lead({ signal, expectLeading, ready: async () => expectLeading(), ask });
      return led;
    });
    return async () => {
      ended.abort();
      await led;
    };
  }
}
