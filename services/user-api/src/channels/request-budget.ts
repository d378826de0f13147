import { KeyedTokenBuckets } from '@lobbystats/service-kit/concurrency';
import { DELIVERY_SECONDS } from '@lobbystats/contracts';
import type { Outcome, Receiver } from './endpoint.ts';

const SECOND_MS = 1000;
/** One request a second for an account, and for an address: 100 at once. */
const ONE = { share: 1 / SECOND_MS, burstMs: 100 };
/** 200 a second for a host, of all accounts: 10,000 at once. */
const HOST = { share: 200 / SECOND_MS, burstMs: 10_000 };
/** A request that does not succeed counts as this many. */
const [FAILED_COST, REFUSED_COST] = [10, 50];
/** How long a host can silence the channels of others. */
const HOST_SILENCE_MAX_MS = 600_000;

/** The requests that others' servers get from this process: of each account, at each address, and at each host. */
export class RequestBudget {
  readonly #accounts: KeyedTokenBuckets;
  readonly #addresses: KeyedTokenBuckets;
  readonly #hosts: KeyedTokenBuckets;

  /** @param now in milliseconds */
  constructor(now: () => number) {
    [this.#accounts, this.#addresses] = [
      new KeyedTokenBuckets({ ...ONE, now }),
      new KeyedTokenBuckets({ ...ONE, now }),
    ];
    this.#hosts = new KeyedTokenBuckets({ ...HOST, now });
  }

  /** How long nothing may be sent, in milliseconds. */
  waitMs(userKey: string, { address, host }: Receiver): number {
    const buckets = [this.#accounts.of(userKey), this.#addresses.of(address), this.#hosts.of(host)];
    return Math.max(...buckets.map((bucket) => bucket.retryAfterMs()));
  }

  /** Charges a request. Who asks to wait is asked by no channel meanwhile. */
  charge(userKey: string, { address, host }: Receiver, outcome: Outcome): void {
    const isRefused = outcome.result.startsWith('HTTP 4');
    const cost = outcome.kind === 'delivered' ? 1 : FAILED_COST;
    this.#accounts.of(userKey).charge(cost);
    this.#addresses.of(address).charge(1);
    this.#hosts.of(host).charge(isRefused ? REFUSED_COST : 1);
    const { retryAfterMs = 0, isOfAddress } = outcome;
    this.#addresses.of(address).block(Math.min(retryAfterMs, DELIVERY_SECONDS * SECOND_MS));
    if (isOfAddress !== true) this.#hosts.of(host).block(Math.min(retryAfterMs, HOST_SILENCE_MAX_MS));
  }
}
