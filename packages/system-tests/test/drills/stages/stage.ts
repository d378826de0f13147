import type { TestResponse, TestRequestOptions } from '@lobbystats/test-kit/send-request';
import type { SignedInUser } from '../../standalone/sign-in.ts';

/** Enough history for every route, which is loaded in a minute. */
export const SHORT_BACKFILL = {
  BACKFILL_DAYS: '2',
  BACKFILL_REGISTERED_DAYS: '3',
  BACKFILL_LEADERBOARD_DAYS: '1',
  BACKFILL_PLAY_TIME_DAYS: '1',
};

/** A listener that the system could reach, and must not connect to. */
export interface Trap {
  /** Addresses as `host:port`. */
  readonly addresses: readonly string[];
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** A running system with the controls and probes that drills need. */
export interface Stage {
  readonly kind: 'stack' | 'standalone';
  /** Public URL. */
  readonly url: string;
  /** URL of the simulated network, its auth service and control API. */
  readonly networkUrl: string;
  /** Two signed-in users that the site knows. */
  readonly users: readonly [SignedInUser, SignedInUser];
  /**
   * Sends a request to the public port over a new connection.
   *
   * @throws Error for a 500, and when a response violates its contract
   */
  request(path: string, options?: TestRequestOptions): Promise<TestResponse>;
  /** Memory of each own process, in bytes. */
  memory(): Promise<Readonly<Record<string, number>>>;
  /** Metrics of a service in Prometheus text format. */
  metrics(service: string): Promise<string>;
  /** The current end of the log. */
  markLog(): string;
  /** Log lines after a mark, or all of them. */
  logs(mark?: string): Promise<string>;
  /** Number of documents or files of the stores that contain one of these texts. */
  countStored(texts: readonly string[]): Promise<number>;
  /** An identifier of each process that changes with a restart. */
  incarnations(): Promise<Readonly<Record<string, string>>>;
  /** Names of everything that is currently unhealthy. */
  unhealthy(): Promise<readonly string[]>;
  trap(): Promise<Trap>;
  close(): Promise<void>;
}
