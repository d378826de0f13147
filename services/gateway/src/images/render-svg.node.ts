import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import { encodePng } from '@lobbystats/service-kit/png';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

export interface RenderTask {
  readonly svg: string;
  /** In pixels. */
  readonly width?: number | undefined;
}

const require = createRequire(import.meta.url);

const FONTS = [
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
];

await initWasm(readFile(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));
const fontBuffers = await Promise.all(FONTS.map(async (path) => new Uint8Array(await readFile(path))));

/** Returns PNG. The SVG can't load anything. */
export async function renderSvg({ svg, width }: RenderTask): Promise<Uint8Array> {
  const resvg = new Resvg(await withPngs(svg), {
    fitTo: width === undefined ? { mode: 'original' } : { mode: 'width', value: width },
    font: { fontBuffers, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' },
  });
  try {
    const image = resvg.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    resvg.free();
  }
}

const WEBP = /data:image\/webp;base64,([\w+/=]+)/g;

/** Most images have no icon. */
let decoder: Promise<unknown> | undefined;

/** The renderer reads no WebP. */
async function withPngs(svg: string): Promise<string> {
  const urls = new Map<string, string>();
  for (const [url, base64 = ''] of svg.matchAll(WEBP)) {
    await (decoder ??= loadDecoder());
    const pixels = (await decodeWebp(Uint8Array.from(Buffer.from(base64, 'base64')).buffer)) as unknown as Pixels;
    urls.set(url, `data:image/png;base64,${pngOf(pixels).toString('base64')}`);
  }
  return svg.replace(WEBP, (url) => urls.get(url) ?? '');
}

async function loadDecoder(): Promise<void> {
  await initWebp({ wasmBinary: await readFile(require.resolve('@jsquash/webp/codec/dec/webp_dec.wasm')) });
}

interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

function pngOf({ data, width, height }: Pixels): Buffer {
  const rows = Buffer.alloc(height * (1 + 4 * width));
  for (let y = 0; y < height; y += 1) {
    rows.set(data.subarray(y * 4 * width, (y + 1) * 4 * width), y * (1 + 4 * width) + 1);
  }
  return encodePng(width, height, rows);
}
