import { floorModulo } from './noise.ts';

const SLOTS_AN_HOUR = 12;
const SLOTS_A_DAY = 288;
const SLOTS_A_WEEK = 7 * SLOTS_A_DAY;

const EPOCH_WEEKDAY = 4;
const WEEKDAY_FACTORS = [1.25, 0.9, 0.85, 0.9, 0.95, 1.15, 1.35];

const REGION_PEAK_HOURS = [20, 2, 12];

export const REGION_COUNT = REGION_PEAK_HOURS.length;

export type Rhythm = (region: number, slotIndex: number) => number;

export function createRhythm(): Rhythm {
  const weeks = REGION_PEAK_HOURS.map(weekOf);
  return (region, slotIndex) => weeks[region]?.[floorModulo(slotIndex, SLOTS_A_WEEK)] ?? 1;
}

function weekOf(peakHour: number): Float64Array {
  const week = new Float64Array(SLOTS_A_WEEK);
  for (let index = 0; index < SLOTS_A_WEEK; index += 1) {
    const hour = (index % SLOTS_A_DAY) / SLOTS_AN_HOUR;
    const weekday = (Math.floor(index / SLOTS_A_DAY) + EPOCH_WEEKDAY) % 7;
    week[index] = busyAt(hour - peakHour) * (WEEKDAY_FACTORS[weekday] ?? 1);
  }
  const mean = week.reduce((sum, value) => sum + value, 0) / SLOTS_A_WEEK;
  return week.map((value) => value / mean);
}

function busyAt(hoursFromPeak: number): number {
  const angle = (hoursFromPeak / 24) * 2 * Math.PI;
  return 1 + 0.72 * Math.cos(angle) + 0.14 * Math.cos(2 * angle);
}
