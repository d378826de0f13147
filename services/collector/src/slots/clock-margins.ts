/** Longest wait at a slot's start, in seconds. */
const MAX_SETTLE_SECONDS = 5;

/** Margins for a network clock that differs from ours. */
export interface ClockMargins {
  settleMs: number;
  leewaySeconds: number;
}

/**
 * A network that is behind still shows the previous slot's page when our slot starts. That page must not be taken for
 * this slot's, so collection starts later by the tolerance. What exceeds the longest wait becomes leeway on `Date`.
 */
export function clockMarginsOf(toleranceSeconds: number): ClockMargins {
  const settleSeconds = Math.min(toleranceSeconds, MAX_SETTLE_SECONDS);
  return { settleMs: settleSeconds * 1000, leewaySeconds: toleranceSeconds - settleSeconds };
}
