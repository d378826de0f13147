import type { EpochSeconds } from '@lobbystats/contracts';
import type { Time } from '../time/time.ts';
import type { SlotPublishing } from './freeze-and-publish-slot.ts';
import type { OpenSlot } from './open-slot.ts';
import { publishWithdrawals } from './publish-withdrawals.ts';
import type { SlotParts } from './slot-parts.ts';
import type { UnsettledSlot } from './slot-store.ts';
import { deadlineMsOf, endMsOf, mayOpen, slotAt } from '../time/slot-times.ts';

export interface SlotKeeper {
  /**
   * Opens the current slot, continues those of an earlier leader, freezes overdue ones, and publishes frozen ones
   * and withdrawals.
   * Call it every few seconds. Never rejects.
   */
  tick(): Promise<void>;
  maintain(): Promise<void>;
  /** Opens a slot with its own deadline (epoch milliseconds). False when it exists already. */
  begin(slot: EpochSeconds, deadlineMs: number): Promise<boolean>;
  untilNextTickMs(): number;
  onIdle(): Promise<void>;
}

const TICK_INTERVAL_MS = 5000;

export function createSlotKeeper(parts: SlotParts, openSlot: OpenSlot, publishing: SlotPublishing): SlotKeeper {
  const { slots, telemetry, time, settleMs, sideTasks, noteNetwork, stopping } = parts;
  const running = new Map<EpochSeconds, Promise<void>>();
  const handedOut = new Set<EpochSeconds>();
  let lastSkipped: EpochSeconds | undefined;

  return {
    tick: () => guarded(continueUnsettled, () => publishWithdrawals(parts), openCurrent),
    maintain: () => guarded(continueUnsettled),
    begin,
    untilNextTickMs() {
      const nowMs = time.now();
      const slot = slotAt(nowMs);
      const nexts = [slot * 1000 + settleMs, deadlineMsOf(slot), endMsOf(slot)].filter((atMs) => atMs > nowMs);
      return Math.min(TICK_INTERVAL_MS, ...nexts.map((atMs) => atMs - nowMs));
    },
    async onIdle() {
      while (running.size > 0) await Promise.all(running.values());
      await sideTasks.onIdle();
    },
  };

  async function guarded(...steps: (() => Promise<void>)[]): Promise<void> {
    try {
      for (const step of steps) await step();
    } catch (error) {
      telemetry.fault('slot maintenance failed, retrying', error);
    }
  }

  async function continueUnsettled(): Promise<void> {
    const unsettled = await slots.unsettled();
    const left = new Set(unsettled.map(({ slot }) => slot));
    for (const slot of handedOut) if (!left.has(slot)) handedOut.delete(slot);
    for (const slot of unsettled) await continueSlot(slot);
  }

  async function continueSlot({ slot, state, deadlineMs }: UnsettledSlot): Promise<void> {
    if (state === 'open' && time.now() >= deadlineMs) {
      start(slot, () => publishing.freezeAndPublish(slot));
      return;
    }
    if (state === 'finished') start(slot, () => publishing.publish(slot));
    else if (!handedOut.has(slot)) start(slot, () => open(slot, deadlineMs));
  }

  async function openCurrent(): Promise<void> {
    const slot = slotAt(time.now());
    if (time.now() < slot * 1000 + settleMs || time.now() >= deadlineMsOf(slot)) return;
    if (mayOpen(slot, await slots.latestFinished())) await begin(slot, deadlineMsOf(slot));
    else if (slot !== lastSkipped && (await slots.state(slot)) === undefined) {
      lastSkipped = slot;
      telemetry.slotSkipped(slot);
    }
  }

  async function begin(slot: EpochSeconds, deadlineMs: number): Promise<boolean> {
    if (!(await slots.open(slot, deadlineMs))) return false;
    start(slot, () => open(slot, deadlineMs));
    return true;
  }

  async function open(slot: EpochSeconds, deadlineMs: number): Promise<void> {
    const awaited = await openSlot(slot, deadlineMs);
    if (stopping.aborted) return;
    handedOut.add(slot);
    await noteNetwork(slot, awaited !== undefined);
    // While the network does not answer, nothing else is asked for.
    if (awaited !== undefined) sideTasks.start(slot);
    if (awaited === 0) await publishing.freezeAndPublish(slot);
  }

  /** One operation at a time for each slot. A later tick repeats a failed one. */
  function start(slot: EpochSeconds, work: () => Promise<void>): void {
    if (running.has(slot)) return;
    const done = work()
      .catch((error: unknown) => telemetry.fault('a slot step failed, retrying', error))
      .finally(() => running.delete(slot));
    running.set(slot, done);
  }
}

/**
 * Ticks until `stopping` aborts. Waits are computed from the wall clock each time, so a clock change is noticed within
 * seconds.
 */
export async function runTicks(keeper: SlotKeeper, time: Time, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await keeper.tick();
    await time.sleep(keeper.untilNextTickMs(), stopping);
  }
  await keeper.onIdle();
}
