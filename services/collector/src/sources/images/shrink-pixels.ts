/** Pixels in rows of four bytes each: red, green, blue, alpha. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Shrinks an image so that its longer side has at most `sizeMax` pixels: each new pixel is the mean of those that it
 * covers. Colors are multiplied by alpha, as means need it, in what it takes, and not in what it returns.
 */
export function shrinkPixels({ data, width, height }: Pixels, sizeMax: number): Pixels {
  const scale = Math.min(1, sizeMax / Math.max(width, height));
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const columns = spansOf(width, size.width);
  const shrunk = new Uint8Array(size.width * size.height * 4);
  spansOf(height, size.height).forEach((row, y) => {
    columns.forEach((column, x) => {
      const sums = new Float64Array(4);
      for (let at = row.from; at < row.to; at += 1) {
        for (let to = (at * width + column.to) * 4, pixel = (at * width + column.from) * 4; pixel < to; pixel += 4) {
          for (let channel = 0; channel < 4; channel += 1)
            sums[channel] = (sums[channel] ?? 0) + (data[pixel + channel] ?? 0);
        }
      }
      shrunk.set(meanOf(sums, (row.to - row.from) * (column.to - column.from)), (y * size.width + x) * 4);
    });
  });
  return { ...size, data: shrunk };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Divides a length into equal spans of whole pixels, none of them empty. */
function spansOf(length: number, count: number): Span[] {
  return Array.from({ length: count }, (_, index) => ({
    from: Math.floor((index * length) / count),
    to: Math.floor(((index + 1) * length) / count),
  }));
}

function meanOf([red = 0, green = 0, blue = 0, alpha = 0]: Float64Array, count: number): number[] {
  const color = (sum: number) => (alpha === 0 ? 0 : Math.min(255, Math.round((255 * sum) / alpha)));
  return [color(red), color(green), color(blue), Math.round(alpha / count)];
}
