import { cleanUp, isPageFault } from '@lobbystats/test-kit';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page in its own browser context, with its console errors, warnings and CSP violations. */
export interface OpenedPage {
  readonly page: Page;
  readonly faults: string[];
  /** Visible text of an element. */
  readonly text: (selector: string) => Promise<string>;
  /** Texts of the visible elements. */
  readonly texts: (selector: string) => Promise<string[]>;
  /** Value of a JavaScript expression. */
  readonly evaluate: <Value>(expression: string) => Promise<Value>;
  /** Presses Tab until an element has the focus. */
  readonly tabTo: (selector: string) => Promise<void>;
}

/** Opens a page of a reader with a clock of 24 hours, and waits until the `ready` selector is attached. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  ready = 'html[data-script="ready"]',
): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, locale: 'en-GB', ...options });
  cleanUp(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (isPageFault(message)) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.error('policy breached', effectiveDirective, blockedURI))`);
  await page.goto(url);
  if (options.javaScriptEnabled !== false) await page.locator(ready).waitFor({ state: 'attached' });
  return {
    page,
    faults,
    text: async (selector) => page.locator(selector).innerText(),
    texts: async (selector) => {
      const visibleElements = page.locator(selector).filter({ visible: true });
      return visibleElements.allInnerTexts();
    },
    evaluate: (expression) => page.evaluate(expression),
    tabTo: async (selector) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
      }
      throw new Error(`Tab never focuses ${selector}`);
    },
  };
}
