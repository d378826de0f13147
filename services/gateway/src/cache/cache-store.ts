import { SLOT_SECONDS } from '@lobbystats/contracts';
import { freshnessOf, type CacheEntry, type Flight, type OriginResponse } from './cache-request.ts';
import type { EncodedBodies } from './encoded-bodies.ts';
import { TagIndex } from './tag-index.ts';

/** Seconds for which a response is fresh while the next slot is overdue. */
export const OVERDUE_SECONDS = 5;

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

/**
 * Bounded in bytes, with CLOCK eviction (https://en.wikipedia.org/wiki/Page_replacement_algorithm#Clock): a use costs one
 * flag. Entries used once, as by a crawler, are evicted before those used again.
 */
export class CacheStore {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #tags = new TagIndex();
  readonly #maxBytes: number;
  readonly #now: () => number;
  #bytes = 0;
  #evictions = 0;
  /** Undefined while the fact log is read. */
  #disconnectedSinceMs: number | undefined;

  /** @param now epoch milliseconds */
  constructor(maxBytes: number, now: () => number) {
    this.#maxBytes = maxBytes;
    this.#now = now;
    this.#disconnectedSinceMs = now();
  }

  get size(): { bytes: number; entries: number; evictions: number } {
    return { bytes: this.#bytes, entries: this.#entries.size, evictions: this.#evictions };
  }

  get(key: string): CacheEntry | undefined {
    return this.#entries.get(key);
  }

  /** Epoch milliseconds since when an entry may be stale; undefined while it is fresh. */
  staleSinceMs({ storedMs, expiresMs, staleSinceMs = Infinity }: CacheEntry, nowMs: number): number | undefined {
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
  put({ request, nextMs, token }: Flight, { body, headers }: OriginResponse<EncodedBodies>): void {
    const { key, operation, upstream, tags } = request;
    this.delete(key);
    const nowMs = this.#now();
    const slotMs = (isAhead(nextMs, nowMs) ? nextMs : nowMs) + GRACE_MS;
    const size = body.size + OVERHEAD_BYTES;
    this.#tags.add(key, tags);
    this.#entries.set(key, {
      ...{ flightToken: token, operation, upstream, tags, body, headers, nextMs, size },
      freshUntil: freshnessOf(request),
      storedMs: nowMs,
      expiresMs: Math.min(slotMs, this.#tags.windowEndMs(tags, upstream, nowMs)),
      wasUsed: false,
      staleSinceMs: undefined,
      failedMs: undefined,
    });
    this.#bytes += size;
    if (this.#bytes > this.#maxBytes) this.#evict();
  }

  /** Updates the size after content codings were added to an entry. */
  resize(key: string, body: EncodedBodies): void {
    const entry = this.#entries.get(key);
    if (entry?.body !== body) return;
    const size = body.size + OVERHEAD_BYTES;
    this.#bytes += size - entry.size;
    entry.size = size;
    this.#evict();
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.size;
    this.#tags.remove(key, entry.tags);
  }

  /** Invalidates entries with these tags. */
  invalidate(tags: readonly string[], alsoConsumedBy: readonly string[]): void {
    const nowMs = this.#now();
    this.#tags.openWindow(tags, alsoConsumedBy, nowMs);
    for (const key of this.#tags.keysOf(tags)) this.#markStale(key, nowMs);
  }

  /** Purges entries with these tags: they must not be served any more. */
  purge(tags: readonly string[], alsoConsumedBy: readonly string[]): void {
    this.#tags.openWindow(tags, alsoConsumedBy, this.#now());
    for (const key of this.#tags.keysOf(tags)) this.delete(key);
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
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.staleSinceMs ??= nowMs;
  }

  #evict(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      if (entry.wasUsed && entry.size <= this.#maxBytes) {
        entry.wasUsed = false;
        this.#entries.delete(key);
        this.#entries.set(key, entry);
      } else {
        this.delete(key);
        this.#evictions += 1;
      }
    }
  }
}

/**
 * Whole seconds until the expected slot; 5 while it is overdue.
 *
 * @param nextMs when the next slot was expected before the fetch, in epoch milliseconds
 */
export function secondsUntil(nextMs: number, nowMs: number): number {
  return isAhead(nextMs, nowMs) ? Math.floor((nextMs - nowMs) / 1000) : OVERDUE_SECONDS;
}

/** More than a slot ahead means that the clock was set back. */
function isAhead(nextMs: number, nowMs: number): boolean {
  const leftMs = nextMs - nowMs;
  return leftMs > 0 && leftMs <= SLOT_SECONDS * 1000;
}
