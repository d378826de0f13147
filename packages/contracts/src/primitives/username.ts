import { z } from 'zod';

/** The longest username, in characters. */
export const USERNAME_MAX = 32;
const FORM = /^[A-Za-z0-9 ._-]{1,32}$/;
const message = `must be 1 to ${USERNAME_MAX} letters, digits, spaces or . _ -`;

/** The key under which a username is found: without spaces around it, lower case, runs of spaces as one. Two names with one key are one person. */
export function usernameKey(username: string): string {
  return plainUsername(username).toLowerCase();
}

/** A username as it is written down: without spaces around it, runs of spaces as one. */
export function plainUsername(username: string): string {
  return withoutSpacesAround(username).replace(/ {2,}/g, ' ');
}

/** Whether a text can be a username, spaces around it aside. */
export function isUsername(text: string): boolean {
  return FORM.test(withoutSpacesAround(text));
}

/** A pattern for spaces at the end would be tried at each space: quadratic in a text that is full of them. */
function withoutSpacesAround(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

/** A site username that a caller gave, in any spelling. A malformed one is no unknown name but bad input. */
export const username = z
  .string({ error: message })
  .refine(isUsername, { message, params: { malformed: true } })
  .transform(plainUsername)
  .meta({
    type: 'string',
    pattern: '^ *[A-Za-z0-9._-][A-Za-z0-9 ._-]{0,31} *$',
    description: 'Site username, in any case',
    example: 'emberfox',
  });

/** A username in a message or an answer: its canonical spelling. */
export const canonicalUsername = z
  .string()
  .regex(FORM, message)
  .meta({ description: 'Site username, canonical spelling', example: 'EmberFox' });
