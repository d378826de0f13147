import type { Activity } from '../network/network.ts';
import { asciiDigits, plainNumber } from './digits.ts';

const MAX_COUNT = 1_000_000_000;

/** Groups of three digits with one separator: `1,234`, `1.234`, `1 234`, `1'234`, `١٬٢٣٤`. */
const THOUSANDS = /^[1-9]\d{0,2}([,.'’ ٬،])\d{3}(?:\1\d{3})*$/;
/** Groups of two digits before the last one of three: `1,24,433`. */
const LAKHS = /^[1-9]\d?([,٬،])\d{2}(?:\1\d{2})*\1\d{3}$/;

/**
 * A count as a page writes it, in the digits of any script: digits alone, or in groups. Undefined for anything else, such
 * as `24.4K`, which is not the number.
 */
export function readCount(text: string): number | undefined {
  const plain = plainNumber(text);
  if (!/^\d+$/.test(plain) && !THOUSANDS.test(plain) && !LAKHS.test(plain)) return undefined;
  const count = Number(plain.replace(/\D/g, ''));
  return count <= MAX_COUNT ? count : undefined;
}

export interface PlayerCount {
  players: number;
  maxPlayers: number;
}

/**
 * Players in a match: `3/8`, `3 of 8`, `3 out of 8`, or `3` without a capacity (`maxPlayers` is 0 then), with or without the word
 * `players`. Undefined for anything else, and for more players than the maximum.
 */
export function readPlayerCount(text: string): PlayerCount | undefined {
  const [have = '', fit, ...more] = plainNumber(text)
    .replace(/\s*\bplayers?$/i, '')
    .split(/\/|\b(?:out )?of\b/i)
    .map((part) => part.trim());
  const players = readCount(have);
  const maxPlayers = fit === undefined ? 0 : readCount(fit);
  if (players === undefined || maxPlayers === undefined || more.length > 0) return undefined;
  return fit !== undefined && maxPlayers > 0 && players > maxPlayers ? undefined : { players, maxPlayers };
}

const MAX_RANK = 2_147_483_647;
const MEDALS = ['🥇', '🥈', '🥉'];
/** Medals, cups, crowns and stars before or after a rank. */
const AWARDS = /^(?:[🥇🥈🥉🏅🎖🏆👑⭐🌟]\uFE0F?|\s)+|(?:[🥇🥈🥉🏅🎖🏆👑⭐🌟]\uFE0F?|\s)+$/gu;
const RANK_PREFIX = /^(?:#|=|T-?|№|No\.?|Rank|Pos(?:ition|\.)?|Place)\s*(?=\d)/i;
const RANK_SUFFIX = /\s*(?:[.=ºª°]|st|nd|rd|th)$/i;

/**
 * A rank: `1`, `#1`, `1.`, `1st`, a medal alone or with its rank, or a tie such as `=2`, `2=`, `T2`. Undefined for
 * anything else, also for the medal of another rank.
 */
export function readRank(text: string): number | undefined {
  const keycaps = text.replace(/\uFE0F?\u20E3/g, '').replace('🔟', '10');
  const number = plainNumber(keycaps.replace(AWARDS, '')).replace(RANK_PREFIX, '').replace(RANK_SUFFIX, '');
  const medals = MEDALS.flatMap((medal, index) => (text.includes(medal) ? [index + 1] : []));
  const rank = number === '' ? medals[0] : readCount(number);
  if (rank === undefined || medals.some((medal) => medal !== rank)) return undefined;
  return rank >= 1 && rank <= MAX_RANK ? rank : undefined;
}

const IDLE = /^(?:[-–—]?|0|0 sessions?|0 in 0 sessions?)$/i;
const SESSIONS = / sessions?$/i;
const MAX_ACTIVITY_LENGTH = 200;

export function isIdle(text: string): boolean {
  return IDLE.test(plainNumber(text));
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
  const [players, sessions, ...more] = plainNumber(text).replace(SESSIONS, '').split(/ in /i).map(readCount);
  if (players === undefined || sessions === undefined || more.length > 0) return null;
  // Players in 0 sessions contradict each other.
  return sessions === 0 ? null : { sessions, players };
}

/** `00:49.300`, `m:ss.mmm`, `h:mm:ss.mmm`; the decimal separator is a point or a comma. */
const LAP_TIME = /^(?:(\d{1,3}):(?=\d{2}:))?(\d{1,4}):([0-5]\d)(?:[.,٫](\d{1,3}))?$/;
/** `49.300` or, with units, `49.3s`, `1m 02.345s`, `1h 2min 3s`. A comma without a unit may separate thousands. */
const SECONDS = /^(\d{1,5})[.٫](\d{1,3})$/;
const UNITS =
  /^(?:(\d{1,3}) ?h(?:ours?|rs?)? ?)?(?:(\d{1,4}) ?m(?:in(?:utes?|s)?)? ?)?(?:(\d{1,5})(?:[.,٫](\d{1,3}))? ?s(?:ec(?:onds?|s)?)?)?$/i;
const MILLISECONDS = /^(\d{1,9}) ?ms$/i;

/** A lap or race time in milliseconds; undefined for anything else. */
export function readLapTime(shown: string): number | undefined {
  const text = plainNumber(shown);
  const lap = LAP_TIME.exec(text);
  if (lap !== null) return lap[1] !== undefined && Number(lap[2]) > 59 ? undefined : sumTime(lap);
  const [, milliseconds] = MILLISECONDS.exec(text) ?? [];
  if (milliseconds !== undefined) return Number(milliseconds);
  const [, seconds, fraction] = SECONDS.exec(text) ?? [];
  if (seconds !== undefined) return sumTime(['', '0', '0', seconds, fraction]);
  const units = text === '' ? null : UNITS.exec(text);
  if (units === null) return undefined;
  const [, hours, minutes, unitSeconds] = units;
  const isOver =
    (hours !== undefined && Number(minutes ?? 0) > 59) ||
    ((minutes ?? hours) !== undefined && Number(unitSeconds ?? 0) > 59);
  return isOver ? undefined : sumTime(units);
}

function sumTime([, hours = '0', minutes = '0', seconds = '0', fraction = '']: readonly (
  string | undefined
)[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** A release date as pages write it, `15 November 2001`, `15th November 2001`, `November 15, 2001` or `2001-11-15`, as `YYYY-MM-DD`; else `""`. */
export function readReleaseDate(shown: string): string {
  const text = asciiDigits(shown);
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (iso !== null) return realDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const worded = /^(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?([a-z]+)\.?,? (\d{4})$/i.exec(text);
  if (worded !== null) return realDate(Number(worded[3]), monthOf(worded[2]), Number(worded[1]));
  const american = /^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i.exec(text);
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
