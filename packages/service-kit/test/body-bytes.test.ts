import { BodyBytes } from '@lobbystats/service-kit';
import fc from 'fast-check';

describe('BodyBytes', () => {
  it('joins any chunks up to its limit, and drops those beyond it', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.integer({ min: -1, max: 200 }), (chunks, maxBytes) => {
        const bytes = new BodyBytes(maxBytes);
        const joined: number[] = [];
        for (const chunk of chunks) {
          const fits = maxBytes < 0 || joined.length + chunk.length <= maxBytes;
          expect(bytes.append(chunk)).toBe(fits);
          if (fits) joined.push(...chunk);
        }
        expect([...bytes.copy()]).toEqual(joined);
      }),
    );
  });

  it.each([
    ['a thousand tiny chunks', 1000, 1, false],
    ['thousands of tiny chunks', 2000, 1, true],
    ['thousands of small chunks', 2000, 8, false],
  ])('tells whether %s are too many, dropped ones included', (_what, count, size, expected) => {
    for (const maxBytes of [-1, 100]) {
      const bytes = new BodyBytes(maxBytes);
      for (let i = 0; i < count; i += 1) bytes.append(Buffer.alloc(size));
      expect(bytes.isScattered).toBe(expected);
    }
  });

  it('keeps no chunk after the next one, nor the first one after the copy', () => {
    const bytes = new BodyBytes(-1);
    const [first, second] = [Buffer.from('a'), Buffer.from('b')];
    bytes.append(first);
    bytes.append(second);
    first.fill('x');
    second.fill('x');
    expect(bytes.copy().toString()).toBe('ab');
    const single = new BodyBytes(-1);
    const only = Buffer.from('c');
    single.append(only);
    const copy = single.copy();
    only.fill('x');
    expect(copy.toString()).toBe('c');
  });
});
