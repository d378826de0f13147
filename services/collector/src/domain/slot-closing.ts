import { SNAPSHOT_RETENTION_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import type { Leases } from './lease.ts';
import type { Outlet } from './outlet.ts';
import { composeSlot } from './slot-observation.ts';
import type { SlotStore } from './slot-store.ts';
import type { Telemetry } from './telemetry.ts';
import type { Time } from './time.ts';

export interface SlotClosing {
  /** Finishes an open slot with what it has, or misses it, and publishes it. */
  close(slot: EpochSeconds): Promise<void>;
  /** Publishes a finished slot. */
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
 * The end of a slot. What it says is frozen in the store first and published then, always with the same content: a
 * crash between any two steps leaves something that whoever comes next can take up.
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
      // It will never be valid: to try for ever would help nobody.
      telemetry.fault('a slot can never be published and is given up', error);
    }
    await slots.published(slot);
    // Remembered as long as its snapshots are kept, so that a clock set back opens none of them again.
    await slots.forget(slot - SNAPSHOT_RETENTION_SECONDS);
  }
}
