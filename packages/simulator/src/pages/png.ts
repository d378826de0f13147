import { encodePng } from '@lobbystats/service-kit/png';

/** Red, green, blue, alpha. */
export type Color = readonly [number, number, number, number];

export function png(width: number, height: number, colorAt: (x: number, y: number) => Color): Buffer {
  const rows = Buffer.alloc(height * (1 + 4 * width));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows.set(colorAt(x, y), y * (1 + 4 * width) + 1 + 4 * x);
  }
  return encodePng(width, height, rows);
}
