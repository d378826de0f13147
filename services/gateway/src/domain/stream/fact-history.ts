import type { Message } from '@lobbystats/contracts';

/** A fact as the log has it. */
export interface LoggedFact {
  /** Where the log stands behind it. */
  readonly position: string;
  readonly message: Message;
}

/** The log of facts, read for those who come back. */
export interface FactHistory {
  /**
   * Hands over the facts behind a position, in the log's order, for as long as `take` returns true.
   *
   * @returns false when the position isn't one that the log can be read from any more, when the log can't be read, or when it
   *   takes too long
   */
  read(from: string, take: (fact: LoggedFact) => boolean): Promise<boolean>;
}
