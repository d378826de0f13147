import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
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
export function renderSvg({ svg, width }: RenderTask): Uint8Array {
  const resvg = new Resvg(svg, {
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
