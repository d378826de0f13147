/** A slot's beginning that is spent on waiting, at most, in seconds. */
const LONGEST_SETTLING_SECONDS = 5;

/** What is made of a network's clock that isn't ours. */
export interface ClockMargins {
  /** How far into a slot its reading begins, in milliseconds. */
  settleMs: number;
  /** How far outside of the slot a page's `Date` may lie, in seconds. */
  leewaySeconds: number;
}

/**
 * The margins for a network whose clock may differ from ours by so many seconds.
 *
 * A network that is behind shows the previous slot's page when ours has begun, and dates it so. That page must never be
 * taken for this slot's, so its date isn't excused: the reading begins later instead, by as much as the clocks may differ, and
 * by then the network's own slot has begun. As the reading ends long before the slot does, one that is ahead needs no
 * more. A clock that is wrong by more than can be waited for is taken at its operator's word: only what wasn't waited
 * for is excused.
 */
export function clockMarginsOf(toleranceSeconds: number): ClockMargins {
  const settleSeconds = Math.min(toleranceSeconds, LONGEST_SETTLING_SECONDS);
  return { settleMs: settleSeconds * 1000, leewaySeconds: toleranceSeconds - settleSeconds };
}
