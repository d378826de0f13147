import { IANAZone } from 'luxon';
import type { Zones } from './event-times.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Makes ambiguous local times independent of luxon, whose result depends on today's offset. */
export const luxonZones: Zones = {
  instantOf: (date, time, name) => {
    // Node accepts offsets such as +05:00 as zones.
    if (!/^[A-Za-z]/.test(name) || !IANAZone.isValidZone(name)) return undefined;
    const zone = IANAZone.create(name);
    const wallClockMs = Date.parse(`${date}T${time}:00Z`);
    // An instant a day away is outside the transition.
    const beforeMs = wallClockMs - zone.offset(wallClockMs - DAY_MS) * MINUTE_MS;
    const afterMs = wallClockMs - zone.offset(wallClockMs + DAY_MS) * MINUTE_MS;
    const showsIt = (ms: number) => ms + zone.offset(ms) * MINUTE_MS === wallClockMs;
    const first = [beforeMs, afterMs].sort((a, b) => a - b).find(showsIt);
    return Math.floor((first ?? beforeMs) / 1000);
  },
};
