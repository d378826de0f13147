import { SNAPSHOT_RETENTION_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import type { Leases } from './lease.ts';
import type { Outlet } from './outlet.ts';
import { composeSlot } from './slot-observation.ts';
import type { SlotStore } from './slot-store.ts';
import type { Telemetry } from './telemetry.ts';
import type { Time } from './time.ts';

export interface SlotClosing {
  close(slot: EpochSeconds): Promise<void>;
  publish(slot: EpochSeconds): Promise<void>;
}

export interface SlotClosingParts {
  slots: SlotStore;
  outlet: Outlet;
  telemetry: Telemetry;
  time: Time;
  leases: Leases;
}

/**
 * The message is frozen in the store before it is published, so any replica can repeat a step after a crash with the
 * same content.
 */
export function createSlotClosing({ slots, outlet, telemetry, time, leases }: SlotClosingParts): SlotClosing {
  const publishing = new Map<EpochSeconds, Promise<void>>();
  return {
    async close(slot) {
      const content = await slots.content(slot);
      if (content === undefined) {
        if (await slots.miss(slot)) telemetry.slotMissed(slot);
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
    const running = publishing.get(slot) ?? publish(slot).finally(() => publishing.delete(slot));
    publishing.set(slot, running);
    return running;
  }

  async function publish(slot: EpochSeconds): Promise<void> {
    const observation = await slots.finished(slot);
    if (observation === undefined) return;
    try {
      await outlet.slot(observation, { past: false });
    } catch (error) {
      if (!hasCode(error, 'invalid')) throw error;
      // The message will never be valid.
      telemetry.fault('a slot can never be published and is given up', error);
    }
    await slots.published(slot);
    // Kept as long as snapshots, so that a clock set back opens no slot again.
    await slots.forget(slot - SNAPSHOT_RETENTION_SECONDS);
  }
}
