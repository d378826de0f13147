import { REMEMBERED_URL_MAX, UrlIndex } from '../src/domain/cache/url-index.ts';

const urlOf = (length: number) => '/x?days=1'.replace('=', `=${'0'.repeat(length - 9)}`);

describe('an index of URLs', () => {
  it('gives back what was learned of a URL', () => {
    const index = new UrlIndex<string>(10);
    index.learn('/x', 'learned')();
    expect([index.get('/x'), index.get('/y')]).toEqual(['learned', undefined]);
  });

  it('remembers nothing when names have changed before the answer was there', () => {
    const index = new UrlIndex<string>(10);
    const remember = index.learn('/x', 'learned');
    index.clear();
    remember();
    expect(index.get('/x')).toBeUndefined();
  });

  it('remembers URLs of up to 512 characters and none that is longer', () => {
    const index = new UrlIndex<string>(10);
    for (const length of [REMEMBERED_URL_MAX, REMEMBERED_URL_MAX + 1, 8000]) index.learn(urlOf(length), 'learned')();
    expect([512, 513, 8000].map((length) => index.get(urlOf(length)))).toEqual(['learned', undefined, undefined]);
  });

  it('loses no short URL to any number of long ones', () => {
    const index = new UrlIndex<string>(10);
    index.learn('/x', 'learned')();
    for (let length = 600; length < 700; length += 1) index.learn(urlOf(length), 'long')();
    expect(index.get('/x')).toBe('learned');
  });
});
