import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip, type BrotliOptions } from 'node:zlib';
import type { Pack } from '../domain/cache/encoded-bodies.ts';
import type { Encoding } from '../domain/cache/encoding.ts';

const gzipped = promisify(gzip);
const brotli = promisify(brotliCompress);

/** Packs more than gzip does, in the same time; each level above costs twice as much for a few bytes. */
const BROTLI_QUALITY = 5;

/** Packs bytes outside of the event loop. */
export const pack: Pack = async (packing, bytes) =>
  alone(packing === 'gzip' ? await gzipped(bytes) : await brotli(bytes, brotliOptions(bytes.length)));

/** Packs what comes in bit by bit; none where nothing is to be packed. */
export function packer(encoding: Encoding): Transform[] {
  if (encoding === 'identity') return [];
  return [encoding === 'gzip' ? createGzip() : createBrotliCompress(brotliOptions(0))];
}

/** Bytes in memory of their own: a few that lie in a larger block would keep all of it. */
export function alone(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** @param sizeHint in bytes; 0: unknown */
function brotliOptions(sizeHint: number): BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return { params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: sizeHint } };
}
