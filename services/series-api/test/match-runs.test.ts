import { deriveRuns, type MatchRun } from '../src/matches/match-runs.ts';
import type { ReadSlots } from '../src/matches/read-slots.ts';
import type { MatchSnapshot } from '../src/slots/snapshots.ts';
import { HARBOR, NOW, SLOT, slotsFrom } from './observations.ts';

const ALL_READ: ReadSlots = new Map(slotsFrom(NOW, 40).map((slot) => [slot, undefined]));

function extendRuns(
  existing: readonly MatchRun[],
  snapshots: readonly MatchSnapshot[],
  unread: readonly number[] = [],
) {
  const reads = new Map(ALL_READ);
  for (const index of unread) reads.delete(NOW + index * SLOT);
  return deriveRuns(existing, snapshots, reads);
}

function snapshotOf(slot: number, players = 1, host = 'Ada'): MatchSnapshot {
  return { slot, titleId: HARBOR, host, players, maxPlayers: 8 };
}

function run(startedAt: number, endedAt: number, counts: Partial<MatchRun> = {}): MatchRun {
  return { titleId: HARBOR, host: 'Ada', startedAt, endedAt, players: 1, maxPlayers: 8, peakPlayers: 1, ...counts };
}

describe('match runs', () => {
  it('a run goes on after one slot without its host, and not after two', () => {
    const { put } = extendRuns([], [snapshotOf(NOW), snapshotOf(NOW + 2 * SLOT), snapshotOf(NOW + 5 * SLOT)]);
    expect(put).toEqual([run(NOW, NOW + 2 * SLOT), run(NOW + 5 * SLOT, NOW + 5 * SLOT)]);
  });

  it.each([
    ['an hour of slots that were not read', slots(1, 12), 13, 1],
    ['one slot more', slots(1, 13), 14, 2],
    ['an hour on either side of a slot without the host', [...slots(1, 12), ...slots(14, 25)], 26, 1],
    ['two slots without the host between slots that were not read', [1, 3, 5], 6, 2],
  ])('%s', (_, unread, next, count) => {
    expect(extendRuns([], [snapshotOf(NOW), snapshotOf(NOW + next * SLOT)], unread).put).toHaveLength(count);
  });

  it('a run has the players of its last snapshot and the peak of all', () => {
    const { put } = extendRuns([], [snapshotOf(NOW + SLOT, 7), snapshotOf(NOW + 2 * SLOT, 2), snapshotOf(NOW, 3)]);
    expect(put).toEqual([run(NOW, NOW + 2 * SLOT, { players: 2, peakPlayers: 7 })]);
  });

  it('a late snapshot between two runs joins them into the earlier one', () => {
    const runs = [run(NOW, NOW), run(NOW + 3 * SLOT, NOW + 4 * SLOT, { players: 5, peakPlayers: 5 })];
    expect(extendRuns(runs, [snapshotOf(NOW + 2 * SLOT, 6)])).toEqual({
      put: [run(NOW, NOW + 4 * SLOT, { players: 5, peakPlayers: 6 })],
      remove: runs,
    });
  });

  it('hosts that differ only by case have separate runs', () => {
    const { put } = extendRuns([], [snapshotOf(NOW, 1, 'Ada'), snapshotOf(NOW + SLOT, 1, 'ada')]);
    expect(put).toHaveLength(2);
  });

  it('a repeated snapshot changes nothing', () => {
    const runs = [run(NOW, NOW + 2 * SLOT, { players: 2, peakPlayers: 4 })];
    const again = [snapshotOf(NOW, 1), snapshotOf(NOW + SLOT, 4), snapshotOf(NOW + 2 * SLOT, 2)];
    expect(extendRuns(runs, again)).toEqual({ put: [], remove: [] });
  });
});

function slots(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
