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

/** A period is a cohort's time of the day: a third of a UTC day, in slots. */
export const PERIODS_A_DAY = COHORTS;
export const PERIOD_SLOTS = SLOTS_A_DAY / PERIODS_A_DAY;

/** A slot's titles by seat; `undefined` where a seat has none. */
export type SeatTitles = readonly (Title | undefined)[];

/**
 * Who is online in a third of a UTC day, as far as that can be told without the third before it: hosts with their
 * matches, and for all others a window that moves over a ring of people, seat by seat. Slots count from the period's
 * first, places below 0 belong to people who are still there from the period before.
 */
export interface PlayPeriod {
  firstSlot: number;
  /** The first place of each slot's window and the one after its last: `PERIOD_SLOTS` of them for each seat. */
  starts: Int32Array;
  ends: Int32Array;
  /** Each seat's people, by number: place `n` is theirs whom one finds there going round. */
  rings: readonly Int32Array[];
  hostings: readonly Hosting[];
  /** By slot: the same list as long as no title comes, goes or is renamed. */
  titles: readonly SeatTitles[];
}

/** What a period is worked out from. The last seat is that of people who are in no title. */
export interface PlayPeriodParts {
  seed: number;
  seats: number;
  cohorts: Cohorts;
  crowdAt: CrowdAt;
}

/**
 * Works out the `period`-th third of a day since the Unix epoch, at the cost of looking at each of its slots and at those
 * after it in which some of its people are still there.
 */
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

/** People in each seat who host nothing: of the slot before the period, then of each slot of it. */
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
