import { operations, type OperationResponse } from '@lobbystats/contracts';
import { cleanUp, getJson, isPageFault, launchChromium, LAYOUT_FAULTS } from '@lobbystats/test-kit';
import { accessibilityFaults } from '@lobbystats/test-kit/accessibility';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { RunningSystem } from '../standalone/run-system.ts';
import { crawl } from './crawl.ts';
import { runPopulatedSystem } from './populated-system.ts';

const WIDTHS = [320, 768, 1920];
/** Widths at which all texts are whole. */
const LAYOUT_WIDTHS = [1440, 1280, 1024, 768, 660, 390];
/** Maximum of a first view without a browser cache: compressed, with all that the page loads but icons of games. */
const FIRST_VIEW_BYTES = 60_000;
const FIRST_VIEW_WITH_ICONS_BYTES = 150_000;
/** The scripts among them may have this size, for a reader without a session. */
const SCRIPT_BYTES = 45_000;
/** https://web.dev/articles/cls */
const LAYOUT_SHIFT_MAX = 0.02;

let browser: Browser;
let system: RunningSystem;
/** One page of each kind. */
let pages: readonly string[];
/** Pages that links lead to, with one of each set of parameters. */
let variants: readonly string[];

beforeAll(async () => {
  [browser, system] = await Promise.all([launchChromium(), runPopulatedSystem('file')]);
  cleanUp(() => browser.close(), 'file');
  const crawled = await crawl(system.url, 1);
  variants = crawled.filter(({ mediaType }) => mediaType === 'text/html').map(({ path }) => path);
  // Variants of a page by its query have the same parts.
  pages = variants.filter((path) => !path.includes('?'));
});

/** Opens every kind of page in one tab, which starts fewer processes than a tab each, and returns what `inspect` finds wrong, by path. */
async function faultsOf(
  options: BrowserContextOptions,
  inspect: (page: Page, path: string) => Promise<readonly string[]>,
  paths = pages,
): Promise<Record<string, readonly string[]>> {
  const faulty: Record<string, readonly string[]> = {};
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    for (const path of paths) {
      const faults = await inspect(page, path).catch((cause: unknown) => {
        throw new Error(`can't inspect ${path}`, { cause });
      });
      if (faults.length > 0) faulty[path] = faults;
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

it('no page has a console error, a breach of the policy, a request to another host, a large first view, or a shift', async () => {
  const inspect = async (page: Page, path: string) => {
    const found: string[] = [];
    const bytes = { icons: 0, others: 0, scripts: 0 };
    page.on('console', (message) => {
      if (isPageFault(message)) found.push(message.text());
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
          const kind = new URL(request.url()).pathname.startsWith('/icon/') ? 'icons' : 'others';
          bytes[kind] += responseBodySize + responseHeadersSize;
          if (request.resourceType() === 'script') bytes.scripts += responseBodySize;
        }),
      );
    });
    await page.addInitScript(`addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      console.error('policy breached', effectiveDirective, blockedURI));
      globalThis.layoutShift = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) globalThis.layoutShift += value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    await open(page, path);
    await Promise.all(sizes);
    const { icons, others, scripts } = bytes;
    if (scripts > SCRIPT_BYTES) found.push(`loads ${scripts} bytes of scripts`);
    if (others > FIRST_VIEW_BYTES || icons + others > FIRST_VIEW_WITH_ICONS_BYTES) {
      found.push(`transfers ${others} bytes, and ${icons} of icons`);
    }
    const shift = await page.evaluate<number>('globalThis.layoutShift');
    // Swagger UI is another project's.
    if (shift > LAYOUT_SHIFT_MAX && path !== '/docs') found.push(`shifts by ${shift}`);
    return found;
  };
  const faults: Record<string, readonly string[]> = {};
  // Each in a browser that has loaded nothing yet.
  for (const path of pages) Object.assign(faults, await faultsOf({}, inspect, [path]));
  expect(faults).toEqual({});
});

it.each(WIDTHS)('no page needs horizontal scrolling at %i px', async (width) => {
  const faults = await faultsOf({ viewport: { width, height: 740 } }, async (page, path) => {
    await open(page, path);
    const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
    return needed > width ? [`needs ${needed} px`] : [];
  });
  expect(faults).toEqual({});
});

it('no page cuts a text or table off, lets it scroll sideways, or breaks a short word', async () => {
  const faults = await faultsOf(
    {},
    async (page, path) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await open(page, path);
      const found: string[] = [];
      for (const width of LAYOUT_WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const wrong = await page.evaluate<string[]>(LAYOUT_FAULTS);
        found.push(...wrong.map((fault) => `at ${width} px ${fault}`));
      }
      return found;
    },
    [...variants.filter((path) => new URLSearchParams(path.split('?')[1]).size < 2), ...(await resultPages())],
  );
  expect(faults).toEqual({});
});

/** Pages that forms lead to. */
async function resultPages(): Promise<string[]> {
  const { body } = await getJson<OperationResponse<typeof operations.listChanges>>(
    system.url + operations.listChanges.path,
  );
  const [a, b] = [...new Set(body.changes.map(({ playerName }) => playerName))].map(encodeURIComponent);
  return [
    '/search?q=best',
    '/search?by=time&time=1:20.500&tolerance=600000',
    `/search?by=players&names=${a},${b}`,
    `/search?by=ranks&ranks=1%20${a}`,
    `/compare?players=${a},${b}`,
    '/game/no-such-game',
  ];
}

it.each(['light', 'dark'] as const)('axe finds no fault in any page, in %s colors', async (colorScheme) => {
  const faults = await faultsOf({ colorScheme }, async (page, path) => {
    await open(page, path);
    // Swagger UI is another project's: its faults are not ours to fix.
    return accessibilityFaults(page, '.swagger-ui');
  });
  expect(faults).toEqual({});
});

it('every page is complete without JavaScript', async () => {
  const faults = await faultsOf({ javaScriptEnabled: false }, async (page, path) => {
    await page.goto(system.url + path);
    const headings = await page.locator('h1').allInnerTexts();
    const hasContent = (await page.locator('main').innerText()).length > 50;
    return headings.length === 1 && hasContent ? [] : [`has the headings ${JSON.stringify(headings)}`];
  });
  expect(faults).toEqual({});
});
