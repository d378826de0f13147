import type { Activity } from '../../network/network.ts';
import { listOf, type Texts } from '../descriptions/source-description.ts';

/** A text as texts of descriptions are compared: without case, spaces around, arrows of sorting and a final colon or point. */
export function normalize(text: string): string {
  return text
    .replace(/[\u2190-\u21FF\u25A0-\u25FF\u2B00-\u2BFF\u2303\u2304]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s.:!：]+$/, '')
    .toLowerCase();
}

export function isOneOf(text: string, texts: string | readonly string[] | null | undefined): boolean {
  return normalizedSet(texts).has(normalize(text));
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function normalizedSet(texts: string | readonly string[] | null | undefined): ReadonlySet<string> {
  const list = listOf(texts);
  let set = sets.get(list);
  if (set === undefined) {
    set = new Set(list.map(normalize));
    sets.set(list, set);
  }
  return set;
}

/** Whether the page shows only the beginning of a name. */
export function isCut(name: string): boolean {
  return /(?:…|\.\.\.)$/.test(name);
}

const MAX_COUNT = 1_000_000_000;
/** Groups of three digits with one separator: `1,234`, `1.234`, `1 234`, `1'234`. */
const THOUSANDS = /^[1-9]\d{0,2}([,.'’ ])\d{3}(?:\1\d{3})*$/;

/** A count: digits alone, or in groups. Undefined for anything else, such as `24.4K`. */
export function readCount(text: string): number | undefined {
  const plain = text.trim().replace(/\s/g, ' ');
  if (!/^\d+$/.test(plain) && !THOUSANDS.test(plain)) return undefined;
  const count = Number(plain.replace(/\D/g, ''));
  return count <= MAX_COUNT ? count : undefined;
}

const COUNT = String.raw`\d(?:[\d,.'’ ]*\d)?`;
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  ...{ n: COUNT, players: COUNT, max: COUNT, sessions: COUNT, rank: COUNT },
  ...{
    h: String.raw`\d{1,3}`,
    m: String.raw`\d{1,4}`,
    s: String.raw`\d{1,5}`,
    f: String.raw`\d{1,3}`,
    ms: String.raw`\d{1,9}`,
  },
};
const compiled = new Map<string, RegExp>();
const MAX_COMPILED = 1000;

/** A text of a format as a pattern: `{m}:{s}.{f}`. After a colon, minutes and seconds have two digits. */
function patternOf(format: string): RegExp {
  const known = compiled.get(format);
  if (known !== undefined) return known;
  const parts = format.trim().split(/(:?\{\w+\}|\s+)/);
  const source = parts.map((part) => {
    if (/^\s+$/.test(part)) return String.raw`\s*`;
    const [, colon = '', name = ''] = /^(:?)\{(\w+)\}$/.exec(part) ?? [];
    const digits = colon !== '' && (name === 'm' || name === 's') ? String.raw`\d{2}` : PLACEHOLDERS[name];
    return digits === undefined ? RegExp.escape(part) : `${colon}(?<${name}>${digits})`;
  });
  const pattern = new RegExp(`^${source.join('')}$`, 'i');
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(format, pattern);
  return pattern;
}

/** The texts of the placeholders of the first format that the text has. */
export function matchFormat(text: string, formats: Texts | undefined): Readonly<Record<string, string>> | undefined {
  const plain = text.trim();
  if (plain.length > 200) return undefined;
  for (const format of listOf(formats)) {
    const match = patternOf(format).exec(plain);
    if (match !== null) return match.groups ?? {};
  }
  return undefined;
}

export interface PlayerCount {
  players: number;
  /** 0 when unknown. */
  maxPlayers: number;
}

/** Players in a match. Undefined for another format, and for more players than the maximum. */
export function readPlayerCount(text: string, formats: Texts | undefined): PlayerCount | undefined {
  const found = matchFormat(text, formats);
  const players = readCount(found?.['players'] ?? '');
  const maxPlayers = found?.['max'] === undefined ? 0 : readCount(found['max']);
  if (players === undefined || maxPlayers === undefined) return undefined;
  return found?.['max'] !== undefined && players > maxPlayers ? undefined : { players, maxPlayers };
}

/** Null for a text of another format, and for players in no session. */
export function readActivity(
  text: string,
  { activity, idle }: { activity?: Texts | undefined; idle?: Texts | undefined },
): Activity | null {
  if (isOneOf(text, idle)) return { sessions: 0, players: 0 };
  const found = matchFormat(text, activity);
  const [players, sessions] = [readCount(found?.['players'] ?? ''), readCount(found?.['sessions'] ?? '')];
  return players === undefined || sessions === undefined || sessions === 0 ? null : { sessions, players };
}

const MAX_RANK = 2_147_483_647;

/** A rank of a format. Undefined for anything else. */
export function readRank(text: string, formats: Texts | undefined): number | undefined {
  const rank = readCount(matchFormat(text, formats)?.['rank'] ?? '');
  return rank !== undefined && rank >= 1 && rank <= MAX_RANK ? rank : undefined;
}

/** Milliseconds of a time; undefined for another format, and for more than 59 seconds of a minute. */
export function readTime(text: string, formats: Texts | undefined): number | undefined {
  const found = matchFormat(text, formats);
  if (found === undefined) return undefined;
  const { h, m, s, f = '', ms = '0' } = found;
  const isOver = (h !== undefined && Number(m ?? 0) > 59) || ((m ?? h) !== undefined && Number(s ?? 0) > 59);
  return isOver
    ? undefined
    : ((Number(h ?? 0) * 60 + Number(m ?? 0)) * 60 + Number(s ?? 0)) * 1000 + Number(f.padEnd(3, '0')) + Number(ms);
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** A release date as pages write it, `15 November 2001`, `15th November 2001` or `2001-11-15`, as `YYYY-MM-DD`; else `""`. */
export function readReleaseDate(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year !== undefined) return realDate(year, Number(month), day);
  const worded = /^(\d{1,2})(?:st|nd|rd|th)? ([a-z]+)\.? (\d{4})$/i.exec(text);
  return worded === null ? '' : realDate(worded[3], monthOf(worded[2]), worded[1]);
}

function monthOf(name = ''): number {
  const word = name.toLowerCase();
  return word.length < 3 ? 0 : MONTHS.findIndex((month) => month.startsWith(word)) + 1;
}

/** `""` for a date that doesn't exist, such as 31 February. */
function realDate(year = '', month: number, day = ''): string {
  const date = new Date(Date.UTC(Number(year), month - 1, Number(day)));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day);
  return isReal && Number(year) > 0 ? date.toISOString().slice(0, 10) : '';
}

const USUAL = { from: 2_147_483_647, times: -1 };
const [SECOND_MS, HOUR_MS, DAY_MS] = [1000, 3_600_000, 86_400_000];

/**
 * The times of ratings that all are raw times; undefined for scores. Networks store times so that the best is the greatest: subtracted from
 * the greatest signed 32-bit integer. A rule says it for other numbers.
 */
export function timesOfRawRatings(
  ratings: readonly string[],
  rawTime?: { readonly from: number; readonly times: number },
): number[] | undefined {
  if (ratings.length === 0 || !ratings.every((rating) => /^\d{1,10}$/.test(rating))) return undefined;
  const { from, times } = rawTime ?? USUAL;
  const [min, max] = rawTime === undefined ? [SECOND_MS, HOUR_MS] : [1, DAY_MS];
  const found = ratings.map((rating) => Math.round(from + times * Number(rating)));
  return found.every((ms) => ms >= min && ms <= max) ? found : undefined;
}
