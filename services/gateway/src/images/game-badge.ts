import { operations, tagsOf, plainText, type GameMetadata } from '@lobbystats/contracts';
import { formatCount } from '@lobbystats/site';
import { xml } from '../feeds/xml.ts';
import { parseResponse } from '../upstreams/upstreams.ts';
import { fitText, REGULAR_TO_BOLD, widthOf } from './fit-text.ts';
import type { ImageOf } from './image.ts';

const { getLatestActivity } = operations;

/** The name of a game, and how many play it now: `42 online`. @param scale pixels of a unit */
export function gameBadge(scale: number): ImageOf<GameMetadata> {
  return {
    id: 'getGameBadge',
    key: ({ titleId }) => [titleId, scale],
    tags: ({ titleId }) => tagsOf([operations.getGame, getLatestActivity], { titleId }),
    draw: async ({ titleId, name }, _context, upstreams) => {
      const { slot, titles } = parseResponse(
        getLatestActivity,
        await upstreams.fetch(getLatestActivity, {}, { titleId }),
        (activity) => activity,
      );
      const online = titles.find((one) => one.titleId === titleId)?.online ?? 0;
      return badgeSvg(name === '' ? titleId : name, slot === null ? 'unknown' : `${formatCount(online)} online`, scale);
    },
  };
}

const HEIGHT = 20;
const LABEL = { width: 240, sizeMax: 11, sizeMin: 11 };
const PADDING = 6;

function badgeSvg(rawLabel: string, value: string, scale: number): string {
  const label = fitText(rawLabel, LABEL);
  const left = Math.ceil(REGULAR_TO_BOLD * widthOf(label)) + 2 * PADDING;
  const right = widthOf({ text: value, size: LABEL.sizeMax }) + 2 * PADDING;
  const width = left + right;
  const title = plainText`${label.text}: ${value}`;
  return xml`<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${HEIGHT * scale}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${title}" font-family="DejaVu Sans, Verdana, sans-serif" font-size="${LABEL.sizeMax}" text-anchor="middle" fill="#fff">
<title>${title}</title>
<clipPath id="edge"><rect width="${width}" height="${HEIGHT}" rx="4"/></clipPath>
<g clip-path="url(#edge)"><rect width="${left}" height="${HEIGHT}" fill="#2d363b"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="#0f6478"/></g>
<text x="${left / 2}" y="14">${label.text}</text>
<text x="${left + right / 2}" y="14" font-weight="700">${value}</text>
</svg>`.text;
}
