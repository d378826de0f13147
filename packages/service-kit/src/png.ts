import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Returns a PNG image of 8 bits a channel (https://www.w3.org/TR/png-3/).
 *
 * @param rows for each row a 0 and then red, green, blue and alpha of its pixels. They are not compared with the size.
 */
export function encodePng(width: number, height: number, rows: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
}

function chunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  bytes.set(body, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
