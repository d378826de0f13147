export interface ImageHeader {
  readonly type: 'png' | 'jpeg' | 'gif' | 'webp';
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Reads type and size from the first bytes of an image, whatever it is called. Undefined for anything else. */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  if (bytes.subarray(0, 8).equals(PNG)) {
    return { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  const start = bytes.toString('latin1', 0, 16);
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) {
    return { type: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return webpHeader(bytes, start.slice(12));
  return start.startsWith('\xFF\xD8\xFF') ? jpegHeader(bytes) : undefined;
}

/** A shorter file has no picture in any of these formats. */
const HEADER_BYTES = 30;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** https://developers.google.com/speed/webp/docs/riff_container */
function webpHeader(bytes: Buffer, chunk: string): ImageHeader | undefined {
  if (chunk === 'VP8 ') {
    return { type: 'webp', width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  if (chunk === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return { type: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (chunk !== 'VP8X') return undefined;
  return { type: 'webp', width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}

/** The size stands in the first start-of-frame segment: ITU T.81, B.2.2. */
function jpegHeader(bytes: Buffer): ImageHeader | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
    } else if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.has(marker)) {
      return { type: 'jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    } else {
      at += 2 + bytes.readUInt16BE(at + 2);
    }
  }
  return undefined;
}

/** Huffman tables, extensions and arithmetic conditioning lie among the markers of frames. */
const NO_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);
