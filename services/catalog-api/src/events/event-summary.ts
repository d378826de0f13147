import type { EpochSeconds, OperationResponse, operations } from '@lobbystats/contracts';
import type { StoredEvent } from './event-store.ts';
import { phaseOf } from './event-times.ts';
import { toPublicEvent } from './event-view.ts';

export function summarizeEvents(
  events: readonly StoredEvent[],
  now: EpochSeconds,
): OperationResponse<typeof operations.getPaidEventsSummary> {
  const phases = events.map((event) => phaseOf(event, now));
  const next = events.find(({ startsAt }) => now < startsAt);
  const count = (phase: (typeof phases)[number]) => phases.filter((one) => one === phase).length;
  const sum = (amount: (event: StoredEvent['event']) => number) => safeSum(events.map(({ event }) => amount(event)));
  return {
    total: events.length,
    upcoming: count('upcoming'),
    active: count('active'),
    completed: count('completed'),
    totalSignups: sum((event) => event.signup_count),
    totalEntryFeeSats: sum((event) => (event.entry_fee_sats ?? 0) * event.signup_count),
    totalRewardSats: sum((event) => event.reward_total_sats ?? 0),
    verifiedPotSats: sum((event) => event.pot_verified_balance_sats ?? 0),
    nextEvent: next === undefined ? null : toPublicEvent(next),
  };
}

/** Caps sums at the largest safe integer. */
function safeSum(amounts: readonly number[]): number {
  return Math.min(
    amounts.reduce((total, amount) => total + amount, 0),
    Number.MAX_SAFE_INTEGER,
  );
}
