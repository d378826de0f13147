import { z } from 'zod';
import { emptyToUndefined } from './query.ts';
import type { EpochSeconds } from './time.ts';

/** Largest id and rank of the network. */
export const NUMBER_MAX = 2_147_483_647;

/** A network id in a path. */
export const pathId = z
  .string()
  .regex(/^[0-9]{1,10}$/)
  .transform(Number)
  .refine((id) => id <= NUMBER_MAX)
  .meta({ type: 'integer', minimum: 0, maximum: NUMBER_MAX });

/** Id of a leaderboard or event. */
export const networkId = z.int().min(0).max(NUMBER_MAX);

/** Case-insensitive; lower case once parsed. */
export const titleId = z
  .string()
  .regex(/^[0-9a-fA-F]{8}$/, 'must be 8 hexadecimal digits')
  .toLowerCase()
  .meta({ description: 'Title ID, 8 hexadecimal digits', example: '4d530064' });

/** A filter. A malformed value isn't rejected: it is an unknown title. */
export const titleFilter = z
  .string({ error: 'must be a title ID' })
  .toLowerCase()
  .transform(emptyToUndefined)
  .optional()
  .meta({ description: 'Only of this title; empty is no filter' });

export function isTitleId(text: string): boolean {
  return titleId.safeParse(text).success;
}

/** Games are looked up by this key; names with equal keys are the same name. */
export function nameKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/** Returns the id of a match; `startedAt` is its first slot. */
export function matchId({ titleId: title, host, startedAt }: MatchKey): string {
  return `${title}-${startedAt}-${host}`;
}

interface MatchKey {
  readonly titleId: string;
  readonly host: string;
  readonly startedAt: EpochSeconds;
}

/** Order of all lists by name: code points. UTF-16 order would put astral characters before U+E000. */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Surrogates sort after all other UTF-16 units. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

const USERNAME_MAX = 32;
const USERNAME = /^[A-Za-z0-9 ._-]{1,32}$/;
const usernameMessage = `must be 1 to ${USERNAME_MAX} letters, digits, spaces or . _ -`;

/** Usernames with equal keys are the same user. */
export function usernameKey(username: string): string {
  return normalizeUsername(username).toLowerCase();
}

/** Trims spaces and collapses runs of them; keeps the case. */
export function normalizeUsername(username: string): string {
  return trimSpaces(username).replace(/ {2,}/g, ' ');
}

export function isValidUsername(text: string): boolean {
  return USERNAME.test(trimSpaces(text));
}

/** A regular expression for trailing spaces takes quadratic time on a text full of spaces. */
function trimSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

/** A caller's input. A malformed one is 400, not 404. */
export const username = z
  .string({ error: usernameMessage })
  .refine(isValidUsername, { message: usernameMessage, params: { malformed: true } })
  .transform(normalizeUsername)
  .meta({
    type: 'string',
    pattern: '^ *[A-Za-z0-9._-][A-Za-z0-9 ._-]{0,31} *$',
    description: 'Site username, in any case',
    example: 'emberfox',
  });

/** In messages and responses. */
export const canonicalUsername = z
  .string()
  .regex(USERNAME, usernameMessage)
  .meta({ description: 'Site username, canonical spelling', example: 'EmberFox' });

/** Cache tags: facts carry the tags of changed data, operations those of their response; a match invalidates it. */
export const tags = {
  slots: 'slots',
  backfill: 'backfill',
  /** The sources that the network lacks. */
  sources: 'sources',
  /** Registered counts and daily statistics. */
  daily: 'daily',
  titles: 'titles',
  title: (titleId: string): string => `title:${titleId}`,
  icon: (titleId: string): string => `icon:${titleId}`,
  everyBoard: 'boards',
  boards: (titleId: string): string => `boards:${titleId}`,
  everyChange: 'changes',
  changes: (titleId: string): string => `changes:${titleId}`,
  events: 'events',
  /** Profile, play time and achievements. */
  user: (username: string): string => `user:${usernameKey(username)}`,
  /** Which users there are, with their gamertags. */
  usernames: 'usernames',
  /** Which users are online, with their games. */
  presence: 'presence',
  /** Catalog, counts, leaderboard and recent unlocks. */
  achievements: 'achievements',
  reputation: (username: string): string => `reputation:${usernameKey(username)}`,
} as const;

/** The tags of responses with the same parameters: `title::titleId` of an operation becomes `title:4d530064`. */
export function tagsOf(
  operations: readonly { readonly tags: readonly string[] }[],
  params: Readonly<Record<string, string | number | undefined>>,
): readonly string[] {
  const filled = new Set<string>();
  for (const { tags: own } of operations) for (const tag of own) filled.add(filledTag(tag, params));
  return [...filled];
}

function filledTag(tag: string, params: Readonly<Record<string, string | number | undefined>>): string {
  const end = tag.indexOf('::');
  if (end === -1) return tag;
  const name = tag.slice(end + 2);
  const value = String(params[name]);
  return `${tag.slice(0, end)}:${name === 'username' ? usernameKey(value) : value}`;
}

const SLOT_KINDS: ReadonlySet<string> = new Set([tags.slots, tags.daily, tags.titles, tags.title('')].map(kindOf));
const WRITE_KINDS: ReadonlySet<string> = new Set([tags.user(''), tags.reputation('')].map(kindOf));

/**
 * Until when a response with these tags is true: the next `slot`; the next `fact`, at any time; or the next `write` of a
 * user, who reads it at once. The first two are told by facts; a write is readable before its fact.
 */
export function freshUntil(responseTags: readonly string[]): 'slot' | 'fact' | 'write' {
  let until: 'slot' | 'fact' = 'slot';
  for (const tag of responseTags) {
    const kind = kindOf(tag);
    if (WRITE_KINDS.has(kind)) return 'write';
    if (!SLOT_KINDS.has(kind)) until = 'fact';
  }
  return until;
}

/** The part of a tag before its parameter. */
function kindOf(tag: string): string {
  const end = tag.indexOf(':');
  return end === -1 ? tag : tag.slice(0, end);
}
