import type { Answer, AskOptions } from '../../../services/gateway/test/ask.ts';
import type { LoggedIn } from '../../../services/standalone/test/site-sessions.ts';

/** Something that listens where the system could reach it, and waits for connections that must not come. */
export interface Trap {
  /** `host:port`s under which it is reached. */
  readonly places: readonly string[];
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** A system that runs, with what a drill needs to hurt it and to look at it. */
export interface Stage {
  readonly kind: 'stack' | 'standalone';
  /** Where the public asks. */
  readonly url: string;
  /** Where the simulated network is, its auth service and its door. */
  readonly networkUrl: string;
  /** Two who are logged in at the auth service, known to the site. */
  readonly people: readonly [LoggedIn, LoggedIn];
  /**
   * Asks the public door on a connection of its own.
   *
   * @throws Error for a 500, and where an operation answers off its contract
   */
  ask(path: string, options?: AskOptions): Promise<Answer>;
  /** Memory of each process of ours, in bytes. */
  memory(): Promise<Readonly<Record<string, number>>>;
  /** What a service tells Prometheus. */
  metrics(service: string): Promise<string>;
  /** A place in the log: where it ends now. */
  markLog(): string;
  /** What our services have logged from a place on, else since the stage is there. */
  logs(mark?: string): Promise<string>;
  /** Everything that is kept of people, as text. */
  stores(): Promise<string>;
  /** For each process something that is another one when it has ended and was started again. */
  incarnations(): Promise<Readonly<Record<string, string>>>;
  /** What isn't well at this moment, by name. */
  unwell(): Promise<readonly string[]>;
  trap(): Promise<Trap>;
  close(): Promise<void>;
}
