import { z } from 'zod';

const FORM = /^(\d{1,4}):([0-5]\d)(?:\.(\d{1,3}))?$/;

/** Milliseconds of `m:ss`, `m:ss.m`, `m:ss.mm` or `m:ss.mmm`; undefined for any other text. */
export function parseRaceTime(text: string): number | undefined {
  const [, minutes, seconds, fraction = ''] = FORM.exec(text) ?? [];
  if (minutes === undefined) return undefined;
  return (Number(minutes) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** `m:ss.mmm`, minutes unpadded: `0:49.300`. */
export function formatRaceTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const rest = `${String(seconds % 60).padStart(2, '0')}.${String(ms % 1000).padStart(3, '0')}`;
  return `${Math.floor(seconds / 60)}:${rest}`;
}

const message = 'must be a time of the form m:ss, m:ss.m, m:ss.mm or m:ss.mmm';

/** Milliseconds once parsed. */
export const raceTime = z
  .string({ error: message })
  .regex(FORM, message)
  .transform((text) => parseRaceTime(text) ?? 0)
  .meta({ type: 'string', description: 'm:ss.mmm', example: '0:49.300' });
