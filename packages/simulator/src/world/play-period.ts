import { SLOTS_PER_DAY } from '@lobbystats/contracts';
import type { SeatedTitle } from './title-catalog.ts';
import { COHORTS, type Cohorts } from './cohorts.ts';
import { mix } from './hash.ts';
import { fillRings, HANDOVER_SLOTS, computeWindows, minRingSize, typicalRingSize } from './player-rings.ts';
import type { Title } from './title.ts';

export interface SlotOccupancy {
  seated: readonly SeatedTitle[];
  online: readonly number[];
  hosts: readonly (readonly number[])[];
  idle: number;
}

export type OccupancyAt = (slotIndex: number) => SlotOccupancy;

export const PERIODS_PER_DAY = COHORTS;
export const PERIOD_SLOTS = SLOTS_PER_DAY / PERIODS_PER_DAY;

export type SeatTitles = readonly (Title | undefined)[];

/**
 * A third of a UTC day: hosts, and for each seat a window that moves over a ring of users. Negative indexes are users of
 * the previous period.
 */
export interface PlayPeriod {
  firstSlot: number;
  starts: Int32Array;
  ends: Int32Array;
  rings: readonly Int32Array[];
  hostings: readonly Hosting[];
  titles: readonly SeatTitles[];
}

export interface PlayPeriodOptions {
  seed: number;
  seats: number;
  cohorts: Cohorts;
  occupancyAt: OccupancyAt;
}

/** Computes a period from its slots and the few after it. */
export function playPeriod(period: number, { seed, seats, cohorts, occupancyAt }: PlayPeriodOptions): PlayPeriod {
  const firstSlot = period * PERIOD_SLOTS;
  const counts = new SeatCounts(seats);
  const hostings = createHostings();
  const titles: SeatTitles[] = [];
  let seated: SlotOccupancy['seated'] = [];

  counts.note(-1, occupancyAt(firstSlot - 1));
  for (let slot = 0; slot < PERIOD_SLOTS + HANDOVER_SLOTS; slot += 1) {
    const occupancy = occupancyAt(firstSlot + slot);
    occupancy.hosts.forEach((hosts, index) => {
      for (const player of hosts) hostings.record(player, occupancy.seated[index]?.seat ?? 0, slot);
    });
    if (slot >= PERIOD_SLOTS) continue;
    counts.note(slot, occupancy);
    titles.push(occupancy.seated === seated ? (titles.at(-1) ?? []) : titlesBySeat(occupancy));
    seated = occupancy.seated;
  }

  const starts = new Int32Array(seats * PERIOD_SLOTS);
  const ends = new Int32Array(seats * PERIOD_SLOTS);
  const sizes = Array.from({ length: seats }, (_, seat) => {
    const from = seat * PERIOD_SLOTS;
    const windows = [starts.subarray(from, from + PERIOD_SLOTS), ends.subarray(from, from + PERIOD_SLOTS)] as const;
    computeWindows({ counts: counts.of(seat), seed: mix(mix(seed, 1), seat), firstSlot }, ...windows);
    return { least: minRingSize(...windows), usual: typicalRingSize(...windows) };
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

  note(slot: number, { seated, online, hosts, idle }: SlotOccupancy): void {
    seated.forEach(({ seat }, index) => {
      this.#counts[seat * this.#columns + slot + 1] = (online[index] ?? 0) - (hosts[index]?.length ?? 0);
    });
    this.#counts[(this.#seats - 1) * this.#columns + slot + 1] = idle;
  }

  of(seat: number): Int32Array {
    return this.#counts.subarray(seat * this.#columns, (seat + 1) * this.#columns);
  }
}

function titlesBySeat({ seated }: SlotOccupancy): SeatTitles {
  const bySeat: (Title | undefined)[] = [];
  for (const { seat, title } of seated) bySeat[seat] = title;
  return bySeat;
}

function withinPeriod(hostings: readonly Hosting[]): readonly Hosting[] {
  return hostings
    .filter(({ from }) => from < PERIOD_SLOTS)
    .map((hosting) => ({ ...hosting, to: Math.min(hosting.to, PERIOD_SLOTS - 1) }));
}

interface Hosting {
  player: number;
  seat: number;
  from: number;
  to: number;
}

function createHostings() {
  const list: Hosting[] = [];
  const latest = new Map<number, Hosting>();
  return {
    record(player: number, seat: number, slot: number): void {
      const known = latest.get(player);
      if (known?.seat === seat && known.to === slot - 1) {
        known.to = slot;
        return;
      }
      const hosting = { player, seat, from: slot, to: slot };
      latest.set(player, hosting);
      list.push(hosting);
    },
    list: (): readonly Hosting[] => list,
  };
}
