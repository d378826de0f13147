import { hueOf, initialsOf } from '@lobbystats/site';
import { xml, type Xml } from '../feeds/xml.ts';
import { PICTURE } from './card.ts';
import { drawnIcon, drawnPicture, type NamedTitle } from './icon-placeholder.ts';

const { x, y, size } = PICTURE;

/** The icon of a game, or its initials. @param icon WebP */
export function gamePicture(title: NamedTitle, icon: Buffer | undefined): Xml {
  if (icon === undefined) return placed(drawnIcon(title));
  const href = `data:image/webp;base64,${icon.toString('base64')}`;
  return xml`<image x="${x}" y="${y}" width="${size}" height="${size}" href="${href}"/>`;
}

/** The initials of a player's name. @param hue chosen by the user */
export function playerPicture(name: string, hue: number | null): Xml {
  return placed(drawnPicture(initialsOf(name), hue ?? hueOf(name)));
}

function placed(content: Xml): Xml {
  return xml`<svg x="${x}" y="${y}" width="${size}" height="${size}" viewBox="0 0 64 64">${content}</svg>`;
}
