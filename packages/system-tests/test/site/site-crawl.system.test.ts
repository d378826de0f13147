import { pages } from '@lobbystats/site';
import { links } from '@lobbystats/site/links';
import { crawl } from './crawl.ts';
import { runPopulatedSystem } from './populated-system.ts';

/** Shown by the service worker alone. */
const pageWithoutNetwork = '/offline';
const KINDS = [...pages.map(({ path }) => path), links.login, links.docs, links.guide];

it('links from the first page reach every kind of page, and none is dead', async () => {
  const { url } = await runPopulatedSystem('test');
  const crawled = await crawl(url, 4);
  expect(crawled.filter(({ status }) => status !== 200)).toEqual([]);
  const kinds = new Set(crawled.filter(({ mediaType }) => mediaType === 'text/html').map(({ kind }) => kind));
  expect(KINDS.filter((kind) => !kinds.has(kind))).toEqual([pageWithoutNetwork]);
});
