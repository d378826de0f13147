import { DAY_SECONDS, SLOT_SECONDS, SNAPSHOT_RETENTION_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { forEachBounded } from './bounded.ts';
import type { FillRange, FillState, FillStore } from './fill-store.ts';
import type { History } from './history.ts';
import { fillStepByStep, leaseKeeper, takeOrWatch, type FillingParts } from './fill-steps.ts';
import type { Outlet, RegisteredDay } from './outlet.ts';
import { slotAt } from './slot-times.ts';
import type { FillProgress } from './telemetry.ts';

/** Slots that are published side by side, at most: enough to share commits, few enough to leave room for live ones. */
const SLOTS_AT_ONCE = 32;

export interface FillParts extends FillingParts {
  store: FillStore;
  /** Undefined for a network that doesn't tell its past. */
  history: History | undefined;
  outlet: Outlet;
}

/** The past that a first start brings in: `slotDays` of snapshots and `registeredDays` of whole days before `firstLive`. */
export function fillRange(firstLive: EpochSeconds, slotDays: number, registeredDays: number): FillRange {
  const today = Math.floor(firstLive / DAY_SECONDS) * DAY_SECONDS;
  return {
    fromSlot: firstLive - slotDays * DAY_SECONDS,
    toSlot: firstLive,
    fromDay: today - registeredDays * DAY_SECONDS,
    toDay: today,
  };
}

/** How far a fill is. */
function progressOf(state: FillState): FillProgress {
  const { fromSlot, toSlot, doneFrom, fromDay, toDay, daysDone } = state;
  return {
    doneSlots: (toSlot - doneFrom) / SLOT_SECONDS,
    totalSlots: (toSlot - fromSlot) / SLOT_SECONDS,
    doneDays: daysDone ? (toDay - fromDay) / DAY_SECONDS : 0,
  };
}

/**
 * Brings in the past of a first start as ordinary observations, marked as past: the days first, then the slots, the
 * newest day first. The range is fixed once; what is done is kept after each day, so that a killed fill goes on where it was
 * and a finished one never begins again. It waits for each day to be durable, and tries again for as long as it takes.
 *
 * Resolves when the fill is done, by this replica or another, or the service stops.
 */
export async function fillPast(range: FillRange, parts: FillParts): Promise<void> {
  const { store, history, telemetry } = parts;
  await fillStepByStep(parts, 'the past could not be brought in yet', async () => {
    const state = await store.begin(range);
    if (history === undefined) return true;
    if (isDone(state)) {
      telemetry.fillEnded(progressOf(state));
      return true;
    }
    await fillNext(state, history, parts);
    return false;
  });
}

/** A part that isn't done yet, or a look at the replica that does it. */
async function fillNext(state: FillState, history: History, parts: FillParts): Promise<void> {
  parts.telemetry.fillProgressed(progressOf(state));
  if (!(await takeOrWatch(parts))) return;
  // Whoever had the lease before may have done it.
  const present = (await parts.store.state()) ?? state;
  if (!present.daysDone) await fillDays(present, history, parts);
  else if (!isDone(present)) await fillNextSlots(present, history, parts);
}

function isDone({ daysDone, doneFrom, fromSlot }: FillState): boolean {
  return daysDone && doneFrom <= fromSlot;
}

async function fillDays({ fromDay, toDay }: FillState, history: History, parts: FillParts): Promise<void> {
  const days: RegisteredDay[] = [];
  if (fromDay < toDay) for await (const day of history.days(fromDay, toDay)) days.push(day);
  if (days.length > 0) await parts.outlet.registered(days);
  await parts.store.daysDone();
}

/** The newest day that isn't done, or what of it lies in the range and inside retention. */
async function fillNextSlots(state: FillState, history: History, parts: FillParts): Promise<void> {
  const { store, outlet, time } = parts;
  const kept = slotAt(time.now()) - SNAPSHOT_RETENTION_SECONDS;
  // Given up for ever are only slots of a range that is still in the making by this clock: one that jumped ahead, and is
  // set right later, must not end the fill.
  if (kept > state.toSlot)
    throw new Error('the whole past to bring in is too old to be kept by now: is the clock right?');
  const to = state.doneFrom;
  const from = Math.max(state.fromSlot, kept, Math.ceil(to / DAY_SECONDS - 1) * DAY_SECONDS);
  if (from < to) {
    const keepLease = leaseKeeper(parts);
    // The newest first, as days are: what comes goes on where a slot that is known begins. A match that is open in the last
    // of some slots would else be over as far as anybody knows, until the next ones come.
    const newestFirst = (await Array.fromAsync(history.slots(from, to))).reverse();
    await forEachBounded(newestFirst, SLOTS_AT_ONCE, async (observation) => {
      await keepLease();
      await outlet.slot(observation, { past: true });
    });
  }
  await store.doneFrom(from <= kept ? state.fromSlot : from);
}
