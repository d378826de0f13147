import { drawnColor, initialsOf } from '@lobbystats/site';
import { xml, type Xml } from '../feeds/xml.ts';

export interface NamedTitle {
  readonly titleId: string;
  readonly name: string;
}

/** An SVG in place of the icon of a game without one: the initials of its name, in a color of its title ID. */
export function iconPlaceholder(title: NamedTitle): string {
  return xml`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">${drawnIcon(title)}</svg>`
    .text;
}

/** The content of that SVG. */
export function drawnIcon({ titleId, name }: NamedTitle): Xml {
  return drawnPicture(initialsOf(name), Number.parseInt(titleId, 16) % 360);
}

/** Letters on a color, in a box of 64 × 64. @param hue in degrees */
export function drawnPicture(letters: string, hue: number): Xml {
  return xml`<rect width="64" height="64" rx="8" fill="${drawnColor(hue)}"/><text x="32" y="41" font-family="system-ui,sans-serif" font-size="26" font-weight="600" text-anchor="middle" fill="#fff">${letters}</text>`;
}
