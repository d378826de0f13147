import { SingleFlight } from '@lobbystats/concurrency';
import { SNAPSHOT_RETENTION_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import type { Leases } from '../leases/lease.ts';
import type { ObservationPublisher } from '../messages/observation-publisher.ts';
import { composeSlot } from './slot-observation.ts';
import type { SlotStore } from './slot-store.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Time } from '../time/time.ts';

export interface SlotClosing {
  close(slot: EpochSeconds): Promise<void>;
  publish(slot: EpochSeconds): Promise<void>;
}

export interface SlotClosingParts {
  slots: SlotStore;
  publisher: ObservationPublisher;
  telemetry: Telemetry;
  time: Time;
  leases: Leases;
}

/**
 * The message is frozen in the store before it is published, so any replica can repeat a step after a crash with the
 * same content.
 */
export function createSlotClosing({ slots, publisher, telemetry, time, leases }: SlotClosingParts): SlotClosing {
  const publishing = new SingleFlight<EpochSeconds>();
  return {
    async close(slot) {
      const content = await slots.content(slot);
      if (content === undefined) {
        if (await slots.markMissed(slot)) telemetry.slotMissed(slot);
        return;
      }
      const observation = composeSlot(slot, content);
      if (!(await slots.finish(slot, observation, leases()))) return;
      telemetry.slotFinished(slot, observation, time.now() - slot * 1000);
      await publishOnce(slot);
    },
    publish: publishOnce,
  };

  function publishOnce(slot: EpochSeconds): Promise<void> {
    return publishing.run(slot, () => publish(slot));
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
  }
}
