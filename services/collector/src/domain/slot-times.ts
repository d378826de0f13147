import { SLOT_SECONDS, slotOf, type EpochSeconds } from '@lobbystats/contracts';

/** How long after its beginning a slot may be collected, in seconds. */
const SLOT_DEADLINE_SECONDS = 120;
/** Game metadata and events are due in slots whose beginning is a multiple of this, in seconds. */
export const METADATA_SECONDS = 900;
/** A clock that was set back by more than this was wrong before: what was collected then holds nothing up. */
const BELIEVED_SETBACK_SECONDS = 3600;

/** The end of the time in which a slot is collected, in epoch milliseconds. */
export function deadlineMsOf(slot: EpochSeconds): number {
  return (slot + SLOT_DEADLINE_SECONDS) * 1000;
}

/** The slot that an instant (epoch milliseconds) lies in. */
export function slotAt(nowMs: number): EpochSeconds {
  return slotOf(nowMs / 1000);
}

/** The end of a slot, in epoch milliseconds. */
export function endMsOf(slot: EpochSeconds): number {
  return (slot + SLOT_SECONDS) * 1000;
}

/** Whether every title's metadata is due in this slot. */
export function isMetadataDue(slot: EpochSeconds): boolean {
  return slot % METADATA_SECONDS === 0;
}

/**
 * Whether a slot may be opened after `latest`, the latest one that something was said of. Time only goes forward: behind a
 * slot that was read none is, even if the clock was set back and shows that time again. A slot that a clock ahead of
 * its time has opened, and nothing came of, holds nothing up.
 */
export function mayOpen(slot: EpochSeconds, latest: EpochSeconds | undefined): boolean {
  return latest === undefined || slot > latest || latest - slot > BELIEVED_SETBACK_SECONDS;
}

/** The first slot that a collector which starts now will collect itself. */
export function firstLiveSlot(nowMs: number): EpochSeconds {
  const slot = slotAt(nowMs);
  return nowMs < deadlineMsOf(slot) ? slot : slot + SLOT_SECONDS;
}
