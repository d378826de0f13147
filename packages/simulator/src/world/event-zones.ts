import { DAY_SECONDS } from '../instants.ts';

interface SundayRule {
  month: number;
  which: number;
}

export interface EventZone {
  name: string;
  offset: number;
  changes: readonly SundayRule[];
}

const EUROPE = [rule(3, -1), rule(10, -1)];
const AMERICA = [rule(3, 2), rule(11, 1)];
const AUSTRALIA = [rule(4, 1), rule(10, 1)];

/** Zones with and without daylight saving, by an hour or half of one. */
export const EVENT_ZONES: readonly EventZone[] = [
  zone('Europe/Berlin', 1, EUROPE),
  zone('America/New_York', -5, AMERICA),
  zone('Australia/Lord_Howe', 10.5, AUSTRALIA),
  zone('Europe/London', 0, EUROPE),
  zone('America/Los_Angeles', -8, AMERICA),
  zone('Asia/Tokyo', 9, []),
  zone('Asia/Kolkata', 5.5, []),
  zone('Australia/Sydney', 10, AUSTRALIA),
  zone('UTC', 0, []),
  zone('Pacific/Kiritimati', 14, []),
];

export function clockChangeNear(day: number, { changes }: EventZone, reach: number): number | undefined {
  const year = new Date(day * DAY_SECONDS * 1000).getUTCFullYear();
  return changes.map((change) => sundayOf(year, change)).find((change) => Math.abs(change - day) <= reach);
}

function sundayOf(year: number, { month, which }: SundayRule): number {
  // Sundays are days 3 modulo 7: the epoch was a Thursday.
  const from = dayNumber(year, which === -1 ? month + 1 : month) + (which === -1 ? -7 : (which - 1) * 7);
  return from + ((((3 - from) % 7) + 7) % 7);
}

function dayNumber(year: number, month: number): number {
  return Date.UTC(year, month - 1, 1) / 1000 / DAY_SECONDS;
}

function rule(month: number, which: number): SundayRule {
  return { month, which };
}

function zone(name: string, offsetHours: number, changes: readonly SundayRule[]): EventZone {
  return { name, offset: offsetHours * 3_600, changes };
}
