import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { encodePng } from './encode-png.node.ts';

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

await initWebp({ wasmBinary: await readFile(require.resolve('@jsquash/webp/codec/dec/webp_dec.wasm')) });
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

/** The renderer reads no WebP. */
async function withPngs(svg: string): Promise<string> {
  const urls = new Map<string, string>();
  for (const [url, base64 = ''] of svg.matchAll(WEBP)) {
    const pixels = (await decodeWebp(Uint8Array.from(Buffer.from(base64, 'base64')).buffer)) as unknown as Pixels;
    urls.set(url, `data:image/png;base64,${encodePng(pixels).toString('base64')}`);
  }
  return svg.replace(WEBP, (url) => urls.get(url) ?? '');
}

type Pixels = Parameters<typeof encodePng>[0];
