import { xml } from '../feeds/xml.ts';

/** White text on it has a contrast of more than 4.5 in every hue. */
const BACKGROUND = { saturation: 45, lightness: 30 };

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** An SVG in place of the icon of a game without one: the initials of its name, in a color of its title ID. */
export function iconPlaceholder({ titleId, name }: { readonly titleId: string; readonly name: string }): string {
  const hue = Number.parseInt(titleId, 16) % 360;
  const { saturation, lightness } = BACKGROUND;
  return xml`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"><rect width="64" height="64" rx="8" fill="hsl(${hue},${saturation}%,${lightness}%)"/><text x="32" y="41" font-family="system-ui,sans-serif" font-size="26" font-weight="600" text-anchor="middle" fill="#fff">${initialsOf(name)}</text></svg>`
    .text;
}

/** Returns those of the first two words; `?` for a name without letters and digits. */
export function initialsOf(name: string): string {
  const initials = name
    .normalize('NFC')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
    .slice(0, 2)
    .map((word) => [...segmenter.segment(word)][0]?.segment.slice(0, INITIAL_MAX) ?? '');
  return initials.join('').toUpperCase() || '?';
}

/** UTF-16 units of a letter with its marks. */
const INITIAL_MAX = 4;
