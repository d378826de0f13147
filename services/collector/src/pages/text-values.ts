import type { Activity } from '../network/network.ts';

const MAX_COUNT = 1_000_000_000;

/**
 * A count as a page writes it: digits, or groups of three with one separator (`1,234`, `1.234`, `1 234`, `1'234`).
 * Undefined for anything else.
 */
export function readCount(text: string): number | undefined {
  if (!/^\d+$|^\d{1,3}(?:([,.'’ ])\d{3})(?:\1\d{3})*$/.test(text)) return undefined;
  const count = Number(text.replace(/\D/g, ''));
  return count <= MAX_COUNT ? count : undefined;
}

/** Players in a match: `3/8`, or `3` without a capacity (`maxPlayers` is 0 then). Undefined for anything else. */
export function readPlayerCount(text: string): { players: number; maxPlayers: number } | undefined {
  const [have = '', fit, ...more] = text.split('/').map((part) => part.trim());
  const players = readCount(have);
  const maxPlayers = fit === undefined ? 0 : readCount(fit);
  return players === undefined || maxPlayers === undefined || more.length > 0 ? undefined : { players, maxPlayers };
}

const IDLE = /^(?:[-–—]?|0|0 sessions?|0 in 0 sessions?)$/i;
const SESSIONS = / sessions?$/i;
const MAX_ACTIVITY_LENGTH = 200;

export function isIdle(text: string): boolean {
  return IDLE.test(text);
}

export function mentionsSessions(text: string): boolean {
  return /\bsessions?$/i.test(text);
}

/**
 * Reads the activity cell: `N in M sessions` is N players in M sessions; `-`, `0`, `0 sessions`, `0 in 0 sessions` and
 * an empty cell are idle. Null for any other text: the title's own page is read then.
 */
export function readActivity(text: string): Activity | null {
  if (isIdle(text)) return { sessions: 0, players: 0 };
  if (text.length > MAX_ACTIVITY_LENGTH || !SESSIONS.test(text)) return null;
  const [players, sessions, ...more] = text.replace(SESSIONS, '').split(/ in /i).map(readCount);
  if (players === undefined || sessions === undefined || more.length > 0) return null;
  // Players in 0 sessions contradict each other.
  return sessions === 0 ? null : { sessions, players };
}

/** `00:49.300`, `m:ss.mmm`, `h:mm:ss.mmm`; the decimal separator is a point or a comma. */
const LAP_TIME = /^(?:(\d{1,3}):(?=\d{2}:))?(\d{1,4}):([0-5]\d)(?:[.,](\d{1,3}))?$/;

export function readLapTime(text: string): number | undefined {
  const [, hours = '0', minutes, seconds, fraction = ''] = LAP_TIME.exec(text) ?? [];
  if (minutes === undefined || (text.split(':').length === 3 && Number(minutes) > 59)) return undefined;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** A release date as pages write it, `15 November 2001`, `November 15, 2001` or `2001-11-15`, as `YYYY-MM-DD`; else `""`. */
export function readReleaseDate(text: string): string {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (iso !== null) return realDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const worded = /^(\d{1,2}) ([a-z]+),? (\d{4})$/i.exec(text);
  if (worded !== null) return realDate(Number(worded[3]), monthOf(worded[2]), Number(worded[1]));
  const american = /^([a-z]+) (\d{1,2}),? (\d{4})$/i.exec(text);
  if (american !== null) return realDate(Number(american[3]), monthOf(american[1]), Number(american[2]));
  return '';
}

function monthOf(name = ''): number {
  const word = name.toLowerCase();
  return word.length < 3 ? 0 : MONTHS.findIndex((month) => month.startsWith(word)) + 1;
}

/** `""` for a date that doesn't exist, such as 31 February. */
function realDate(year: number, month: number, day: number): string {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : '';
}
