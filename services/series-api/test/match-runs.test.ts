import { MATCH_GAP_SECONDS } from '@lobbystats/contracts';
import fc from 'fast-check';
import { extendRuns, type MatchRun } from '../src/matches/match-runs.ts';
import type { MatchSnapshot } from '../src/snapshots/snapshots.ts';
import { HARBOR, NOW, RALLY, SLOT } from './observations.ts';

function snapshotOf(slot: number, players = 1, host = 'Ada'): MatchSnapshot {
  return { slot, titleId: HARBOR, host, players, maxPlayers: 8 };
}

function run(startedAt: number, endedAt: number, counts: Partial<MatchRun> = {}): MatchRun {
  return { titleId: HARBOR, host: 'Ada', startedAt, endedAt, players: 1, maxPlayers: 8, peakPlayers: 1, ...counts };
}

describe('match runs', () => {
  it('a run continues over a gap of ten minutes and ends at a longer one', () => {
    const { put } = extendRuns([], [snapshotOf(NOW), snapshotOf(NOW + 2 * SLOT), snapshotOf(NOW + 5 * SLOT)]);
    expect(put).toEqual([run(NOW, NOW + 2 * SLOT), run(NOW + 5 * SLOT, NOW + 5 * SLOT)]);
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

  it('runs are independent of the order and the batches of snapshots', () => {
    fc.assert(
      fc.property(histories, ({ portions, all }) => {
        let runs: MatchRun[] = [];
        for (const portion of portions) {
          const { put, remove } = extendRuns(runs, portion);
          runs = [...runs.filter((old) => !remove.includes(old)), ...put];
        }
        expect(runs.toSorted(byIdentity)).toEqual(naiveRuns(all).toSorted(byIdentity));
      }),
    );
  });
});

const snapshots = fc.uniqueArray(
  fc.record({
    slot: fc.integer({ min: 0, max: 40 }).map((index) => NOW + index * SLOT),
    titleId: fc.constantFrom(HARBOR, RALLY),
    host: fc.constantFrom('Ada', '__proto__', 'a4d530064'),
    players: fc.integer({ min: 0, max: 16 }),
    maxPlayers: fc.integer({ min: 0, max: 16 }),
  }),
  { selector: ({ slot, titleId, host }) => `${slot} ${titleId} ${host}`, maxLength: 120 },
);

/** Snapshots in a random order, cut into portions, some of them delivered twice. */
const histories = snapshots.chain((all) =>
  fc.record({
    all: fc.constant(all),
    portions: fc
      .shuffledSubarray([...all, ...all.slice(0, 20)], { minLength: all.length + Math.min(20, all.length) })
      .chain((order) => fc.integer({ min: 1, max: 30 }).map((size) => portionsOf(order, size))),
  }),
);

function portionsOf(order: readonly MatchSnapshot[], size: number): MatchSnapshot[][] {
  return Array.from({ length: Math.ceil(order.length / size) }, (_, index) =>
    order.slice(index * size, (index + 1) * size),
  );
}

/** Sort all, cut at the gaps. */
function naiveRuns(all: readonly MatchSnapshot[]): MatchRun[] {
  const hosts = Map.groupBy(all, ({ titleId, host }) => `${titleId} ${host}`);
  return [...hosts.values()].flatMap((own) => {
    const sorted = own.toSorted((a, b) => a.slot - b.slot);
    const parts: MatchSnapshot[][] = [];
    for (const [index, one] of sorted.entries()) {
      if (one.slot - (sorted[index - 1]?.slot ?? -Infinity) > MATCH_GAP_SECONDS) parts.push([]);
      parts.at(-1)!.push(one);
    }
    return parts.map((part) => {
      const { titleId, host, players, maxPlayers, slot } = part.at(-1)!;
      const peakPlayers = Math.max(...part.map((one) => one.players));
      return { titleId, host, startedAt: part[0]!.slot, endedAt: slot, players, maxPlayers, peakPlayers };
    });
  });
}

function byIdentity(a: MatchRun, b: MatchRun): number {
  const [first, second] = [a, b].map(({ titleId, host }) => titleId + host) as [string, string];
  return first < second ? -1 : first > second ? 1 : a.startedAt - b.startedAt;
}
