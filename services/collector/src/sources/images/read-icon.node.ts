import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { ICON_BYTES_MAX, ICON_SIZE } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/contracts/errors';
import { UnparseablePageError } from '../../network/page-failures.ts';
import { readImageHeader, type ImageHeader } from './image-header.ts';
import { shrinkPixels, type Pixels } from './shrink-pixels.ts';

export interface IconReading {
  /** WebP in Base64. */
  readonly image: string;
}

/** Width times height: decoded, such an image takes 16 MB. */
const PIXELS_MAX = 2048 * 2048;
/** Hardly to be told from the original at this size. */
const QUALITY = 82;

/**
 * Decodes an image, makes it small and encodes it again, so that nothing of the file is passed on. The decoders are
 * WebAssembly: a fault in one of them reaches the memory of nothing else. Of an animated GIF it takes the first picture.
 *
 * @throws UnparseablePageError for what is no PNG, JPEG, GIF or WebP image, is too large, or shows nothing
 */
export async function readIcon(bytes: Buffer): Promise<IconReading> {
  const header = readImageHeader(bytes);
  if (header === undefined) throw new UnparseablePageError('it is not a PNG, JPEG, GIF or WebP image');
  const { width, height } = header;
  if (width * height === 0 || width * height > PIXELS_MAX) {
    throw new UnparseablePageError(`it has ${width} × ${height} pixels`);
  }
  try {
    const icon = shrinkPixels(await decode(bytes, header), ICON_SIZE);
    // A decoder shows nothing of a broken image.
    if (icon.data.every((value, index) => index % 4 !== 3 || value === 0)) throw new Error('nothing can be seen');
    const image = await encode(icon);
    if (image.length > ICON_BYTES_MAX) throw new Error(`its icon has ${image.length} bytes`);
    return { image: image.toString('base64') };
  } catch (error) {
    throw new UnparseablePageError(`it can't be decoded: ${messageOf(error)}`, { isFinal: true });
  }
}

const require = createRequire(import.meta.url);

const bytesOf = (path: string) => readFile(require.resolve(path));

/** As browsers have them, under the name `ImageData`. */
type StraightPixels = Omit<Pixels, 'data'> & { readonly data: Uint8ClampedArray };

interface WebpCodec {
  readonly decodeWebp: (bytes: ArrayBuffer) => Promise<StraightPixels>;
  readonly encodeWebp: (pixels: StraightPixels, options: { readonly quality: number }) => Promise<ArrayBuffer>;
}

/** Decoders are loaded with the first icon: most parsers never read one. */
let codecs: ReturnType<typeof loadCodecs> | undefined;

async function loadCodecs() {
  const [resvg, decoder, encoder] = await Promise.all([
    import('@resvg/resvg-wasm'),
    import('@jsquash/webp/decode.js'),
    import('@jsquash/webp/encode.js'),
  ]);
  await resvg.initWasm(bytesOf('@resvg/resvg-wasm/index_bg.wasm'));
  await decoder.init({ wasmBinary: await bytesOf('@jsquash/webp/codec/dec/webp_dec.wasm') });
  await encoder.init({ wasmBinary: await bytesOf('@jsquash/webp/codec/enc/webp_enc_simd.wasm') });
  const webp = { decodeWebp: decoder.default, encodeWebp: encoder.default } as unknown as WebpCodec;
  return { Resvg: resvg.Resvg, ...webp };
}

async function decode(bytes: Buffer, { type, width, height }: ImageHeader): Promise<Pixels> {
  const { Resvg, decodeWebp } = await (codecs ??= loadCodecs());
  if (type === 'webp') return multiplied(await decodeWebp(Uint8Array.from(bytes).buffer));
  const href = `data:image/${type};base64,${bytes.toString('base64')}`;
  const size = `width="${width}" height="${height}"`;
  const resvg = new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${href}"/></svg>`);
  try {
    const image = resvg.render();
    try {
      return { width, height, data: Uint8Array.from(image.pixels) };
    } finally {
      image.free();
    }
  } finally {
    resvg.free();
  }
}

/** Returns the colors multiplied by alpha, as the other decoder does. */
function multiplied({ data, width, height }: StraightPixels): Pixels {
  const product = (value: number, index: number) => (value * (data[index | 3] ?? 0)) / 255;
  return {
    width,
    height,
    data: Uint8Array.from(data, (value, index) => (index % 4 === 3 ? value : product(value, index))),
  };
}

async function encode({ data, width, height }: Pixels): Promise<Buffer> {
  const { encodeWebp } = await (codecs ??= loadCodecs());
  const pixels = { data: Uint8ClampedArray.from(data), width, height };
  return Buffer.from(await encodeWebp(pixels, { quality: QUALITY }));
}
