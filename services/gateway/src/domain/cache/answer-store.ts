import { isAhead, OVERDUE_SECONDS } from '../freshness.ts';
import type { EncodedBodies } from './encoded-bodies.ts';
import type { Flight, LandedAnswer } from './flights.ts';
import { SecondChanceMap } from './second-chance.ts';
import { Settling } from './settling.ts';
import { TagIndex } from './tag-index.ts';
import type { KeptAnswer } from './wanted.ts';

/** Larger answers would evict too many others. */
export const KEPT_BYTES_MAX = 1024 * 1024;
/**
 * An entry expires this long after the next slot was expected, in milliseconds; the slot's fact normally invalidates it
 * first.
 */
const GRACE_MS = 30_000;
const UNFOLLOWED_MS = OVERDUE_SECONDS * 1000;
/** Approximate memory of an entry beside its bytes. */
const OVERHEAD_BYTES = 1024;

export class AnswerStore {
  readonly #answers: SecondChanceMap<KeptAnswer>;
  readonly #keysByTag = new TagIndex();
  readonly #settling = new Settling();
  readonly #now: () => number;
  /** Undefined while facts are followed. */
  #unfollowedSinceMs: number | undefined;

  /** @param now epoch milliseconds */
  constructor(maxBytes: number, now: () => number, onEvicted: () => void) {
    this.#now = now;
    this.#unfollowedSinceMs = now();
    this.#answers = new SecondChanceMap(maxBytes, (key, { tags }) => {
      this.#keysByTag.remove(key, tags);
      onEvicted();
    });
  }

  get bytes(): number {
    return this.#answers.bytes;
  }

  get count(): number {
    return this.#answers.count;
  }

  get(key: string): KeptAnswer | undefined {
    return this.#answers.get(key);
  }

  /** Epoch milliseconds since when an entry may be stale; undefined while it is fresh. */
  staleSinceMs(answer: KeptAnswer, nowMs: number): number | undefined {
    const { keptMs, expiresMs, staleSinceMs = Infinity } = answer;
    const unfollowedMs =
      this.#unfollowedSinceMs === undefined ? Infinity : Math.max(this.#unfollowedSinceMs, keptMs) + UNFOLLOWED_MS;
    const sinceMs = Math.min(staleSinceMs, expiresMs, unfollowedMs);
    // The clock was set back.
    if (nowMs < keptMs) return nowMs;
    return sinceMs <= nowMs ? sinceMs : undefined;
  }

  /** Keeps what a flight brought. */
  keep(flight: Flight, { bodies, headers }: LandedAnswer): void {
    const { wanted, nextMs } = flight;
    const { key, operation, owner, tags } = wanted;
    const nowMs = this.#now();
    const expiresMs = Math.min(
      (isAhead(nextMs, nowMs) ? nextMs : nowMs) + GRACE_MS,
      this.#settling.untilMs(tags, owner, nowMs) ?? Infinity,
    );
    this.forget(key);
    this.#keysByTag.add(key, tags);
    this.#answers.set(key, {
      madeBy: flight.token,
      operation,
      bodies,
      headers,
      owner,
      tags,
      keptMs: nowMs,
      nextMs,
      expiresMs,
      size: bodies.size() + OVERHEAD_BYTES,
      wasUsed: false,
      staleSinceMs: undefined,
      failedMs: undefined,
    });
  }

  /** Further encodings were added to an entry. */
  grown(key: string, bodies: EncodedBodies): void {
    if (this.#answers.get(key)?.bodies === bodies) this.#answers.resize(key, bodies.size() + OVERHEAD_BYTES);
  }

  forget(key: string): void {
    const answer = this.#answers.delete(key);
    if (answer !== undefined) this.#keysByTag.remove(key, answer.tags);
  }

  /** Invalidates entries with these tags. */
  outdate(tags: readonly string[], learnedBy: readonly string[]): void {
    const nowMs = this.#now();
    this.#settling.note(tags, learnedBy, nowMs);
    for (const key of this.#keysByTag.keysOf(tags)) this.#staleAt(key, nowMs);
  }

  /** Purges entries with these tags: they must not be served any more. */
  drop(tags: readonly string[], learnedBy: readonly string[]): void {
    this.#settling.note(tags, learnedBy, this.#now());
    for (const key of this.#keysByTag.keysOf(tags)) this.forget(key);
  }

  /** Facts may have been missed. */
  outdateAll(): void {
    const nowMs = this.#now();
    for (const key of this.#answers.keys()) this.#staleAt(key, nowMs);
  }

  isFollowing(): boolean {
    return this.#unfollowedSinceMs === undefined;
  }

  following(isFollowing: boolean): void {
    if (isFollowing) this.#unfollowedSinceMs = undefined;
    else this.#unfollowedSinceMs ??= this.#now();
  }

  #staleAt(key: string, nowMs: number): void {
    const answer = this.#answers.get(key);
    if (answer !== undefined) answer.staleSinceMs ??= nowMs;
  }
}
