import { IANAZone } from 'luxon';
import type { Zones } from '../../domain/zones.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Zones as luxon knows them. What it makes of a time that comes twice depends on today: that is settled here. */
export const luxonZones: Zones = {
  instantOf: (date, time, name) => {
    // Node also takes offsets such as +05:00 for zones.
    if (!/^[A-Za-z]/.test(name) || !IANAZone.isValidZone(name)) return undefined;
    const zone = IANAZone.create(name);
    const shownMs = Date.parse(`${date}T${time}:00Z`);
    // A day away lies beyond any change of the clock that could matter: a zone is less than a day from UTC.
    const beforeMs = shownMs - zone.offset(shownMs - DAY_MS) * MINUTE_MS;
    const afterMs = shownMs - zone.offset(shownMs + DAY_MS) * MINUTE_MS;
    const showsIt = (ms: number) => ms + zone.offset(ms) * MINUTE_MS === shownMs;
    const first = [beforeMs, afterMs].sort((a, b) => a - b).find(showsIt);
    return Math.floor((first ?? beforeMs) / 1000);
  },
};
