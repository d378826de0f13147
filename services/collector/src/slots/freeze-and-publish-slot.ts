import { SingleFlight } from '@lobbystats/concurrency';
import {
  DAY_SECONDS,
  SNAPSHOT_RETENTION_SECONDS,
  TITLE_RETENTION_SECONDS,
  type EpochSeconds,
} from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import { composeSlot } from './slot-observation.ts';
import type { SlotParts } from './slot-parts.ts';

export interface SlotPublishing {
  /** Ends collection of an open slot, and publishes what it has; without a homepage the slot is missed. */
  freezeAndPublish(slot: EpochSeconds): Promise<void>;
  /** Publishes a frozen slot. */
  publish(slot: EpochSeconds): Promise<void>;
}

/**
 * The message is frozen in the store before it is published, so any replica can repeat a step after a crash with the
 * same content.
 */
export function createSlotPublishing({
  slots,
  titles,
  boards,
  pages,
  publisher,
  telemetry,
  time,
  leases,
}: SlotParts): SlotPublishing {
  const publishing = new SingleFlight<EpochSeconds>();
  const publishOnce = (slot: EpochSeconds) => publishing.run(slot, () => publish(slot));
  return {
    async freezeAndPublish(slot) {
      if (await freeze(slot)) await publishOnce(slot);
    },
    publish: publishOnce,
  };

  async function freeze(slot: EpochSeconds): Promise<boolean> {
    const content = await slots.content(slot);
    if (content === undefined) {
      if (await slots.markMissed(slot)) telemetry.slotMissed(slot);
      return false;
    }
    const observation = composeSlot(slot, content);
    if (!(await slots.finish(slot, observation, leases()))) return false;
    telemetry.slotFinished(slot, observation, time.now() - slot * 1000);
    return true;
  }

  async function publish(slot: EpochSeconds): Promise<void> {
    const observation = await slots.finishedObservation(slot);
    if (observation === undefined) return;
    try {
      await publisher.publishSlot(observation, { past: false });
    } catch (error) {
      if (!hasCode(error, 'invalid')) throw error;
      // The message will never be valid.
      telemetry.fault('slot dropped: its message is invalid', error);
    }
    await slots.markPublished(slot);
    // The retention of slots is that of snapshots, so that no slot is opened again when the clock is set back.
    await slots.deleteBefore(slot - SNAPSHOT_RETENTION_SECONDS);
    if (slot % DAY_SECONDS === 0) await forgetBefore(slot - TITLE_RETENTION_SECONDS);
  }

  async function forgetBefore(instant: EpochSeconds): Promise<void> {
    await titles.forgetUnseen(instant);
    await boards.forgetGone(instant);
    await pages.deleteUnclaimedSince(instant * 1000);
  }
}
