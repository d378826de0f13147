const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** The length of a slot. Slots begin at multiples of it since the Unix epoch. */
export const SLOT_SECONDS = 300;

/** The length of a pass: leaderboards change at its beginning alone. Passes begin at full hours. */
export const PASS_SECONDS = 3_600;

/** The length of a UTC day. */
export const DAY_SECONDS = 86_400;

/** The slot in which an instant (epoch seconds) lies, as the slot's first second. */
export function slotOf(epochSeconds: number): number {
  return Math.floor(epochSeconds / SLOT_SECONDS) * SLOT_SECONDS;
}

/** The number of the pass (hours since the Unix epoch) in which an instant lies. */
export function passIndexOf(epochSeconds: number): number {
  return Math.floor(epochSeconds / PASS_SECONDS);
}

/** Epoch seconds as `YYYY-MM-DDTHH:MM:SSZ`. */
export function formatInstant(epochSeconds: number): string {
  return `${new Date(epochSeconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** Epoch seconds as their UTC day, `YYYY-MM-DD`. */
export function formatDay(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString().slice(0, 10);
}

/** Epoch seconds of a `YYYY-MM-DDTHH:MM:SSZ` from 1970 on; `undefined` for any other text, 30 February included. */
export function parseInstant(text: string): number | undefined {
  if (!INSTANT.test(text)) return undefined;
  const epochSeconds = Date.parse(text) / 1000;
  const isReal = Number.isInteger(epochSeconds) && epochSeconds >= 0 && formatInstant(epochSeconds) === text;
  return isReal ? epochSeconds : undefined;
}
