import { hasCode } from '@lobbystats/errors';
import { OVERDUE_SECONDS, secondsUntil } from '../freshness.ts';
import { AnswerStore, KEPT_BYTES_MAX } from './answer-store.ts';
import { forwarded, HIT, staleHit, type Reason } from './cache-status.ts';
import { EncodedBodies, type EncodedBody, type Pack } from './encoded-bodies.ts';
import type { Encoding } from './encoding.ts';
import { Flights, type Flight, type LandedAnswer } from './flights.ts';
import { LargeResult, type StreamedAnswer } from './large-result.ts';
import { PackAhead } from './pack-ahead.ts';
import type { GivenAnswer, GivenLarge, KeptAnswer, Wanted } from './wanted.ts';

/** How long a stale entry is served while a new answer is fetched, in milliseconds. */
const STALE_SHOWN_MS = 3000;
/** How long a request waits for a new answer before it gets the stale one, in milliseconds. */
const PATIENCE_MS = 1000;
/** How long a failed fetch is not repeated, in milliseconds. */
const RETRY_MS = 1000;

export type Outcome = 'hit' | 'stale' | 'miss' | 'collapsed' | 'bypass';

export interface CacheReport {
  served(operation: string, outcome: Outcome): void;
  evicted(): void;
  sized(bytes: number, answers: number): void;
}

export interface ResponseCacheOptions {
  /** 0: no caching and no sharing. */
  maxBytes: number;
  now: () => number;
  /** See `Freshness.nextMs`. */
  nextMs: () => number;
  pack: Pack;
  /** Resolves to undefined when it takes longer. */
  within: <Result>(work: Promise<Result>, ms: number) => Promise<Result | undefined>;
  report: CacheReport;
}

/**
 * Serves fresh entries, and fetches once for all who want the same answer. Serves stale entries for 3 s during a fetch,
 * and while the upstream is unavailable.
 */
export class ResponseCache {
  readonly #options: ResponseCacheOptions;
  readonly #store: AnswerStore;
  readonly #flights: Flights;

  constructor(options: ResponseCacheOptions) {
    this.#options = options;
    const { maxBytes, now, nextMs, pack, report } = options;
    const ahead = new PackAhead(pack);
    this.#store = new AnswerStore(maxBytes, now, () => report.evicted());
    this.#flights = new Flights({
      nextMs,
      prepare: async ({ wanted }, made) => {
        const bodies = await ahead.bodiesOf(made, this.#store.get(wanted.key)?.bodies);
        return { bodies, headers: made.headers };
      },
      landed: (flight, answer) => this.#landed(flight, answer),
      failed: (flight, error) => this.#failed(flight, error),
    });
  }

  /** An entry that can be served at once in an encoding: fresh, being refreshed, or just failed to refresh. */
  atHand(key: string, encoding: Encoding): GivenAnswer | undefined {
    const kept = this.#store.get(key);
    if (kept?.bodies.ready(encoding) === undefined) return undefined;
    const nowMs = this.#options.now();
    const staleSinceMs = this.#store.staleSinceMs(kept, nowMs);
    if (staleSinceMs === undefined) return this.#hit(key, kept, nowMs);
    if (hasJustFailed(kept, nowMs)) return this.#stale(key, kept, staleSinceMs, 'unavailable');
    const isBeingMade = nowMs - staleSinceMs <= STALE_SHOWN_MS && this.#flights.current(key) !== undefined;
    return isBeingMade ? this.#stale(key, kept, staleSinceMs, 'refreshing') : undefined;
  }

  /** @throws AppError as `wanted.make` does, where there is nothing that can be shown instead */
  async answer(wanted: Wanted): Promise<GivenAnswer | GivenLarge> {
    if (this.#options.maxBytes === 0) return this.bypass(wanted, 'bypass');
    if (wanted.keeping === 'kept') return this.#kept(wanted);
    if (wanted.keeping === 'revalidated') return this.#revalidated(wanted);
    const running = this.#flights.current(wanted.key);
    return this.#madeBy(running ?? this.#flights.begin(wanted), 'uri-miss', running !== undefined);
  }

  async bypass(
    { key, operation, make }: Pick<Wanted, 'key' | 'operation' | 'make'>,
    why: Reason,
  ): Promise<GivenAnswer | GivenLarge> {
    const { now, nextMs, report } = this.#options;
    const expectedMs = nextMs();
    const made = await make();
    const maxAgeSeconds = this.#maxAgeSeconds(expectedMs, now());
    if (made instanceof LargeResult) {
      const large = made.take();
      if (large !== undefined) return givenLarge(large, made, maxAgeSeconds);
      throw new Error('a large answer that is not shared was taken by another caller');
    }
    const { body, tag, headers } = made;
    report.served(operation, 'bypass');
    const bodies = new EncodedBodies(body, tag);
    return { key, bodies, headers, maxAgeSeconds, ageSeconds: undefined, status: forwarded(why) };
  }

  async bodyOf({ key, bodies }: GivenAnswer, encoding: Encoding): Promise<EncodedBody> {
    const ready = bodies.ready(encoding);
    if (ready !== undefined) return ready;
    const body = await bodies.in(encoding, this.#options.pack);
    this.#store.grown(key, bodies);
    this.#sized();
    return body;
  }

  /**
   * Invalidates answers with these tags. `learnedBy`: services that learn of the fact over the bus as well, whose next
   * answers may still be old.
   *
   * @param learnedBy services that learn of it by the bus, as we do: what they say soon after may be old
   */
  outdate(tags: readonly string[], learnedBy: readonly string[] = []): void {
    this.#flights.outdate(tags);
    this.#store.outdate(tags, learnedBy);
  }

  /** Purges answers with these tags: they are not served stale either. */
  drop(tags: readonly string[], learnedBy: readonly string[] = []): void {
    this.#flights.outdate(tags);
    this.#store.drop(tags, learnedBy);
    this.#sized();
  }

  outdateAll(): void {
    this.#flights.outdateIf(() => true);
    this.#store.outdateAll();
  }

  /** While facts are not followed, entries are fresh for 5 s at most. */
  following(isFollowing: boolean): void {
    this.#store.following(isFollowing);
  }

  async #kept(wanted: Wanted): Promise<GivenAnswer | GivenLarge> {
    const { key } = wanted;
    const nowMs = this.#options.now();
    const kept = this.#store.get(key);
    const staleSinceMs = kept === undefined ? undefined : this.#store.staleSinceMs(kept, nowMs);
    if (kept !== undefined && staleSinceMs === undefined) return this.#hit(key, kept, nowMs);
    if (kept !== undefined && hasJustFailed(kept, nowMs)) return this.#stale(key, kept, staleSinceMs, 'unavailable');
    const running = this.#flights.current(key);
    const flight = running ?? this.#flights.begin(wanted);
    const isCollapsed = running !== undefined;
    if (kept === undefined) return this.#madeBy(flight, 'uri-miss', isCollapsed);
    if (nowMs - (staleSinceMs ?? nowMs) <= STALE_SHOWN_MS) return this.#stale(key, kept, staleSinceMs, 'refreshing');
    return this.#madeOrKept(flight, kept, isCollapsed);
  }

  /** The stored entry is served only while the upstream is unavailable. */
  async #revalidated(wanted: Wanted): Promise<GivenAnswer | GivenLarge> {
    const reason = this.#store.get(wanted.key) === undefined ? 'uri-miss' : 'stale';
    try {
      const flight = await this.#flights.next(wanted);
      return await this.#madeBy(flight, reason, flight.wanted !== wanted);
    } catch (error) {
      const kept = this.#store.get(wanted.key);
      if (kept === undefined || !hasCode(error, 'unavailable')) throw error;
      const { keptMs } = kept;
      return this.#stale(wanted.key, kept, keptMs, 'unavailable');
    }
  }

  async #madeBy(flight: Flight, reason: Reason, isCollapsed: boolean): Promise<GivenAnswer | GivenLarge> {
    const landed = await flight.landed;
    const { key, operation } = flight.wanted;
    const { now, report } = this.#options;
    const maxAgeSeconds = flight.isOutdated ? 0 : this.#maxAgeSeconds(flight.nextMs, now());
    if (landed instanceof LargeResult) {
      const large = landed.take();
      return large === undefined ? this.bypass(flight.wanted, reason) : givenLarge(large, landed, maxAgeSeconds);
    }
    const { bodies, headers } = landed;
    const isStored = this.#store.get(key)?.madeBy === flight.token;
    report.served(operation, isCollapsed ? 'collapsed' : 'miss');
    return {
      key,
      bodies,
      headers,
      maxAgeSeconds,
      ageSeconds: undefined,
      status: forwarded(reason, { isCollapsed, isStored }),
    };
  }

  async #madeOrKept(flight: Flight, kept: KeptAnswer, isCollapsed: boolean): Promise<GivenAnswer | GivenLarge> {
    const { within, now } = this.#options;
    const { key } = flight.wanted;
    const stale = (why: 'refreshing' | 'unavailable') =>
      this.#stale(key, kept, this.#store.staleSinceMs(kept, now()), why);
    try {
      const landed = await within(flight.landed, PATIENCE_MS);
      // A purged entry must never be served.
      const isDropped = this.#store.get(key) === undefined;
      return landed === undefined && !isDropped
        ? stale('refreshing')
        : await this.#madeBy(flight, 'stale', isCollapsed);
    } catch (error) {
      if (!hasCode(error, 'unavailable') || this.#store.get(key) === undefined) throw error;
      return stale('unavailable');
    }
  }

  #hit(key: string, kept: KeptAnswer, nowMs: number): GivenAnswer {
    kept.wasUsed = true;
    this.#options.report.served(kept.operation, 'hit');
    const { bodies, headers, nextMs } = kept;
    return { key, bodies, headers, maxAgeSeconds: this.#maxAgeSeconds(nextMs, nowMs), ageSeconds: 0, status: HIT };
  }

  #stale(
    key: string,
    kept: KeptAnswer,
    staleSinceMs: number | undefined,
    why: 'refreshing' | 'unavailable',
  ): GivenAnswer {
    kept.wasUsed = true;
    const nowMs = this.#options.now();
    const ageSeconds = Math.max(0, Math.floor((nowMs - (staleSinceMs ?? nowMs)) / 1000));
    this.#options.report.served(kept.operation, 'stale');
    const { bodies, headers } = kept;
    return { key, bodies, headers, maxAgeSeconds: 0, ageSeconds, status: staleHit(ageSeconds, why) };
  }

  #maxAgeSeconds(nextMs: number, nowMs: number): number {
    const seconds = secondsUntil(nextMs, nowMs);
    return this.#store.isFollowing() ? seconds : Math.min(seconds, OVERDUE_SECONDS);
  }

  #landed(flight: Flight, answer: LandedAnswer): void {
    const isKept =
      flight.wanted.keeping !== 'shared' && !flight.isOutdated && answer.bodies.identity.bytes.length <= KEPT_BYTES_MAX;
    if (!isKept) return;
    this.#store.keep(flight, answer);
    this.#sized();
  }

  #failed({ wanted: { key }, isOutdated }: Flight, error: unknown): void {
    const kept = this.#store.get(key);
    if (kept === undefined || isOutdated) return;
    if (hasCode(error, 'unavailable')) kept.failedMs = this.#options.now();
    // The upstream says that the resource is gone.
    else if (hasCode(error, 'not-found')) this.#store.forget(key);
  }

  #sized(): void {
    this.#options.report.sized(this.#store.bytes, this.#store.count);
  }
}

function hasJustFailed({ failedMs }: KeptAnswer, nowMs: number): boolean {
  return failedMs !== undefined && nowMs >= failedMs && nowMs - failedMs < RETRY_MS;
}

function givenLarge(large: StreamedAnswer, { headers }: LargeResult, maxAgeSeconds: number): GivenLarge {
  return { large, headers, maxAgeSeconds, ageSeconds: undefined, status: forwarded('uri-miss') };
}
