import { DAY_SECONDS, SLOT_SECONDS, SNAPSHOT_RETENTION_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { forEachBounded } from './bounded.ts';
import type { FillRange, FillState, FillStore } from './fill-store.ts';
import type { History } from './history.ts';
import { fillStepByStep, leaseKeeper, takeOrWatch, type FillingParts } from './fill-steps.ts';
import type { Outlet, RegisteredDay } from './outlet.ts';
import { slotAt } from './slot-times.ts';
import type { FillProgress } from './telemetry.ts';

/** Enough slots to share commits, few enough to leave room for live ones. */
const SLOTS_AT_ONCE = 32;

export interface FillParts extends FillingParts {
  store: FillStore;
  history: History | undefined;
  outlet: Outlet;
}

export function fillRange(firstLive: EpochSeconds, slotDays: number, registeredDays: number): FillRange {
  const today = Math.floor(firstLive / DAY_SECONDS) * DAY_SECONDS;
  return {
    fromSlot: firstLive - slotDays * DAY_SECONDS,
    toSlot: firstLive,
    fromDay: today - registeredDays * DAY_SECONDS,
    toDay: today,
  };
}

function progressOf(state: FillState): FillProgress {
  const { fromSlot, toSlot, doneFrom, fromDay, toDay, daysDone } = state;
  return {
    doneSlots: (toSlot - doneFrom) / SLOT_SECONDS,
    totalSlots: (toSlot - fromSlot) / SLOT_SECONDS,
    doneDays: daysDone ? (toDay - fromDay) / DAY_SECONDS : 0,
  };
}

/**
 * Publishes the past as ordinary observations marked `past`: days first, then slots, the newest day first. Progress is
 * stored after each day, so a killed backfill resumes. Resolves when done by any replica, or stopped.
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

async function fillNext(state: FillState, history: History, parts: FillParts): Promise<void> {
  parts.telemetry.fillProgressed(progressOf(state));
  if (!(await takeOrWatch(parts))) return;
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

/** The newest unfinished day, clipped to range and retention. */
async function fillNextSlots(state: FillState, history: History, parts: FillParts): Promise<void> {
  const { store, outlet, time } = parts;
  const kept = slotAt(time.now()) - SNAPSHOT_RETENTION_SECONDS;
  // A clock that jumped ahead and is corrected later must not end the backfill.
  if (kept > state.toSlot)
    throw new Error('the whole past to bring in is too old to be kept by now: is the clock right?');
  const to = state.doneFrom;
  const from = Math.max(state.fromSlot, kept, Math.ceil(to / DAY_SECONDS - 1) * DAY_SECONDS);
  if (from < to) {
    const keepLease = leaseKeeper(parts);
    // Newest first: a run of matches then continues into a known slot. Otherwise an open match would count as ended
    // until later slots arrive.
    const newestFirst = (await Array.fromAsync(history.slots(from, to))).reverse();
    await forEachBounded(newestFirst, SLOTS_AT_ONCE, async (observation) => {
      await keepLease();
      await outlet.slot(observation, { past: true });
    });
  }
  await store.doneFrom(from <= kept ? state.fromSlot : from);
}
