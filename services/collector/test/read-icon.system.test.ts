import { ICON_BYTES_MAX, ICON_SIZE } from '@lobbystats/contracts';
import fc from 'fast-check';
import { readImageHeader } from '../src/sources/images/image-header.ts';
import { shrinkPixels } from '../src/sources/images/shrink-pixels.ts';
import { createPageParser } from '../src/sources/parsing/page-parser.node.ts';
import { silentTelemetry } from './silent-telemetry.ts';

/** 12 × 8 pixels, the left half red, the right half blue. */
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wCEAAMDAwMDAwQEBAQFBQUFBQcHBgYHBwsICQgJCAsRCwwLCwwLEQ8SDw4PEg8bFRMTFRsfGhkaHyYiIiYwLTA+PlQBAwMDAwMDBAQEBAUFBQUFBwcGBgcHCwgJCAkICxELDAsLDAsRDxIPDg8SDxsVExMVGx8aGRofJiIiJjAtMD4+VP/CABEIAAgADAMBEQACEQEDEQH/xAAoAAEBAAAAAAAAAAAAAAAAAAAHCAEBAQAAAAAAAAAAAAAAAAAACAX/2gAMAwEAAhADEAAAAJ4mJU7eAt//xAAaEAAABwAAAAAAAAAAAAAAAAABBAUQNYKy/9oACAEBAAE/AF2KMU0Df//EABoRAAAHAAAAAAAAAAAAAAAAAAMFBxA3hLT/2gAIAQIBAT8ARiSiS1nEb//EABoRAAAHAAAAAAAAAAAAAAAAAAIFBxA3hLP/2gAIAQMBAT8AVqPjituBv//Z',
  'base64',
);
const GIF = Buffer.from('R0lGODlhAQABAIAAAP8AAAAA/yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

const parser = createPageParser({ processes: 1, deadlineMs: 60_000, memoryMb: 256, telemetry: silentTelemetry });
afterAll(() => parser.close());

const read = async (bytes: Buffer) => Buffer.from((await parser.parse('icon', bytes)).image, 'base64');

describe('reading an icon', () => {
  it('makes WebP of JPEG, GIF and WebP images, which keep their size if they are small', async () => {
    const ofJpeg = await read(JPEG);
    expect(readImageHeader(ofJpeg)).toEqual({ type: 'webp', width: 12, height: 8 });
    expect(readImageHeader(await read(ofJpeg))).toEqual({ type: 'webp', width: 12, height: 8 });
    expect(readImageHeader(await read(GIF))).toEqual({ type: 'webp', width: 1, height: 1 });
  });

  it('passes on nothing that follows or describes the picture', async () => {
    const comment = Buffer.from('\xFF\xFE\x00\x10<script>secret', 'latin1');
    const withComment = Buffer.concat([JPEG.subarray(0, 2), comment, JPEG.subarray(2), Buffer.from('<!-- secret -->')]);
    const icon = await read(withComment);
    expect(icon.equals(await read(JPEG))).toBe(true);
    expect(icon.includes('secret')).toBe(false);
  });

  it('refuses an animated WebP image', async () => {
    const picture = (await read(JPEG)).subarray(12);
    const size = Buffer.from([0x02, 0, 0, 0, 11, 0, 0, 7, 0, 0]);
    const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 11, 0, 0, 7, 0, 0, 100, 0, 0, 0]), picture]);
    const chunks = [riff('VP8X', size), riff('ANIM', Buffer.alloc(6)), riff('ANMF', frame), riff('ANMF', frame)];
    const animated = riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
    expect(readImageHeader(animated)).toEqual({ type: 'webp', width: 12, height: 8 });
    await expect(read(animated)).rejects.toMatchObject({ kind: 'unparseable' });
  });

  it('refuses damaged images or makes a small one of them, and goes on', async () => {
    const webp = await read(JPEG);
    const damaged = fc.tuple(
      fc.constantFrom(JPEG, GIF, webp),
      fc.array(fc.tuple(fc.nat(371), fc.nat(255)), { maxLength: 8 }),
      fc.oneof(fc.constant(Infinity), fc.nat(372)),
    );
    const outcomeOf = async (bytes: Buffer) => {
      const icon = await read(bytes).catch((error: unknown) => error);
      if (!(icon instanceof Buffer)) return (icon as { kind?: string }).kind;
      const { type, width = Infinity, height = Infinity } = readImageHeader(icon) ?? {};
      return icon.length <= ICON_BYTES_MAX && Math.max(width, height) <= ICON_SIZE ? type : 'too large';
    };
    await fc.assert(
      fc.asyncProperty(damaged, async ([image, changes, length]) => {
        const bytes = Buffer.from(image.subarray(0, length));
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        expect(['webp', 'unparseable']).toContain(await outcomeOf(bytes));
      }),
    );
    for (const image of [JPEG, GIF, webp]) expect(await outcomeOf(image)).toBe('webp');
  });
});

function riff(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type), length, data, Buffer.alloc(data.length % 2)]);
}

describe('readImageHeader', () => {
  it('never fails, and never reads beyond the bytes', () => {
    const starts = [Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('RIFF0000WEBPVP8X'), JPEG.subarray(0, 200)];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 400 }), (start, rest) => {
        const header = readImageHeader(Buffer.concat([start, rest]));
        expect(header === undefined || (header.width >= 0 && header.height >= 0)).toBe(true);
      }),
    );
  });
});

describe('shrinkPixels', () => {
  const image = fc
    .record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }) })
    .chain(({ width, height }) =>
      fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }).map((pixel) => ({ width, height, pixel })),
    );

  it('keeps the proportions and a single color at any size', () => {
    fc.assert(
      fc.property(image, fc.integer({ min: 1, max: 20 }), ({ width, height, pixel }, sizeMax) => {
        const [red = 0, green = 0, blue = 0] = pixel;
        const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => [red, green, blue, 255][at % 4] ?? 0);
        const small = shrinkPixels({ data, width, height }, sizeMax);
        expect(Math.max(small.width, small.height)).toBe(Math.min(sizeMax, Math.max(width, height)));
        const even = Array.from({ length: small.width * small.height }, () => [red, green, blue, 255]).flat();
        expect([...small.data]).toEqual(even);
      }),
    );
  });

  it('mixes colors by their opacity', () => {
    const data = Uint8Array.from([255, 0, 0, 255, 0, 0, 0, 0]);
    expect([...shrinkPixels({ data, width: 2, height: 1 }, 1).data]).toEqual([255, 0, 0, 128]);
  });
});
