import { floorModulo } from './noise.ts';

const SLOTS_PER_HOUR = 12;
const SLOTS_PER_DAY = 288;
const SLOTS_PER_WEEK = 7 * SLOTS_PER_DAY;

const EPOCH_WEEKDAY = 4;
const WEEKDAY_FACTORS = [1.25, 0.9, 0.85, 0.9, 0.95, 1.15, 1.35];

const REGION_PEAK_HOURS = [20, 2, 12];

export const REGION_COUNT = REGION_PEAK_HOURS.length;

export type Rhythm = (region: number, slotIndex: number) => number;

export function createRhythm(): Rhythm {
  const weeks = REGION_PEAK_HOURS.map(weekOf);
  return (region, slotIndex) => weeks[region]?.[floorModulo(slotIndex, SLOTS_PER_WEEK)] ?? 1;
}

function weekOf(peakHour: number): Float64Array {
  const week = new Float64Array(SLOTS_PER_WEEK);
  for (let index = 0; index < SLOTS_PER_WEEK; index += 1) {
    const hour = (index % SLOTS_PER_DAY) / SLOTS_PER_HOUR;
    const weekday = (Math.floor(index / SLOTS_PER_DAY) + EPOCH_WEEKDAY) % 7;
    week[index] = activityAt(hour - peakHour) * (WEEKDAY_FACTORS[weekday] ?? 1);
  }
  const mean = week.reduce((sum, value) => sum + value, 0) / SLOTS_PER_WEEK;
  return week.map((value) => value / mean);
}

function activityAt(hoursFromPeak: number): number {
  const angle = (hoursFromPeak / 24) * 2 * Math.PI;
  return 1 + 0.72 * Math.cos(angle) + 0.14 * Math.cos(2 * angle);
}
