import { parseInstant } from '@lobbystats/contracts';
import fc from 'fast-check';
import type { MatchRun } from '../src/matches/match-runs.ts';
import type { SlotObservation } from '../src/slots/snapshots.ts';
import { ascending, deliveries, EVER, history, inBatches, inMemory, storeAll, TITLES } from './deliveries.ts';
import { SLOT } from './observations.ts';

type Reading = SlotObservation | undefined;

/** A simple reference implementation: goes through all slots in order, and ends matches by what was read of their title. */
function matchesOf(observations: readonly SlotObservation[]) {
  const bySlot = new Map(observations.map((one) => [parseInstant(one.slot), one]));
  const slots = [...bySlot.keys()].toSorted((a, b) => a - b);
  const last = slots.at(-1)!;
  const over: { run: MatchRun; end: number }[] = [];
  const going: MatchRun[] = [];
  for (const titleId of TITLES) {
    const open = new Map<string, { run: MatchRun; absent: number; unread: number }>();
    for (let slot = slots[0]!; slot <= last; slot += SLOT) {
      const matches = readMatches(bySlot.get(slot), titleId);
      for (const { host, players, maxPlayers } of matches ?? []) {
        const run = open.get(host)?.run ?? {
          titleId,
          host,
          startedAt: slot,
          endedAt: slot,
          players,
          maxPlayers,
          peakPlayers: 0,
        };
        const peakPlayers = Math.max(run.peakPlayers, players);
        open.set(host, { run: { ...run, endedAt: slot, players, maxPlayers, peakPlayers }, absent: 0, unread: 0 });
      }
      for (const [host, one] of open) {
        if (one.run.endedAt === slot) continue;
        if (matches === undefined) one.unread += 1;
        else [one.absent, one.unread] = [one.absent + 1, 0];
        if (one.absent < 2 && one.unread < 13) continue;
        open.delete(host);
        over.push({ run: one.run, end: slots.find((stored) => stored >= slot)! });
      }
    }
    for (const { run } of open.values()) going.push(run);
  }
  return { over, runs: [...over.map(({ run }) => run), ...going] };
}

/** Undefined when the matches of a title were not read. */
function readMatches(observed: Reading, titleId: string) {
  if (observed === undefined) return undefined;
  const found = observed.titles.find((title) => title.titleId === titleId)?.matches;
  const isWhole = observed.titles.every(({ matches }) => matches !== null);
  return found ?? (isWhole ? [] : undefined);
}

const textOf = (run: MatchRun) => JSON.stringify(sorted(run));

describe('storeSlots', () => {
  it('matches are runs of the slots that were read, in any order of delivery', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ observations, order, size }) =>
        inMemory(async (store) => {
          await storeAll(store, inBatches(order, size));
          const runs = await store.runsBetween(0, EVER.until);
          expect(runs.map(textOf).toSorted()).toEqual(matchesOf(observations).runs.map(textOf).toSorted());
        }),
      ),
      { numRuns: 200 },
    );
  });

  it('reports every ended match with the slot that proves its end, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ observations, order, size }) =>
        inMemory(async (store) => {
          const results = await storeAll(store, inBatches(order, size));
          const reported = new Set(
            results.flatMap(({ ended }) =>
              ended.flatMap(({ slot, matches }) => matches.map((match) => `${slot} ${textOf(match)}`)),
            ),
          );
          const ended = matchesOf(observations).over.map(({ run, end }) => `${end} ${textOf(run)}`);
          expect(ended.filter((match) => !reported.has(match))).toEqual([]);
        }),
      ),
      { numRuns: 60 },
    );
  });

  it('reports each ended match once when slots arrive in order', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (observations) =>
        inMemory(async (store) => {
          const batches = ascending(observations).map((one) => [one]);
          const reported = (await storeAll(store, batches)).flatMap(({ ended }) =>
            ended.flatMap(({ matches }) => matches.map(textOf)),
          );
          const ended = matchesOf(observations).over.map(({ run }) => textOf(run));
          expect(reported.toSorted()).toEqual(ended.toSorted());
        }),
      ),
      { numRuns: 60 },
    );
  });
});

function sorted(run: MatchRun): [string, unknown][] {
  return Object.entries(run).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
