/** Pictures of those who have none: initials on a color, the same everywhere. */

/** Background of a drawn picture. White text on it has a contrast of more than 4.5 in every hue. @param hue in degrees */
export function drawnColor(hue: number): string {
  return `hsl(${hue},45%,30%)`;
}

/** Each has a class in `avatars.css`. */
const HUES = 24;

/** Returns the same hue for the same name, whatever the case of its letters. */
export function hueOf(name: string): number {
  let hash = 0;
  for (const character of name.toLowerCase()) hash = (31 * hash + (character.codePointAt(0) ?? 0)) % 360_360;
  return (hash % HUES) * (360 / HUES);
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Those of the first words, `EmberFox` being two; `?` for a name without letters and digits. */
export function initialsOf(name: string, words = 2): string {
  const initials = name
    .normalize('NFC')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
    .slice(0, words)
    .map((word) => [...segmenter.segment(word)][0]?.segment.slice(0, INITIAL_MAX) ?? '');
  return initials.join('').toUpperCase() || '?';
}

/** UTF-16 units of a letter with its marks. */
const INITIAL_MAX = 4;

/** Returns the class and the attribute `data-i` with which a link or heading of a name gets the person's avatar before it. */
export function avatarOf(name: string): { readonly className: string; readonly initials: string } {
  return { className: `face h${hueOf(name)}`, initials: initialsOf(name) };
}
