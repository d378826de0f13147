import { LRUCache } from 'lru-cache';
import type { Verification } from './auth-service.ts';

export interface ClientLimitsOptions {
  clock: () => number;
  /** Verifications of one client at a time. */
  concurrency: number;
  /** Invalid keys of one client in a window. */
  maxInvalid: number;
  windowMs: number;
}

/** The cause of a key that was not verified because of its client. */
export class ClientLimitError extends Error {
  override readonly name = 'ClientLimitError';
}

/** Clients whose invalid keys are counted. */
const CLIENTS_MAX = 10_000;

interface InvalidKeys {
  /** Epoch milliseconds of the first one. */
  readonly since: number;
  count: number;
}

/** Bounds the verifications of unknown keys by client, so that the made-up keys of one don't delay new sessions of others. */
export class ClientLimits {
  readonly #options: ClientLimitsOptions;
  readonly #running = new Map<string, number>();
  readonly #invalid = new LRUCache<string, InvalidKeys>({ max: CLIENTS_MAX });

  constructor(options: ClientLimitsOptions) {
    this.#options = options;
  }

  /** Begins a verification, unless the client has reached a limit. */
  begin(client: string): boolean {
    const { concurrency, maxInvalid } = this.#options;
    const running = this.#running.get(client) ?? 0;
    if (running >= concurrency || (this.#recent(client)?.count ?? 0) >= maxInvalid) return false;
    this.#running.set(client, running + 1);
    return true;
  }

  /** Ends a verification that has begun. Without a verdict it was not verified. */
  end(client: string, verdict: Verification | undefined): void {
    const left = (this.#running.get(client) ?? 1) - 1;
    if (left === 0) this.#running.delete(client);
    else this.#running.set(client, left);
    if (verdict?.caller !== null) return;
    const recent = this.#recent(client);
    if (recent === undefined) this.#invalid.set(client, { since: this.#options.clock(), count: 1 });
    else recent.count += 1;
  }

  /** Entries from the future are expired: the clock was set back. */
  #recent(client: string): InvalidKeys | undefined {
    const entry = this.#invalid.get(client);
    if (entry === undefined) return undefined;
    const age = this.#options.clock() - entry.since;
    return age >= 0 && age < this.#options.windowMs ? entry : undefined;
  }
}
