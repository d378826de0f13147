import { parseInstant, type EpochSeconds } from '@lobbystats/contracts';

/** A host's run of snapshots with an open lobby. */
interface Run {
  readonly startedAt: string;
  readonly endedAt: string;
}

/** How many runs include each slot. @param slots ascending */
export function openLobbiesAt(slots: readonly EpochSeconds[], runs: readonly Run[]): readonly number[] {
  const starts = runs.map(({ startedAt }) => parseInstant(startedAt)).sort((a, b) => a - b);
  const ends = runs.map(({ endedAt }) => parseInstant(endedAt)).sort((a, b) => a - b);
  let [begun, over] = [0, 0];
  return slots.map((slot) => {
    while ((starts[begun] ?? Infinity) <= slot) begun += 1;
    while ((ends[over] ?? Infinity) < slot) over += 1;
    return begun - over;
  });
}
