import { crawl } from './crawl.ts';
import { runPopulatedSystem } from './populated-system.ts';

/** Every kind of page of the site. */
const KINDS = [
  '/',
  '/live',
  '/games',
  '/game/:',
  '/game/:/leaderboard/:',
  '/u/:',
  '/achievements',
  '/events',
  '/event/:',
  '/changes',
  '/network',
  '/search',
  '/compare',
  '/login',
  '/docs',
  '/docs/guide',
];

it('links from the first page reach every kind of page, and none is dead', async () => {
  const { url } = await runPopulatedSystem('test');
  const pages = await crawl(url, 4);
  expect(pages.filter(({ status }) => status !== 200)).toEqual([]);
  const kinds = new Set(pages.filter(({ mediaType }) => mediaType === 'text/html').map(({ kind }) => kind));
  expect(KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
}, 240_000);
