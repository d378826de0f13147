import { hueOf } from '../drawn-picture.ts';
import { html, raw, type Html } from '../html.ts';
import { links } from '../links.ts';
import type { Titles } from './text.ts';

interface Pictured {
  readonly category: string;
  readonly points: number;
  readonly picture?: string | undefined;
}

/** The points from which a picture has the next metal: bronze, silver, gold, platinum. */
const TIERS = [0, 20, 50, 100];

/** The picture of an achievement, by its points: its own, the icon of its game while that is known, or a star in the color of its group. */
export function achievementPicture(
  titles: Titles,
  { category, points, picture }: Pictured,
  titleId: string | null,
): Html {
  const tier = TIERS.filter((least) => points >= least).length;
  const icon = picture ?? (titleId !== null && titles.known(titleId) !== undefined ? links.icon(titleId) : undefined);
  if (icon !== undefined) {
    return html`<span class="trophy tier-${tier}"
      ><img src="${icon}" alt="" width="32" height="32" loading="lazy"
    /></span>`;
  }
  return html`<span class="trophy tier-${tier} h${hueOf(category)}">${STAR}</span>`;
}

const STAR = raw(
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m12 2 3 7 7 .6-5.4 4.7 1.7 7.2-6.3-3.9-6.3 3.9 1.7-7.2L2 9.6 9 9z"/></svg>',
);
