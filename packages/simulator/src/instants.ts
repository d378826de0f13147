import { BOARD_PASS_SECONDS, formatInstant } from '@lobbystats/contracts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

export function parseInstant(text: string): number | undefined {
  if (!INSTANT.test(text)) return undefined;
  const epochSeconds = Date.parse(text) / 1000;
  const isReal = Number.isInteger(epochSeconds) && epochSeconds >= 0 && formatInstant(epochSeconds) === text;
  return isReal ? epochSeconds : undefined;
}

export function passIndexOf(epochSeconds: number): number {
  return Math.floor(epochSeconds / BOARD_PASS_SECONDS);
}
