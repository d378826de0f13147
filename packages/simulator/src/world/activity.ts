import { SLOTS_PER_DAY } from '@lobbystats/contracts';
import { fraction, mix, floorModulo, smoothNoise, pickIndex } from './hash.ts';

const { floor } = Math;

const SLOTS_PER_HOUR = 12;
const SLOTS_PER_WEEK = 7 * SLOTS_PER_DAY;

const AWKWARD_SEATS = 20;
const AWKWARD_HEAD_START = 0.5;
const EVENTFUL_HEAD_START = 0.15;

/** Zipf's law over a shuffled ranking that favours eventful seats; 0 makes all equal. */
export function popularity(seed: number, seats: number, skew: number, eventful: ReadonlySet<number>): Float64Array {
  const ranking = Array.from({ length: seats }, (_, seat) => ({ seat, place: sortKeyOf(seed, seat, eventful) }));
  ranking.sort((one, other) => one.place - other.place);
  const shares = new Float64Array(seats);
  ranking.forEach(({ seat }, rank) => (shares[seat] = 1 / (rank + 1) ** skew));
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

function sortKeyOf(seed: number, seat: number, eventful: ReadonlySet<number>): number {
  const sortKey = fraction(mix(seed, seat));
  if (eventful.has(seat)) return sortKey * EVENTFUL_HEAD_START;
  return seat < AWKWARD_SEATS ? sortKey * AWKWARD_HEAD_START : sortKey;
}

const EPOCH_WEEKDAY = 4;
const WEEKDAY_FACTORS = [1.25, 0.9, 0.85, 0.9, 0.95, 1.15, 1.35];

const REGION_PEAK_HOURS = [20, 2, 12];

export const REGION_COUNT = REGION_PEAK_HOURS.length;

let weeks: readonly Float64Array[] | undefined;

/** Activity of a region by its time of the week; the mean is 1. */
export function rhythm(region: number, slotIndex: number): number {
  weeks ??= REGION_PEAK_HOURS.map(weekOf);
  return weeks[region]?.[floorModulo(slotIndex, SLOTS_PER_WEEK)] ?? 1;
}

function weekOf(peakHour: number): Float64Array {
  const week = new Float64Array(SLOTS_PER_WEEK);
  for (let index = 0; index < SLOTS_PER_WEEK; index += 1) {
    const hour = (index % SLOTS_PER_DAY) / SLOTS_PER_HOUR;
    const weekday = (floor(index / SLOTS_PER_DAY) + EPOCH_WEEKDAY) % 7;
    week[index] = activityAt(hour - peakHour) * (WEEKDAY_FACTORS[weekday] ?? 1);
  }
  const mean = week.reduce((sum, value) => sum + value, 0) / SLOTS_PER_WEEK;
  return week.map((value) => value / mean);
}

function activityAt(hoursFromPeak: number): number {
  const angle = (hoursFromPeak / 24) * 2 * Math.PI;
  return 1 + 0.72 * Math.cos(angle) + 0.14 * Math.cos(2 * angle);
}

const IN_MENUS_PER_MATCH = 1.6;
const IDLE_SHARE = 0.12;

const MENU_SLOTS = 6;
const IDLE_SLOTS = 12;

const OUTAGE_SHARE = 0.03;

/** Rounded up for some stretches, so that rare titles sometimes have users. */
export function usersInMenus(seed: number, slotIndex: number, expected: number, isOutage: boolean): number {
  const swing = 0.6 + 0.8 * smoothNoise(mix(seed, 1), slotIndex, MENU_SLOTS);
  const users = expected * IN_MENUS_PER_MATCH * swing * (isOutage ? OUTAGE_SHARE : 1);
  return floor(users + fraction(mix(mix(seed, 2), floor(slotIndex / MENU_SLOTS))));
}

export function idleUsers(seed: number, slotIndex: number, inTitles: number): number {
  return floor(inTitles * IDLE_SHARE * (0.5 + smoothNoise(seed, slotIndex, IDLE_SLOTS)));
}

/** 1 January 2019. */
const REFERENCE_DAY = 17_897;
const REFERENCE_SHARE = 0.4;
const DAILY_SHARE = 0.0002;

/** Never decreases. */
export function registeredUsers(seed: number, players: number, slotIndex: number): number {
  const day = floor(slotIndex / SLOTS_PER_DAY);
  const dayShare = slotIndex / SLOTS_PER_DAY - day;
  const atMidnight = countAt(seed, players, day);
  return floor(atMidnight + (countAt(seed, players, day + 1) - atMidnight) * dayShare);
}

function countAt(seed: number, players: number, day: number): number {
  const reference = players * REFERENCE_SHARE;
  const daily = players * DAILY_SHARE;
  const age = day - REFERENCE_DAY;
  if (age <= 0) return reference * Math.exp((age * daily) / reference);
  return reference + daily * (age + fraction(mix(seed, day)) / 2);
}

const OUTAGE_INTERVAL_SLOTS = 2_880;
const MIN_OUTAGE_SLOTS = 6;
const MAX_OUTAGE_SLOTS = 18;

export interface Outage {
  startInclusive: number;
  endExclusive: number;
}

export function latestOutage(seed: number, slotIndex: number): Outage {
  const stretch = floor(slotIndex / OUTAGE_INTERVAL_SLOTS);
  const current = outageOf(seed, stretch);
  return current.startInclusive <= slotIndex ? current : outageOf(seed, stretch - 1);
}

function outageOf(seed: number, stretch: number): Outage {
  const hash = mix(seed, stretch);
  const length = MIN_OUTAGE_SLOTS + pickIndex(mix(hash, 1), MAX_OUTAGE_SLOTS - MIN_OUTAGE_SLOTS + 1);
  const startInclusive =
    stretch * OUTAGE_INTERVAL_SLOTS + pickIndex(mix(hash, 2), OUTAGE_INTERVAL_SLOTS - MAX_OUTAGE_SLOTS);
  return { startInclusive, endExclusive: startInclusive + length };
}
