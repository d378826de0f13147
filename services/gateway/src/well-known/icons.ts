const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;
const ICON_TYPE = 1;

/** An ICO file of PNG images. https://en.wikipedia.org/wiki/ICO_(file_format) @param images by width, less than 256 */
export function icoFile(images: ReadonlyMap<number, Buffer>): Buffer {
  const head = Buffer.alloc(HEADER_BYTES + images.size * ENTRY_BYTES);
  head.writeUInt16LE(ICON_TYPE, 2);
  head.writeUInt16LE(images.size, 4);
  let offset = head.length;
  Array.from(images).forEach(([size, png], index) => {
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    head.writeUInt8(size, entry);
    head.writeUInt8(size, entry + 1);
    // One colour plane, 32 bits for a pixel.
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  });
  return Buffer.concat([head, ...images.values()]);
}
