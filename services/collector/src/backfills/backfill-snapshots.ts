import { forEachBounded } from '@lobbystats/service-kit/concurrency';
import {
  DAY_SECONDS,
  HOUR_SECONDS,
  SLOT_SECONDS,
  SNAPSHOT_RETENTION_SECONDS,
  type BackfillPart,
  type EpochSeconds,
} from '@lobbystats/contracts';
import type { BackfillRange, BackfillState, BackfillStore } from './backfill-store.ts';
import type { SnapshotHistory } from '../network/history.ts';
import { runBackfillSteps, type BackfillParts } from './run-backfill-steps.ts';
import type { RegisteredDay } from '../network/observation-publisher.ts';
import { slotAt } from '../time/slot-times.ts';
import type { BackfillProgress } from '../telemetry/telemetry.ts';

/** Enough slots to share commits, few enough to leave room for live ones. */
const SLOT_CONCURRENCY = 32;

type SnapshotBackfillParts = BackfillParts<BackfillStore, SnapshotHistory>;

export function backfillRange(firstLive: EpochSeconds, slotDays: number, registeredDays: number): BackfillRange {
  const today = Math.floor(firstLive / DAY_SECONDS) * DAY_SECONDS;
  return {
    fromSlot: firstLive - slotDays * DAY_SECONDS,
    toSlot: firstLive,
    fromDay: today - registeredDays * DAY_SECONDS,
    toDay: today,
  };
}

function progressOf(state: BackfillState): BackfillProgress {
  const { fromSlot, toSlot, doneFrom, fromDay, toDay, daysDone } = state;
  return {
    doneSlots: (toSlot - doneFrom) / SLOT_SECONDS,
    totalSlots: (toSlot - fromSlot) / SLOT_SECONDS,
    doneDays: daysDone ? (toDay - fromDay) / DAY_SECONDS : 0,
  };
}

/**
 * Publishes the past as ordinary observations marked `past`: days first, then slots, the newest day first. Progress is
 * stored after each day, so a killed backfill resumes. Resolves to its progress when done by any replica, or stopped.
 */
export async function backfillSnapshots(
  range: BackfillRange,
  parts: SnapshotBackfillParts,
): Promise<BackfillPart | undefined> {
  const { store, history, telemetry, publisher, time } = parts;
  let reached: BackfillPart | undefined;
  await runBackfillSteps(parts, 'snapshot backfill step failed, retrying', async () => {
    const state = await store.begin(range);
    if (history === undefined) return true;
    const progress = progressOf(state);
    reached = { part: 'snapshots', done: progress.doneSlots, total: progress.totalSlots };
    if (isDone(state)) {
      telemetry.backfillEnded(progress);
      return true;
    }
    await publisher.publishProgress(reached, Math.floor(time.now() / 1000));
    telemetry.backfillProgressed(progress);
    await backfillNext(state, history, parts);
    return false;
  });
  return reached;
}

async function backfillNext(
  state: BackfillState,
  history: SnapshotHistory,
  parts: SnapshotBackfillParts,
): Promise<void> {
  const present = (await parts.store.state()) ?? state;
  if (!present.daysDone) await backfillDays(present, history, parts);
  else if (!isDone(present)) await backfillNextSlots(present, history, parts);
}

function isDone({ daysDone, doneFrom, fromSlot }: BackfillState): boolean {
  return daysDone && doneFrom <= fromSlot;
}

async function backfillDays(
  { fromDay, toDay }: BackfillState,
  history: SnapshotHistory,
  parts: SnapshotBackfillParts,
): Promise<void> {
  const days: RegisteredDay[] = [];
  if (fromDay < toDay) for await (const day of history.days(fromDay, toDay)) days.push(day);
  if (days.length > 0) await parts.publisher.publishRegistered(days);
  await parts.store.markDaysDone();
}

/** The newest unfinished day, clipped to range and retention. The first step is an hour: users see numbers sooner. */
async function backfillNextSlots(
  state: BackfillState,
  history: SnapshotHistory,
  parts: SnapshotBackfillParts,
): Promise<void> {
  const { store, publisher, time } = parts;
  const retentionStart = slotAt(time.now()) - SNAPSHOT_RETENTION_SECONDS;
  // A clock that jumped ahead and is corrected later must not end the backfill.
  if (retentionStart > state.toSlot)
    throw new Error('the whole backfill range is older than the retention: is the clock right?');
  const to = state.doneFrom;
  const stepSeconds = to === state.toSlot ? HOUR_SECONDS : DAY_SECONDS;
  const from = Math.max(state.fromSlot, retentionStart, Math.ceil(to / stepSeconds - 1) * stepSeconds);
  if (from < to) {
    // Newest first: a run of matches then continues into a known slot. Otherwise an open match would count as ended
    // until later slots arrive.
    const newestFirst = (await Array.fromAsync(history.slots(from, to))).reverse();
    await forEachBounded(newestFirst, SLOT_CONCURRENCY, async (observation) => {
      parts.stopping.throwIfAborted();
      await publisher.publishSlot(observation, { past: true });
    });
  }
  await store.setDoneFrom(from <= retentionStart ? state.fromSlot : from);
}
