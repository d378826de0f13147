import type { EpochSeconds } from '@lobbystats/contracts';
import type { Entry } from './board.ts';
import { comparableValue } from './diff-board.ts';

/** The entries of rank 1 at the end of a day. */
export interface LeaderDay {
  readonly at: EpochSeconds;
  readonly isTime: boolean;
  readonly leaders: readonly Entry[];
}

/** An entry that was rank 1 at the end of consecutive days. */
export interface HeldRecord {
  readonly entry: Entry;
  readonly isTime: boolean;
  /** The day before it was first seen; undefined: the first known day has it. */
  readonly after: EpochSeconds | undefined;
  /** The first day that has it. */
  readonly at: EpochSeconds;
  /** The first later day that doesn't have it; undefined: the newest day has it. */
  readonly lostAt: EpochSeconds | undefined;
}

/** @param days ascending @returns records, the oldest first */
export function heldRecords(days: readonly LeaderDay[]): HeldRecord[] {
  const ended: HeldRecord[] = [];
  let held = new Map<string, HeldRecord>();
  let after: EpochSeconds | undefined;
  for (const { at, isTime, leaders } of days) {
    const before = held;
    held = new Map(
      leaders.map((entry) => {
        const key = `${comparableValue(entry, isTime)} ${entry.name}`;
        return [key, before.get(key) ?? { entry, isTime, after, at, lostAt: undefined }] as const;
      }),
    );
    for (const [key, record] of before) if (!held.has(key)) ended.push({ ...record, lostAt: at });
    after = at;
  }
  return [...ended, ...held.values()].sort((a, b) => a.at - b.at);
}
