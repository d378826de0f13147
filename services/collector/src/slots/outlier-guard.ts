import type { EpochSeconds } from '@lobbystats/contracts';
import type { HomepageReading } from '../network/network.ts';

/** A second reading confirms one that is at least this old. */
export const CONFIRMATION_MS = 30_000;

/** Holds homepage readings whose counts are far outside those of the last hour, until a second reading confirms them. */
export interface OutlierGuard {
  /** Why the reading is held; undefined when it is accepted. */
  check(reading: HomepageReading, slot: EpochSeconds, nowMs: number): string | undefined;
}

/** How many times as large or small as those of the last hour a count may be without a confirmation. */
const FACTOR = 4;
const RANGE_SECONDS = 3600;
/** With fewer slots no range is known. */
const MIN_SLOTS = 3;
/** Differences of small counts say nothing. A game goes from 0 to dozens of players when an evening of it begins. */
const LEEWAY = { site: 20, title: 100 };

/** By what they count: of the site, and of each title. Unknown ones are absent. */
type Counts = ReadonlyMap<string, { readonly value: number; readonly leeway: number }>;

/** Knows the slots that this process has read: after a start the first ones are accepted. */
export function createOutlierGuard(): OutlierGuard {
  let accepted: { slot: EpochSeconds; counts: Counts }[] = [];
  let held: { counts: Counts; atMs: number } | undefined;

  return {
    check(reading, slot, nowMs) {
      const counts = countsOf(reading);
      accepted = accepted.filter((each) => each.slot > slot - RANGE_SECONDS && each.slot < slot);
      const reason =
        accepted.length < MIN_SLOTS
          ? undefined
          : outlierIn(
              counts,
              accepted.map((each) => each.counts),
            );
      const isLikeHeld = held !== undefined && outlierIn(counts, [held.counts]) === undefined;
      const isConfirmed = isLikeHeld && nowMs - (held?.atMs ?? nowMs) >= CONFIRMATION_MS;
      if (reason === undefined || isConfirmed) {
        held = undefined;
        accepted.push({ slot, counts });
        return undefined;
      }
      if (!isLikeHeld) held = { counts, atMs: nowMs };
      return reason;
    },
  };

  function outlierIn(counts: Counts, others: readonly Counts[]): string | undefined {
    for (const [name, { value, leeway }] of counts) {
      const known = others.flatMap((other) => other.get(name)?.value ?? []);
      if (known.length === 0) continue;
      const [least, most] = [Math.min(...known), Math.max(...known)];
      const isFar = value < least / FACTOR - leeway || value > most * FACTOR + leeway;
      if (isFar) return `${value} ${name} after ${least} to ${most} in the last hour: a second reading must confirm it`;
    }
    return undefined;
  }
}

function countsOf({ online, registered, titles }: HomepageReading): Counts {
  const site = { 'users online': online, games: titles.length, 'registered users': registered };
  const ofTitles = titles.flatMap(({ titleId, online: users, activity }) => [
    [`users online in ${titleId}`, users] as const,
    [`sessions in ${titleId}`, activity?.sessions] as const,
    [`players in sessions in ${titleId}`, activity?.players] as const,
  ]);
  const counts = [
    ...Object.entries(site).map(([name, value]) => ({ name, value, leeway: LEEWAY.site })),
    ...ofTitles.map(([name, value]) => ({ name, value, leeway: LEEWAY.title })),
  ];
  return new Map(
    counts.flatMap(({ name, value, leeway }) =>
      value === null || value === undefined ? [] : [[name, { value, leeway }] as const],
    ),
  );
}
