import { URL_LENGTH_MAX, UrlIndex } from '../src/operations/serve-from-cache.routes.ts';

const urlOf = (length: number) => '/x?days=1'.replace('=', `=${'0'.repeat(length - 9)}`);

describe('URL index', () => {
  it('stores nothing when names changed before the response arrived', () => {
    const index = new UrlIndex<string>(10);
    const { generation } = index;
    index.clear();
    index.set('/x', 'learned', generation);
    expect(index.get('/x')).toBeUndefined();
  });

  it('stores URLs of up to 512 characters, and no longer ones', () => {
    const index = new UrlIndex<string>(10);
    for (const length of [URL_LENGTH_MAX, URL_LENGTH_MAX + 1, 8000])
      index.set(urlOf(length), 'learned', index.generation);
    expect([512, 513, 8000].map((length) => index.get(urlOf(length)))).toEqual(['learned', undefined, undefined]);
  });

  it('never evicts short URLs for long ones', () => {
    const index = new UrlIndex<string>(10);
    index.set('/x', 'learned', index.generation);
    for (let length = 600; length < 700; length += 1) index.set(urlOf(length), 'long', index.generation);
    expect(index.get('/x')).toBe('learned');
  });
});
