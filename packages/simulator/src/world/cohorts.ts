import { GAMERTAG_COUNT } from './gamertags.ts';
import { fraction, mix, pickIndex, shufflePrime } from './hash.ts';

const { ceil, floor, max, min } = Math;

export const COHORTS = 3;

const REGULARS_PER_USER = 1.5;
const MAX_REGULAR_SHARE = 0.4;

const MIN_ATTENDANCE = 0.2;

const ROAMING_SHARE = 0.3;

export interface Cohorts {
  /** Players by seat, most frequent first. `period` counts thirds of a day. */
  regularsIn(period: number): readonly (readonly number[])[];
  visitorCount(period: number): number;
  /** Willing visitors first; throws a `RangeError` when there are none left. */
  visitorsOf(period: number): Generator<number, never>;
  frequentPlayers(count: number): number[];
}

/** `expected`: average users in each seat. */
export function createCohorts(seed: number, players: number, expected: Float64Array): Cohorts {
  const size = ceil(players / COHORTS);
  const seats = [...expected.keys()].sort((one, other) => (expected[other] ?? 0) - (expected[one] ?? 0) || one - other);
  const firsts = new Int32Array(expected.length);
  const counts = new Int32Array(expected.length);
  const total = expected.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  const expectedUpTo = expected.map((count) => (sum += count));
  const maxRegulars = floor((players / COHORTS) * MAX_REGULAR_SHARE);
  const each = min(REGULARS_PER_USER, maxRegulars / max(total, 1e-9));
  let regulars = 0;
  for (const seat of seats) {
    firsts[seat] = regulars;
    counts[seat] = min(ceil((expected[seat] ?? 0) * each), maxRegulars - regulars);
    regulars += counts[seat] ?? 0;
  }
  const shuffles = Array.from({ length: COHORTS }, (_, cohort) => {
    const key = mix(mix(seed, 1), cohort);
    const members = floor((players - cohort + COHORTS - 1) / COHORTS);
    return { members, prime: shufflePrime(mix(key, 1)), start: pickIndex(mix(key, 2), max(1, members)) };
  });

  return {
    regularsIn(period) {
      const coming = seats.map((): number[] => []);
      const most = max(0, ...counts);
      for (let index = 0; index < most; index += 1) {
        for (const seat of seats) {
          const count = counts[seat] ?? 0;
          if (count <= index) break;
          const player = memberOf(cohortOf(period), (firsts[seat] ?? 0) + index);
          const chance = mix(mix(mix(seed, 2), player), period);
          const attendance = 1 - (1 - MIN_ATTENDANCE) * (index / count);
          if (fraction(chance) >= attendance) continue;
          const isRoaming = fraction(mix(chance, 1)) < ROAMING_SHARE;
          coming[isRoaming ? seatBy(fraction(mix(chance, 2))) : seat]?.push(player);
        }
      }
      return coming;
    },
    visitorCount,
    *visitorsOf(period) {
      const cohort = cohortOf(period);
      const visitors = visitorCount(period);
      const key = mix(mix(seed, 3), period);
      const prime = shufflePrime(mix(key, 1));
      const start = pickIndex(mix(key, 2), max(1, visitors));
      for (const isWilling of [true, false]) {
        for (let index = 0; index < visitors; index += 1) {
          const player = memberOf(cohort, regulars + ((index * prime + start) % visitors));
          if (wantsToPlay(player, period) === isWilling) yield player;
        }
      }
      for (let player = size * COHORTS + cohort; player < GAMERTAG_COUNT; player += COHORTS) yield player;
      throw new RangeError('more users are online than there are gamertags');
    },
    frequentPlayers(count) {
      const ranks = Array.from({ length: ceil(count / COHORTS) }, (_, rank) => rank);
      return ranks.flatMap(faithfulIn).slice(0, count);
    },
  };

  function seatBy(part: number): number {
    let low = 0;
    let high = seats.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((expectedUpTo[middle] ?? 0) <= part * total) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function visitorCount(period: number): number {
    return max(0, (shuffles[cohortOf(period)]?.members ?? 0) - regulars);
  }

  function faithfulIn(rank: number): number[] {
    const seat = seats[rank] ?? 0;
    const index = rank < seats.length && (counts[seat] ?? 0) > 0 ? (firsts[seat] ?? 0) : regulars + rank;
    return shuffles.flatMap(({ members }, cohort) => (index < members ? [memberOf(cohort, index)] : []));
  }

  function memberOf(cohort: number, index: number): number {
    const { members, prime, start } = shuffles[cohort] ?? { members: 1, prime: 1, start: 0 };
    return ((index * prime + start) % max(1, members)) * COHORTS + cohort;
  }

  function wantsToPlay(player: number, period: number): boolean {
    const playerSeed = mix(mix(seed, 4), player);
    return fraction(mix(playerSeed, period)) < fraction(mix(playerSeed, -1)) ** 2;
  }
}

function cohortOf(period: number): number {
  return ((period % COHORTS) + COHORTS) % COHORTS;
}
