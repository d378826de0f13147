import type { Zones } from './event-times.ts';

const DAY_MS = 86_400_000;

/** Time zones of the IANA database, as Node's ICU knows them. */
export const ianaZones: Zones = {
  instantOf: (date, time, name) => {
    const offsetMs = offsetsOf(name);
    if (offsetMs === undefined) return undefined;
    const wallClockMs = Date.parse(`${date}T${time}:00Z`);
    // An instant a day away is outside the transition.
    const beforeMs = wallClockMs - offsetMs(wallClockMs - DAY_MS);
    const afterMs = wallClockMs - offsetMs(wallClockMs + DAY_MS);
    const showsIt = (ms: number) => ms + offsetMs(ms) === wallClockMs;
    const first = [beforeMs, afterMs].sort((a, b) => a - b).find(showsIt);
    return Math.floor((first ?? beforeMs) / 1000);
  },
};

/** Returns the offset from UTC in ms at an instant; undefined for an unknown zone. */
function offsetsOf(timeZone: string): ((instantMs: number) => number) | undefined {
  // Node accepts offsets such as +05:00 as zones.
  if (!/^[A-Za-z]/.test(timeZone) || isLegacyName(timeZone)) return undefined;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
  return (instantMs) => {
    const [, sign, hours, minutes, seconds = 0] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(instantMs)) ?? [];
    if (sign === undefined) return 0;
    return Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  };
}

/** Names of three letters in the IANA database. */
const THREE_LETTERS = new Set('CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' '));

/** ICU has more names, from old Java versions, each with one of several meanings: `BST` is Bangladesh, `AST` is Alaska. */
function isLegacyName(timeZone: string): boolean {
  const name = timeZone.toUpperCase();
  return name.startsWith('SYSTEMV/') || (name.length === 3 && !THREE_LETTERS.has(name));
}
