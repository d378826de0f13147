import { SLOT_SECONDS, slotOf, type EpochSeconds } from '@lobbystats/contracts';

/** How long after its beginning a slot may be collected, in seconds. */
const SLOT_DEADLINE_SECONDS = 120;
export const METADATA_INTERVAL_SECONDS = 900;
/** A clock set back by more was wrong before: slots collected then block nothing. */
const MAX_CLOCK_SETBACK_SECONDS = 3600;

export function deadlineMsOf(slot: EpochSeconds): number {
  return (slot + SLOT_DEADLINE_SECONDS) * 1000;
}

export function slotAt(nowMs: number): EpochSeconds {
  return slotOf(nowMs / 1000);
}

export function endMsOf(slot: EpochSeconds): number {
  return (slot + SLOT_SECONDS) * 1000;
}

export function isMetadataDue(slot: EpochSeconds): boolean {
  return slot % METADATA_INTERVAL_SECONDS === 0;
}

/**
 * No slot opens behind one that was published, even if the clock was set back. A slot opened by a clock ahead of time
 * that published nothing blocks nothing.
 */
export function mayOpen(slot: EpochSeconds, latest: EpochSeconds | undefined): boolean {
  return latest === undefined || slot > latest || latest - slot > MAX_CLOCK_SETBACK_SECONDS;
}

export function firstLiveSlot(nowMs: number): EpochSeconds {
  const slot = slotAt(nowMs);
  return nowMs < deadlineMsOf(slot) ? slot : slot + SLOT_SECONDS;
}

/** Longest wait at a slot's start, in seconds. */
const MAX_SETTLE_SECONDS = 5;

/**
 * A network that is behind still shows the previous slot's page when our slot starts. That page must not be taken for
 * this slot's, so collection starts later by the tolerance. What exceeds the longest wait becomes leeway on `Date`.
 */
export function clockMarginsOf(toleranceSeconds: number): { settleMs: number; leewaySeconds: number } {
  const settleSeconds = Math.min(toleranceSeconds, MAX_SETTLE_SECONDS);
  return { settleMs: settleSeconds * 1000, leewaySeconds: toleranceSeconds - settleSeconds };
}
