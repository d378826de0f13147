import { URL_LENGTH_MAX, UrlIndex } from '../src/cache/serve-from-cache.routes.ts';

const urlOf = (length: number) => '/x?days=1'.replace('=', `=${'0'.repeat(length - 9)}`);

describe('URL index', () => {
  it('returns the stored value of a URL', () => {
    const index = new UrlIndex<string>(10);
    index.prepareSet('/x', 'learned')();
    expect([index.get('/x'), index.get('/y')]).toEqual(['learned', undefined]);
  });

  it('stores nothing when names changed before the response arrived', () => {
    const index = new UrlIndex<string>(10);
    const remember = index.prepareSet('/x', 'learned');
    index.clear();
    remember();
    expect(index.get('/x')).toBeUndefined();
  });

  it('stores URLs of up to 512 characters, and no longer ones', () => {
    const index = new UrlIndex<string>(10);
    for (const length of [URL_LENGTH_MAX, URL_LENGTH_MAX + 1, 8000]) index.prepareSet(urlOf(length), 'learned')();
    expect([512, 513, 8000].map((length) => index.get(urlOf(length)))).toEqual(['learned', undefined, undefined]);
  });

  it('never evicts short URLs for long ones', () => {
    const index = new UrlIndex<string>(10);
    index.prepareSet('/x', 'learned')();
    for (let length = 600; length < 700; length += 1) index.prepareSet(urlOf(length), 'long')();
    expect(index.get('/x')).toBe('learned');
  });
});
