import { DAY_SECONDS } from '@lobbystats/contracts';
import { hashText, mix } from '../world/hash.ts';
import type { Title } from '../world/title.ts';
import type { Page } from './page.ts';
import { encodePng } from '@lobbystats/service-kit/png';

const SIZE = 96;
const CELLS = 5;
const MARGIN = 13;
const CELL = (SIZE - 2 * MARGIN) / CELLS;
const CORNER = 14;

export type Icon = Omit<Page, 'body'> & { readonly body: Buffer };

/** A symmetric pattern of the title's own on a gradient, with round corners. */
export function icon({ titleId }: Pick<Title, 'titleId'>): Icon {
  const hash = hashText(titleId);
  const hue = hash % 360;
  const pattern = mix(hash, 1);
  const isSet = (column: number, row: number) =>
    ((pattern >>> (row * 3 + Math.min(column, CELLS - 1 - column))) & 1) === 1;
  const body = png(SIZE, SIZE, (x, y): Color => {
    if (isCorner(x, y)) return [0, 0, 0, 0];
    const [column, row] = [x, y].map((at) => Math.floor((at - MARGIN) / CELL)) as [number, number];
    const isInside = [column, row].every((cell) => cell >= 0 && cell < CELLS);
    const [saturation, lightness] = isInside && isSet(column, row) ? [0.75, 0.78] : [0.5, 0.24 + (0.18 * y) / SIZE];
    return [...rgb(hue + (isInside && isSet(column, row) ? 40 : 0), saturation, lightness), 255];
  });
  return { status: 200, contentType: 'image/png', body, maxAgeSeconds: DAY_SECONDS };
}

function isCorner(x: number, y: number): boolean {
  const [dx, dy] = [x, y].map((at) => Math.max(0, CORNER - at, at - (SIZE - 1 - CORNER))) as [number, number];
  return dx * dx + dy * dy > CORNER * CORNER;
}

/** https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function rgb(hue: number, saturation: number, lightness: number): [number, number, number] {
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    const depth = saturation * Math.min(lightness, 1 - lightness);
    return Math.round(255 * (lightness - depth * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Red, green, blue, alpha. */
type Color = readonly [number, number, number, number];

function png(width: number, height: number, colorAt: (x: number, y: number) => Color): Buffer {
  const rows = Buffer.alloc(height * (1 + 4 * width));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows.set(colorAt(x, y), y * (1 + 4 * width) + 1 + 4 * x);
  }
  return encodePng(width, height, rows);
}
