import fc from 'fast-check';
import { contentCodings, preferredEncoding } from '../src/operations/send-response.routes.ts';

describe('preferred content coding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP , deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.001', 'gzip'],
    ['identity', 'identity'],
    ['identity, gzip;q=0.9', 'identity'],
    ['identity;q=0.5, gzip;q=0.9', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['gzip;q=2', 'gzip'],
    ['gzip;q=-1', 'identity'],
    ['gzip;q=x', 'identity'],
    ['gzip; Q = 1', 'gzip'],
    ['deflate', 'identity'],
    [`${'a,'.repeat(1000)}gzip`, 'identity'],
  ])('of %j is %s', (accepted, encoding) => {
    expect(preferredEncoding(accepted)).toBe(encoding);
  });

  it('is a supported coding for any Accept-Encoding', () => {
    fc.assert(
      fc.property(fc.string(), (accepted) => {
        expect(contentCodings).toContain(preferredEncoding(accepted));
      }),
    );
  });
});
