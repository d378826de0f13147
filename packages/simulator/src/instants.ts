const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

export const SLOT_SECONDS = 300;

export const PASS_SECONDS = 3_600;

export const DAY_SECONDS = 86_400;

export function slotOf(epochSeconds: number): number {
  return Math.floor(epochSeconds / SLOT_SECONDS) * SLOT_SECONDS;
}

export function passIndexOf(epochSeconds: number): number {
  return Math.floor(epochSeconds / PASS_SECONDS);
}

export function formatInstant(epochSeconds: number): string {
  return `${new Date(epochSeconds * 1000).toISOString().slice(0, 19)}Z`;
}

export function formatDay(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString().slice(0, 10);
}

export function parseInstant(text: string): number | undefined {
  if (!INSTANT.test(text)) return undefined;
  const epochSeconds = Date.parse(text) / 1000;
  const isReal = Number.isInteger(epochSeconds) && epochSeconds >= 0 && formatInstant(epochSeconds) === text;
  return isReal ? epochSeconds : undefined;
}
