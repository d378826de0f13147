import { isAhead, OVERDUE_SECONDS } from './freshness.ts';
import type { EncodedBodies } from './encoded-bodies.ts';
import type { Flight, EncodedResponse } from './response-flights.ts';
import { SecondChanceMap } from './second-chance-map.ts';
import { PropagationWindow } from './propagation-window.ts';
import { TagIndex } from './tag-index.ts';
import type { CacheEntry } from './cache-request.ts';

/** Larger entries would evict too many others. */
export const ENTRY_BYTES_MAX = 1024 * 1024;
/**
 * An entry expires this long after the next slot was expected, in milliseconds; the slot's fact normally invalidates it
 * first.
 */
const GRACE_MS = 30_000;
const DISCONNECTED_FRESH_MS = OVERDUE_SECONDS * 1000;
/** Approximate memory of an entry beside its bytes. */
const OVERHEAD_BYTES = 1024;

export class CacheStore {
  readonly #entries: SecondChanceMap<CacheEntry>;
  readonly #keysByTag = new TagIndex();
  readonly #propagation = new PropagationWindow();
  readonly #now: () => number;
  /** Undefined while the fact log is read. */
  #disconnectedSinceMs: number | undefined;

  /** @param now epoch milliseconds */
  constructor(maxBytes: number, now: () => number, onEvicted: () => void) {
    this.#now = now;
    this.#disconnectedSinceMs = now();
    this.#entries = new SecondChanceMap(maxBytes, (key, { tags }) => {
      this.#keysByTag.remove(key, tags);
      onEvicted();
    });
  }

  get bytes(): number {
    return this.#entries.bytes;
  }

  get count(): number {
    return this.#entries.count;
  }

  get(key: string): CacheEntry | undefined {
    return this.#entries.get(key);
  }

  /** Epoch milliseconds since when an entry may be stale; undefined while it is fresh. */
  staleSinceMs(answer: CacheEntry, nowMs: number): number | undefined {
    const { storedMs, expiresMs, staleSinceMs = Infinity } = answer;
    const unfollowedMs =
      this.#disconnectedSinceMs === undefined
        ? Infinity
        : Math.max(this.#disconnectedSinceMs, storedMs) + DISCONNECTED_FRESH_MS;
    const sinceMs = Math.min(staleSinceMs, expiresMs, unfollowedMs);
    // The clock was set back: treat the entry as stale.
    if (nowMs < storedMs) return nowMs;
    return sinceMs <= nowMs ? sinceMs : undefined;
  }

  /** Stores the response of a flight. */
  put(flight: Flight, { bodies, headers }: EncodedResponse): void {
    const { request, nextMs } = flight;
    const { key, operation, upstream, tags } = request;
    const nowMs = this.#now();
    const expiresMs = Math.min(
      (isAhead(nextMs, nowMs) ? nextMs : nowMs) + GRACE_MS,
      this.#propagation.untilMs(tags, upstream, nowMs) ?? Infinity,
    );
    this.delete(key);
    this.#keysByTag.add(key, tags);
    this.#entries.set(key, {
      flightToken: flight.token,
      operation,
      bodies,
      headers,
      upstream,
      tags,
      storedMs: nowMs,
      nextMs,
      expiresMs,
      size: bodies.size() + OVERHEAD_BYTES,
      wasUsed: false,
      staleSinceMs: undefined,
      failedMs: undefined,
    });
  }

  /** Updates the size after content codings were added to an entry. */
  resize(key: string, bodies: EncodedBodies): void {
    if (this.#entries.get(key)?.bodies === bodies) this.#entries.resize(key, bodies.size() + OVERHEAD_BYTES);
  }

  delete(key: string): void {
    const answer = this.#entries.delete(key);
    if (answer !== undefined) this.#keysByTag.remove(key, answer.tags);
  }

  /** Invalidates entries with these tags. */
  invalidate(tags: readonly string[], alsoConsumedBy: readonly string[]): void {
    const nowMs = this.#now();
    this.#propagation.open(tags, alsoConsumedBy, nowMs);
    for (const key of this.#keysByTag.keysOf(tags)) this.#markStale(key, nowMs);
  }

  /** Purges entries with these tags: they must not be served any more. */
  purge(tags: readonly string[], alsoConsumedBy: readonly string[]): void {
    this.#propagation.open(tags, alsoConsumedBy, this.#now());
    for (const key of this.#keysByTag.keysOf(tags)) this.delete(key);
  }

  /** Invalidates all entries, after facts may have been missed. */
  invalidateAll(): void {
    const nowMs = this.#now();
    for (const key of this.#entries.keys()) this.#markStale(key, nowMs);
  }

  isConnected(): boolean {
    return this.#disconnectedSinceMs === undefined;
  }

  setConnected(isFollowing: boolean): void {
    if (isFollowing) this.#disconnectedSinceMs = undefined;
    else this.#disconnectedSinceMs ??= this.#now();
  }

  #markStale(key: string, nowMs: number): void {
    const answer = this.#entries.get(key);
    if (answer !== undefined) answer.staleSinceMs ??= nowMs;
  }
}
