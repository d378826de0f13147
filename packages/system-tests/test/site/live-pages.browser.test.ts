import { pages } from '@lobbystats/site';
import { cleanUp, launchChromium } from '@lobbystats/test-kit';
import type { Browser, Page } from 'playwright-core';
import type { RunningSystem } from '../standalone/run-system.ts';
import { CHANGED_PAGES } from './changed-pages.ts';
import { crawl } from './crawl.ts';
import { runPopulatedSystem } from './populated-system.ts';

const HTML = { Accept: 'text/html' };

let browser: Browser;
let system: RunningSystem;
/** Paths of live pages by the paths of their definitions: together they have every kind of list. */
let live: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  [browser, system] = await Promise.all([launchChromium(), runPopulatedSystem('file')]);
  cleanUp(() => browser.close(), 'file');
  const crawled = await crawl(system.url, 1);
  const paths = crawled.filter(({ mediaType }) => mediaType === 'text/html').map(({ path }) => path);
  live = new Map(
    await Promise.all(
      pages.map(async ({ path }) => {
        const found = path.includes(':')
          ? paths.filter((one) => matches(one, path))
          : [path, ...paths.filter((one) => matches(one, path))];
        if (found.length === 0) throw new Error(`no page of the system is ${path}`);
        return [path, await withAllLists(found)] as const;
      }),
    ),
  );
});

function matches(path: string, definition: string): boolean {
  const pattern = definition.replace(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path.split('?', 1)[0] ?? '');
}

/** Live pages with a kind of list that those before them do not have. */
async function withAllLists(paths: readonly string[]): Promise<string[]> {
  const seen = new Set<string>();
  const chosen: string[] = [];
  for (const path of paths) {
    const text = await read(path);
    if (!/<main[^>]* data-stream="[^"]/.test(text)) continue;
    const lists = new Set(Array.from(text.matchAll(/<(?:tr|li) id="([a-z-]+?)-[^"]*"/g), ([, list = '']) => list));
    if (chosen.length === 0 || lists.difference(seen).size > 0) chosen.push(path);
    for (const list of lists) seen.add(list);
  }
  return chosen;
}

async function read(path: string): Promise<string> {
  return (await fetch(system.url + path, { headers: HTML })).text();
}

/** Serves other markup to the updates of a page. */
async function serveUpdates(page: Page) {
  let sent = '';
  await page.route(
    (url) => url.origin === system.url && !url.pathname.startsWith('/api') && !url.pathname.startsWith('/assets'),
    (route) =>
      route.request().resourceType() === 'fetch'
        ? route.fulfill({ body: sent, contentType: 'text/html; charset=utf-8' })
        : route.continue(),
  );
  let revision = 0;
  return async (markup: string) => {
    revision += 1;
    sent = markup.replace(/<main\s/, `<main data-revision="${revision}" `);
    await page.evaluate(`document.querySelector('main').dispatchEvent(new Event('outdated'))`);
    await page.locator(`main[data-revision="${revision}"]`).waitFor();
  };
}

it.each(pages.map(({ path }) => path))(
  'an update of %s leaves text, links, focus and selection with their records',
  async (definition) => {
    const faulty: Record<string, readonly string[]> = {};
    for (const path of live.get(definition) ?? []) {
      const context = await browser.newContext({ timezoneId: 'Asia/Tokyo' });
      const page = await context.newPage();
      await page.addInitScript(CHANGED_PAGES);
      await page.goto(system.url + path);
      await page.locator('html[data-script="ready"]').waitFor({ state: 'attached' });
      // The first key draws the plots that are not in view.
      await page.keyboard.press('Shift');
      await page.locator('figure[data-plot]:not(:has(.u-over))').first().waitFor({ state: 'detached' });
      const update = await serveUpdates(page);
      const asSent = await read(path);
      const changed = await page.evaluate<string>(`changedPages.change(${JSON.stringify(asSent)})`);
      const kinds = await page.evaluate<number>('changedPages.kindsOfLinks()');
      for (let kind = 0; kind < kinds; kind += 1) {
        const markup = kind % 2 === 0 ? changed : asSent;
        await page.evaluate(`changedPages.use(${kind})`);
        await update(markup);
        const faults = await page.evaluate<string[]>(`changedPages.faults(${JSON.stringify(markup)})`);
        if (faults.length > 0) faulty[`${path}, link ${kind}`] = faults;
      }
      await context.close();
    }
    expect(faulty).toEqual({});
  },
);

it('most pages are live', () => {
  expect([...live.values()].filter((paths) => paths.length > 0).length).toBeGreaterThan(pages.length / 2);
});
