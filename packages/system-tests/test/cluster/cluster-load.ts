import { messageOf } from '@lobbystats/contracts/errors';
import { operations } from '@lobbystats/contracts';
import { readStream, type StreamConnection } from '@lobbystats/test-kit/stream-reading';
import { RatingLoad } from '../standalone/rating-load.ts';
import { waitUntil } from '../faults/wait.ts';
import type { SignedInUser } from '../standalone/sign-in.ts';
import { Interruptions } from './interruptions.ts';

/** Reads responses that the gateways cache. */
const CACHED = [
  operations.getOnlineUsers,
  operations.listGames,
  operations.getOnlineSummary,
  operations.getAchievementLeaderboard,
].map(({ path }) => path);
const READ_EVERY_MS = 50;
const RATE_EVERY_MS = 40;
const TIMEOUT_MS = 10_000;

interface LoadTargets {
  readonly url: string;
  readonly raters: readonly SignedInUser[];
  readonly profiles: readonly string[];
}

/** Ratings, cached and uncached reads, and a live stream of the facts that the ratings cause, until `stop`. */
export class ClusterLoad {
  readonly writes = new Interruptions();
  readonly cachedReads = new Interruptions();
  /** Each has another query, so MongoDB is asked. */
  readonly uncachedReads = new Interruptions();
  /** Facts that passed MongoDB's outbox, RabbitMQ's log and a gateway. */
  readonly facts = new Interruptions();
  readonly ratings: RatingLoad;
  readonly #openStream: () => Promise<StreamConnection>;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>[];

  constructor({ url, raters, profiles }: LoadTargets) {
    this.#openStream = () => readStream(`${url}/api/stream?topics=ratings`);
    this.ratings = new RatingLoad(raters, profiles, { everyMs: RATE_EVERY_MS, onOutcome: this.#onRating });
    this.ratings.setUrl(url);
    this.#running = [
      this.#read(this.cachedReads, (index) => url + (CACHED[index % CACHED.length] ?? '')),
      this.#read(this.uncachedReads, (index) => `${url}${operations.searchByTime.path}?time=1:00&tolerance=${index}`),
      this.#watchFacts(),
    ];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.ratings.stop(), ...this.#running]);
  }

  readonly #onRating = (status: number | undefined): void => {
    if (status === 200) this.writes.succeed();
    else this.writes.fail(String(status));
  };

  async #read(tracker: Interruptions, urlOf: (index: number) => string): Promise<void> {
    for (let index = 0; !this.#stopping.signal.aborted; index += 1) {
      const url = urlOf(index);
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
        await response.arrayBuffer();
        if (response.status === 200) tracker.succeed();
        else tracker.fail(`${url}: ${response.status}`);
      } catch (error) {
        tracker.fail(`${url}: ${messageOf(error)}`);
      }
      await waitUntil(Date.now() + READ_EVERY_MS);
    }
  }

  /** Connects again when the stream ends, as browsers do. */
  async #watchFacts(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const stream = await this.#openStream().catch(() => undefined);
      if (stream !== undefined) await this.#watch(stream);
      await waitUntil(Date.now() + READ_EVERY_MS);
    }
  }

  async #watch(stream: StreamConnection): Promise<void> {
    const ended = new AbortController();
    void stream.ended.then(() => ended.abort());
    const over = AbortSignal.any([ended.signal, this.#stopping.signal]);
    let seen = 0;
    while (!over.aborted) {
      const { length } = stream.events;
      if (length > seen) this.facts.succeed();
      seen = length;
      await waitUntil(Date.now() + READ_EVERY_MS);
    }
    stream.disconnect();
  }
}
