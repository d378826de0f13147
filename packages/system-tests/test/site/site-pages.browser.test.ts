import { cleanUp, launchChromium } from '@lobbystats/test-kit';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { AxeBuilder } from '@axe-core/playwright';
import type { RunningSystem } from '../standalone/run-system.ts';
import { crawl, type CrawledPage } from './crawl.ts';
import { runPopulatedSystem } from './populated-system.ts';

const WIDTHS = [320, 768, 1920];
/** Maximum of a first view without a browser cache: compressed, with all that the page loads. */
const FIRST_VIEW_BYTES = 60 * 1024;

let browser: Browser;
let system: RunningSystem;
/** One page of each kind. */
let pages: CrawledPage[];

beforeAll(async () => {
  [browser, system] = await Promise.all([launchChromium(), runPopulatedSystem('file')]);
  cleanUp(() => browser.close(), 'file');
  const crawled = await crawl(system.url, 1);
  // Variants of a page by its query have the same parts.
  pages = crawled.filter(({ mediaType, path }) => mediaType === 'text/html' && !path.includes('?'));
}, 240_000);

/** Opens every kind of page, and returns what `inspect` finds wrong, by path. */
async function faultsOf(
  options: BrowserContextOptions,
  inspect: (page: Page, path: string) => Promise<readonly string[]>,
): Promise<Record<string, readonly string[]>> {
  const faulty: Record<string, readonly string[]> = {};
  const context = await browser.newContext(options);
  try {
    for (const { path } of pages) {
      const page = await context.newPage();
      const faults = await inspect(page, path);
      if (faults.length > 0) faulty[path] = faults;
      await page.close();
    }
  } finally {
    await context.close();
  }
  return faulty;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(system.url + path);
  await page.locator('html[data-script="ready"]').waitFor({ state: 'attached' });
}

it('no page has a console error, a breach of the policy, a request to another host, or a large first view', async () => {
  const faults = await faultsOf({ serviceWorkers: 'block' }, async (page, path) => {
    const found: string[] = [];
    let bytes = 0;
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) found.push(message.text());
    });
    page.on('pageerror', (error) => found.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(system.url)) found.push(`asks ${request.url()}`);
    });
    const sizes: Promise<void>[] = [];
    page.on('requestfinished', (request) => {
      if (request.url().includes('/api/stream')) return;
      sizes.push(
        request.sizes().then(({ responseBodySize, responseHeadersSize }) => {
          bytes += responseBodySize + responseHeadersSize;
        }),
      );
    });
    await page.addInitScript(`addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      console.error('policy breached', effectiveDirective, blockedURI))`);
    await open(page, path);
    await Promise.all(sizes);
    if (bytes > FIRST_VIEW_BYTES) found.push(`transfers ${bytes} bytes`);
    return found;
  });
  expect(faults).toEqual({});
}, 240_000);

it.each(WIDTHS)(
  'no page needs horizontal scrolling at %i px',
  async (width) => {
    const faults = await faultsOf({ viewport: { width, height: 740 } }, async (page, path) => {
      await open(page, path);
      const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
      return needed > width ? [`needs ${needed} px`] : [];
    });
    expect(faults).toEqual({});
  },
  240_000,
);

it.each(['light', 'dark'] as const)(
  'axe finds no fault in any page, in %s colors',
  async (colorScheme) => {
    const faults = await faultsOf({ colorScheme }, async (page, path) => {
      await open(page, path);
      // Swagger UI is another project's: its faults are not ours to fix.
      const { violations } = await new AxeBuilder({ page }).exclude('.swagger-ui').analyze();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    });
    expect(faults).toEqual({});
  },
  400_000,
);

it('every page is complete without JavaScript', async () => {
  const faults = await faultsOf({ javaScriptEnabled: false }, async (page, path) => {
    await page.goto(system.url + path);
    const headings = await page.locator('h1').allInnerTexts();
    const hasContent = (await page.locator('main').innerText()).length > 50;
    return headings.length === 1 && hasContent ? [] : [`has the headings ${JSON.stringify(headings)}`];
  });
  expect(faults).toEqual({});
}, 120_000);
