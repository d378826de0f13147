import { z } from 'zod';

/** Integer. A slot is a multiple of {@link SLOT_SECONDS}; a day is `YYYY-MM-DD`. All times are UTC. */
export type EpochSeconds = number;

export const SLOT_SECONDS = 300;
export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 86_400;
export const SLOTS_PER_DAY = DAY_SECONDS / SLOT_SECONDS;
export const SNAPSHOT_RETENTION_SECONDS = 30 * DAY_SECONDS;
/** Maximum period of the histories of a title, in hours: the retention of snapshots. */
export const HISTORY_HOURS_MAX = SNAPSHOT_RETENTION_SECONDS / HOUR_SECONDS;
/** Stored points of one series. */
export const SERIES_POINTS_MAX = SNAPSHOT_RETENTION_SECONDS / SLOT_SECONDS;
/** Each leaderboard is read once per pass. */
export const BOARD_PASS_SECONDS = 3600;
/** Maximum period of registered counts and daily statistics. */
export const DAILY_DAYS_MAX = 365;
/** From a match's last snapshot to the slot that proves its end, when all slots are read. */
export const MATCH_GAP_SECONDS = 600;

/** A clock in seconds from one in milliseconds. */
export function secondsClock(clock: () => number): () => EpochSeconds {
  return () => Math.floor(clock() / 1000);
}

export function slotOf(seconds: number): EpochSeconds {
  return Math.floor(seconds / SLOT_SECONDS) * SLOT_SECONDS;
}

/** `YYYY-MM-DD HH:MM:SS`, for public responses. */
export function formatTimestamp(seconds: EpochSeconds): string {
  const iso = new Date(seconds * 1000).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

export function formatDate(seconds: EpochSeconds): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** `YYYY-MM-DDTHH:MM:SSZ`, for messages. */
export function formatInstant(seconds: EpochSeconds): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** @param text a validated date, timestamp or instant */
export function parseInstant(text: string): EpochSeconds {
  return Date.parse(text.length === 10 ? text : `${text.slice(0, 10)}T${text.slice(11, 19)}Z`) / 1000;
}

/** The last second of a UTC day. */
export function endOfDay(date: string): EpochSeconds {
  return parseInstant(date) + DAY_SECONDS - 1;
}

/** Rejects dates such as 30 February. @param text a well-formed date, timestamp or instant */
export function isRealTime(text: string): boolean {
  const parsed = new Date(`${text.slice(0, 10)}T${text.slice(11, 19) || '00:00:00'}Z`);
  // A day beyond its month is a day of the next one.
  return parsed.getUTCDate() === Number(text.slice(8, 10));
}

const dateMessage = 'must be a date of the form YYYY-MM-DD';

export const date = z
  .string({ error: dateMessage })
  .regex(/^\d{4}-\d{2}-\d{2}$/, dateMessage)
  .refine(isRealTime, 'must be a date that exists')
  .meta({ description: 'A UTC day', format: 'date', example: '2026-01-31' });

/** Documented for timestamps, and their mark: also matches the form that `time=iso` gives them. */
const TIMESTAMP_PATTERN = '^\\d{4}-\\d{2}-\\d{2}( \\d{2}:\\d{2}:\\d{2}|T\\d{2}:\\d{2}:\\d{2}Z)$';

/** In public responses. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'must be a timestamp of the form YYYY-MM-DD HH:MM:SS')
  .refine(isRealTime, 'must be an instant that exists')
  .meta({ description: 'An instant, UTC', example: '2026-01-31 18:05:00', pattern: TIMESTAMP_PATTERN });

/** Whether a schema is {@link timestamp}, with any description. */
export function isTimestamp(schema: z.core.$ZodType): boolean {
  return z.globalRegistry.get(schema)?.['pattern'] === TIMESTAMP_PATTERN;
}

/** In messages and the simulator's control API. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, 'must be an instant of the form YYYY-MM-DDTHH:MM:SSZ')
  .refine(isRealTime, 'must be an instant that exists')
  .meta({ description: 'An instant, UTC', example: '2026-01-31T18:05:00Z' });

export const slotInstant = instant.refine(
  (text) => parseInstant(text) % SLOT_SECONDS === 0,
  'must be the beginning of a 5-minute slot',
);

/** Follows the clock where it can: a restored store must continue above the revisions that others have already seen. */
export function nextRevision(previous: number, nowMs: number): number {
  return Math.max(previous + 1, Math.floor(nowMs));
}

/** Minutes and seconds, or seconds alone with a fraction: a whole number is no time. */
const RACE_TIME = /^\s*(?:(\d{1,4}):([0-5]\d)(?:[.,](\d{1,3}))?|(\d{1,6})[.,](\d{1,3}))\s*$/;

/** Milliseconds of `m:ss`, `m:ss.m`, `m:ss.mm`, `m:ss.mmm` or `s.mmm`, with `.` or `,`; undefined for any other text. */
export function parseRaceTime(text: string): number | undefined {
  const found = RACE_TIME.exec(text.normalize('NFKC'));
  if (found === null) return undefined;
  const [, minutes = '0', seconds = '0', fraction, secondsAlone = seconds, fractionAlone = fraction ?? ''] = found;
  return (Number(minutes) * 60 + Number(secondsAlone)) * 1000 + Number(fractionAlone.padEnd(3, '0'));
}

const raceTimeMessage = 'must be a time of the form m:ss, m:ss.m, m:ss.mm or m:ss.mmm, or seconds such as 83.456';

/** Milliseconds once parsed. */
export const raceTime = z
  .string({ error: raceTimeMessage })
  .transform((text, context) => {
    const ms = parseRaceTime(text);
    if (ms === undefined) context.addIssue({ code: 'custom', message: raceTimeMessage });
    return ms ?? 0;
  })
  .meta({
    ...{ type: 'string', pattern: RACE_TIME.source, example: '0:49.300' },
    description: 'm:ss.mmm, or seconds with a fraction; `,` is a decimal point too',
  });
