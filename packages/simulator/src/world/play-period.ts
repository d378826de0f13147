import type { Cohorts } from './cohorts.ts';
import { COHORTS } from './cohorts.ts';
import { mix } from './hash.ts';
import { createHostings } from './hostings.ts';
import type { Hosting } from './hostings.ts';
import { fillRings } from './player-rings.ts';
import { FAREWELL_SLOTS, layWindows, leastRing, usualRing } from './player-windows.ts';
import type { CrowdAt, SlotCrowd } from './slot-crowd.ts';
import type { Title } from './title.ts';

const SLOTS_A_DAY = 288;

export const PERIODS_A_DAY = COHORTS;
export const PERIOD_SLOTS = SLOTS_A_DAY / PERIODS_A_DAY;

export type SeatTitles = readonly (Title | undefined)[];

/**
 * A third of a UTC day without the one before: hosts, and a window moving over a ring of people for each seat. Negative
 * places are people of the previous period.
 */
export interface PlayPeriod {
  firstSlot: number;
  starts: Int32Array;
  ends: Int32Array;
  rings: readonly Int32Array[];
  hostings: readonly Hosting[];
  titles: readonly SeatTitles[];
}

export interface PlayPeriodParts {
  seed: number;
  seats: number;
  cohorts: Cohorts;
  crowdAt: CrowdAt;
}

/** Cost of the period's slots and the few after it. */
export function playPeriod(period: number, { seed, seats, cohorts, crowdAt }: PlayPeriodParts): PlayPeriod {
  const firstSlot = period * PERIOD_SLOTS;
  const counts = new SeatCounts(seats);
  const hostings = createHostings();
  const titles: SeatTitles[] = [];
  let seated: SlotCrowd['seated'] = [];

  counts.note(-1, crowdAt(firstSlot - 1));
  for (let slot = 0; slot < PERIOD_SLOTS + FAREWELL_SLOTS; slot += 1) {
    const crowd = crowdAt(firstSlot + slot);
    crowd.hosts.forEach((hosts, place) => {
      for (const player of hosts) hostings.see(player, crowd.seated[place]?.seat ?? 0, slot);
    });
    if (slot >= PERIOD_SLOTS) continue;
    counts.note(slot, crowd);
    titles.push(crowd.seated === seated ? (titles.at(-1) ?? []) : titlesBySeat(crowd));
    seated = crowd.seated;
  }

  const starts = new Int32Array(seats * PERIOD_SLOTS);
  const ends = new Int32Array(seats * PERIOD_SLOTS);
  const sizes = Array.from({ length: seats }, (_, seat) => {
    const from = seat * PERIOD_SLOTS;
    const windows = [starts.subarray(from, from + PERIOD_SLOTS), ends.subarray(from, from + PERIOD_SLOTS)] as const;
    layWindows({ counts: counts.of(seat), seed: mix(mix(seed, 1), seat), firstSlot }, ...windows);
    return { least: leastRing(...windows), usual: usualRing(...windows) };
  });
  const busy = new Set(hostings.list().map(({ player }) => player));
  const rings = fillRings({ seed: mix(seed, 2), period, sizes, cohorts, busy });
  return { firstSlot, starts, ends, rings, hostings: withinPeriod(hostings.list()), titles };
}

class SeatCounts {
  readonly #columns = PERIOD_SLOTS + 1;
  readonly #seats: number;
  readonly #counts: Int32Array;

  constructor(seats: number) {
    this.#seats = seats;
    this.#counts = new Int32Array(seats * this.#columns);
  }

  note(slot: number, { seated, online, hosts, idle }: SlotCrowd): void {
    seated.forEach(({ seat }, place) => {
      this.#counts[seat * this.#columns + slot + 1] = (online[place] ?? 0) - (hosts[place]?.length ?? 0);
    });
    this.#counts[(this.#seats - 1) * this.#columns + slot + 1] = idle;
  }

  of(seat: number): Int32Array {
    return this.#counts.subarray(seat * this.#columns, (seat + 1) * this.#columns);
  }
}

function titlesBySeat({ seated }: SlotCrowd): SeatTitles {
  const bySeat: (Title | undefined)[] = [];
  for (const { seat, title } of seated) bySeat[seat] = title;
  return bySeat;
}

function withinPeriod(hostings: readonly Hosting[]): readonly Hosting[] {
  return hostings
    .filter(({ from }) => from < PERIOD_SLOTS)
    .map((hosting) => ({ ...hosting, to: Math.min(hosting.to, PERIOD_SLOTS - 1) }));
}
