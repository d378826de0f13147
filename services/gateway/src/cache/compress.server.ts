import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip, type BrotliOptions } from 'node:zlib';
import type { Compress } from './encoded-bodies.ts';
import type { ContentCoding } from './content-coding.ts';

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Smaller than gzip in the same time; each higher level doubles the time for a few bytes. */
const BROTLI_QUALITY = 5;

export const compress: Compress = async (packing, bytes) =>
  detachFromPool(packing === 'gzip' ? await gzipAsync(bytes) : await brotliAsync(bytes, brotliOptions(bytes.length)));

/** Transforms for a streaming body; none for `identity`. */
export function compressionStreams(encoding: ContentCoding): Transform[] {
  if (encoding === 'identity') return [];
  return [encoding === 'gzip' ? createGzip() : createBrotliCompress(brotliOptions(0))];
}

export function detachFromPool(bytes: Buffer): Buffer {
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
