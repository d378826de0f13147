import { z } from 'zod';

/**
 * Time as the product writes it. Inside, an instant is an integer of epoch seconds; a slot is one that is a multiple
 * of {@link SLOT_SECONDS}; a day is its `YYYY-MM-DD`. Everything is UTC.
 */
export type EpochSeconds = number;

/** Length of a snapshot's slot, in seconds. */
export const SLOT_SECONDS = 300;
/** Seconds in a UTC day. */
export const DAY_SECONDS = 86_400;
/** Slots in a UTC day. */
export const SLOTS_PER_DAY = DAY_SECONDS / SLOT_SECONDS;
/** How long 5-minute snapshots are kept, in seconds (30 days). */
export const SNAPSHOT_RETENTION_SECONDS = 30 * DAY_SECONDS;
/** How long a pass over all leaderboards takes, in seconds: each is read once in it. */
export const BOARD_PASS_SECONDS = 3600;
/** How many days registered counts and daily statistics can be asked for. */
export const DAILY_DAYS_MAX = 365;
/** A host's snapshots that lie further apart than this belong to two matches, in seconds. */
export const MATCH_GAP_SECONDS = 600;

/** The slot that an instant lies in: `floor(t / 300 s) * 300 s`. */
export function slotOf(seconds: number): EpochSeconds {
  return Math.floor(seconds / SLOT_SECONDS) * SLOT_SECONDS;
}

/** `YYYY-MM-DD HH:MM:SS`, as public answers have it. */
export function formatTimestamp(seconds: EpochSeconds): string {
  const iso = new Date(seconds * 1000).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

/** `YYYY-MM-DD` of the UTC day that an instant lies in. */
export function formatDate(seconds: EpochSeconds): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** `YYYY-MM-DDTHH:MM:SSZ`, as messages have it. */
export function formatInstant(seconds: EpochSeconds): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** Epoch seconds of an instant or timestamp that its schema has accepted. */
export function parseInstant(text: string): EpochSeconds {
  return Date.parse(text.length === 10 ? text : `${text.slice(0, 10)}T${text.slice(11, 19)}Z`) / 1000;
}

/** Whether a day or instant of the right form exists: there is no 30 February. */
export function isRealTime(text: string): boolean {
  const parsed = new Date(`${text.slice(0, 10)}T${text.slice(11, 19) || '00:00:00'}Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 10) === text.slice(0, 10);
}

const dateMessage = 'must be a date of the form YYYY-MM-DD';

/** A UTC day, `YYYY-MM-DD`. */
export const date = z
  .string({ error: dateMessage })
  .regex(/^\d{4}-\d{2}-\d{2}$/, dateMessage)
  .refine(isRealTime, 'must be a date that exists')
  .meta({ description: 'A UTC day', format: 'date', example: '2026-01-31' });

/** An instant in a public answer, `YYYY-MM-DD HH:MM:SS`, UTC. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'must be a timestamp of the form YYYY-MM-DD HH:MM:SS')
  .refine(isRealTime, 'must be an instant that exists')
  .meta({ description: 'An instant, UTC', example: '2026-01-31 18:05:00' });

/** An instant in a message or on the simulator's door, `YYYY-MM-DDTHH:MM:SSZ`. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, 'must be an instant of the form YYYY-MM-DDTHH:MM:SSZ')
  .refine(isRealTime, 'must be an instant that exists')
  .meta({ description: 'An instant, UTC', example: '2026-01-31T18:05:00Z' });

/** The beginning of a 5-minute slot, in a message. */
export const slotInstant = instant.refine(
  (text) => parseInstant(text) % SLOT_SECONDS === 0,
  'must be the beginning of a 5-minute slot',
);
