import { z } from 'zod';

/** Games are looked up by this key; names with equal keys are the same name. */
export function nameKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
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
