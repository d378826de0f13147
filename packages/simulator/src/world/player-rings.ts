import type { Cohorts } from './cohorts.ts';
import { mix, pickIndex } from './hash.ts';

const { floor, max, min } = Math;

/** How many people a seat's ring needs, and how many it has where there are enough. */
interface RingSize {
  least: number;
  usual: number;
}

/** What the rings of a period are filled from. */
export interface RingParts {
  seed: number;
  period: number;
  /** By seat. */
  sizes: readonly RingSize[];
  cohorts: Cohorts;
  /** Who has something else to do in the period. */
  busy: ReadonlySet<number>;
}

/**
 * The people of each seat in a period, by number, in the order in which they come first. Each person is in one ring at
 * most: regulars of the seat, then regulars for whom there is no room where they would like to be, then people who are
 * here today and there tomorrow.
 */
export function fillRings({ seed, period, sizes, cohorts, busy }: RingParts): Int32Array[] {
  const share = shareOfWishes(sizes, cohorts.visitorCount(period) - busy.size);
  const regulars = cohorts.regularsIn(period).map((players) => players.filter((player) => !busy.has(player)));
  const lengths = sizes.map(({ least, usual }) => least + floor((usual - least) * share));
  const roomless = regulars.flatMap((players, seat) => players.slice(lengths[seat])).values();
  const visitors = cohorts.visitorsOf(period);
  return lengths.map((length, seat) => {
    const present = regulars[seat] ?? [];
    const ring = Int32Array.from({ length }, (_, place) => present[place] ?? roomless.next().value ?? nextVisitor());
    return shuffled(ring, mix(mix(seed, period), seat));
  });

  function nextVisitor(): number {
    for (;;) {
      const player = visitors.next().value;
      if (!busy.has(player)) return player;
    }
  }
}

/** Where there are too few people for all that would like to come, each seat gets the same part of what it does not need. */
function shareOfWishes(sizes: readonly RingSize[], people: number): number {
  const needed = sizes.reduce((sum, { least }) => sum + least, 0);
  const wished = sizes.reduce((sum, { usual, least }) => sum + usual - least, 0);
  return min(1, max(0, people - needed) / max(1, wished));
}

function shuffled(ring: Int32Array, seed: number): Int32Array {
  for (let last = ring.length - 1; last > 0; last -= 1) {
    const other = pickIndex(mix(seed, last), last + 1);
    const player = ring[last] ?? 0;
    ring[last] = ring[other] ?? 0;
    ring[other] = player;
  }
  return ring;
}
