import fc from 'fast-check';
import { parseRobots } from '../src/sources/client/robots.ts';

const allows = (lines: string, path: string) => parseRobots(lines, 'Lobbystats').allows(path);

describe('parseRobots', () => {
  it.each([
    ['', '/games/1', true],
    ['User-agent: *\nDisallow: /', '/', false],
    ['User-agent: *\nDisallow:', '/', true],
    ['User-agent: *\nDisallow: /games/', '/games/4d530064', false],
    ['User-agent: *\nDisallow: /games/', '/', true],
    ['user-AGENT : *\ndisALLOW : /games/ # not these', '/games/4d530064', false],
    ['User-agent: *\r\nDisallow: /a\r\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nAllow: /a\nDisallow: /a', '/a', true],
    ['User-agent: *\nDisallow: /*?page=', '/games/1/leaderboards/2?page=1', false],
    ['User-agent: *\nDisallow: /*.json$', '/feeds/events.json', false],
    ['User-agent: *\nDisallow: /*.json$', '/feeds/events.json?since=1', true],
    ['User-agent: *\nDisallow: /$', '/', false],
    ['User-agent: *\nDisallow: /$', '/games', true],
    ['User-agent: *\nDisallow: /%66eeds', '/feeds/events.json', false],
    ['User-agent: other\nDisallow: /', '/', true],
    ['User-agent: other\nUser-agent: lobbystats\nDisallow: /', '/', false],
    ['User-agent: Lobbystats/1.0\nDisallow: /x\n\nUser-agent: *\nDisallow: /', '/', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: lobbystats\nDisallow: /feeds', '/games', true],
    ['User-agent: lobbystats\nDisallow: /a\nUser-agent: lobbystats\nDisallow: /b', '/b', false],
    ['Disallow: /\nUser-agent: *\nSitemap: /x', '/', true],
    ['<html><body>Not found</body></html>', '/', true],
    ['User-agent: *\nDisallow: /', '/robots.txt', true],
  ])('%j on %s: %s', (lines, path, isAllowed) => {
    expect(allows(lines, path)).toBe(isAllowed);
  });

  it.each([
    ['User-agent: *\nCrawl-delay: 10', 10_000],
    ['User-agent: *\nCrawl-delay: 0.5', 500],
    ['User-agent: *\nDisallow: /x\ncrawl-delay:2\n', 2000],
    ['User-agent: other\nCrawl-delay: 10', 0],
    ['User-agent: *\nCrawl-delay: 10\nUser-agent: lobbystats\nCrawl-delay: 1', 1000],
    ['User-agent: *\nCrawl-delay: soon', 0],
    ['User-agent: *\nCrawl-delay: -1', 0],
  ])('the delay of %j is %d ms', (lines, delayMs) => {
    expect(parseRobots(lines, 'Lobbystats').delayMs).toBe(delayMs);
  });

  it('matches wildcards as a regular expression does, and takes any text', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 8 });
    const path = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, path, fc.boolean(), (rule, text, isAnchored) => {
        const expected = new RegExp(`^/${rule.replaceAll('*', '.*')}${isAnchored ? '$' : ''}`);
        const lines = `User-agent: *\nDisallow: /${rule}${isAnchored ? '$' : ''}`;
        expect(allows(lines, `/${text}`)).toBe(!expected.test(`/${text}`));
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => typeof allows(text, '/') === 'boolean'));
  });
});
