import { cleanUp, eventually, launchChromium, LAYOUT_FAULTS } from '@lobbystats/test-kit';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { accessibilityFaults } from '@lobbystats/test-kit/accessibility';
import { today } from './day.ts';
import { openPage } from './opened-page.ts';
import { runGateway } from './running-gateway.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe('navigation on a phone', () => {
  it.each([true, false])(
    'leads to every page, the current one always in sight, with scripts: %s',
    async (javaScriptEnabled) => {
      const { url } = await runGateway({ network: today() });
      const { page } = await openPage(browser, `${url}/games`, { ...PHONE, javaScriptEnabled });
      const current = page.locator('.bar > ul > li > [aria-current]');
      expect(await current.innerText()).toBe('Games');
      for (const name of ['Network', 'Achievements']) {
        await page.locator('.bar button').tap();
        await page.locator('#more a', { hasText: name }).tap();
        await page.waitForURL(`${url}/${name.toLowerCase()}`);
        expect(await current.innerText()).toBe(name);
      }
      await page.locator('.bar a', { hasText: 'Live' }).tap();
      await page.waitForURL(`${url}/live`);
      expect(await current.innerText()).toBe('Live');
      expect(await page.locator('.bar').boundingBox()).toMatchObject({ x: 0, width: 390 });
    },
  );

  it('has one row at the top', async () => {
    const { url } = await runGateway({ network: today() });
    const { page, evaluate, faults } = await openPage(browser, `${url}/live`, PHONE);
    expect((await page.locator('header.site').boundingBox())?.height).toBeLessThanOrEqual(64);
    expect(await evaluate(LAYOUT_FAULTS)).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('has a button that opens the search field over it', async () => {
    const { url } = await runGateway({ network: today() });
    const { page, evaluate } = await openPage(browser, url, PHONE);
    const opacity = `getComputedStyle(document.querySelector('.site .find .field')).opacity`;
    expect(await evaluate(opacity)).toBe('0');
    await page.locator('.site .find button').tap();
    expect(await evaluate(`document.activeElement.type`)).toBe('search');
    expect(await evaluate(opacity)).toBe('1');
    await page.keyboard.type('harbor');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/(search\?q=harbor|game\/)/);
  });

  it('leads to the search page without JavaScript', async () => {
    const { url } = await runGateway({ network: today() });
    const { page } = await openPage(browser, url, { ...PHONE, javaScriptEnabled: false });
    await page.locator('.site .find button').tap();
    await page.waitForURL(`${url}/search?q=`);
    expect(await page.locator('main [type=search]').count()).toBe(1);
  });

  it.each([
    'button:not(.site button, .bar button)',
    '.choices a',
    '.bar > ul > li > a',
    '.bar button',
    '.site .find button',
  ])('and %s are large enough for a finger', async (selector) => {
    const { url } = await runGateway({ network: today() });
    const { evaluate } = await openPage(browser, `${url}/live`, PHONE);
    const heights = await evaluate<number[]>(
      `Array.from(document.querySelectorAll('${selector}'), (target) => target.getBoundingClientRect().height)`,
    );
    expect(heights.length).toBeGreaterThan(0);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  });
});

describe('page while the site can not be reached', () => {
  it('is the offline page with its styles, at the same address', async () => {
    const gateway = await runGateway({ network: today() });
    const { page, text, evaluate } = await openPage(browser, gateway.url, { ...PHONE, serviceWorkers: 'allow' });
    await evaluate('navigator.serviceWorker.ready.then(() => true)');
    // Controlled from the next page on.
    await page.reload();
    await gateway.stop();
    await page.goto(`${gateway.url}/live`);
    expect(await text('h1')).toBe('You are offline');
    expect(page.url()).toBe(`${gateway.url}/live`);
    expect(await evaluate(`getComputedStyle(document.querySelector('.frame')).maxWidth`)).toBe('1216px');
  });

  it('is the page as it was seen last, with its time, until the site answers again', async () => {
    const gateway = await runGateway({ network: today() });
    const { page, text, evaluate } = await openPage(browser, gateway.url, { ...PHONE, serviceWorkers: 'allow' });
    await evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.goto(`${gateway.url}/games`);
    await page.context().setOffline(true);
    for (const path of ['/games', '/']) {
      await page.goto(gateway.url + path);
      expect(await text('main h1')).not.toBe('You are offline');
      await page.locator('#notice', { hasText: 'You are offline. This is the page as of' }).waitFor();
    }
    await page.context().setOffline(false);
    // The worker may go online after its page.
    await eventually(async () => {
      await evaluate(`dispatchEvent(new Event('online'))`);
      await page.waitForEvent('load', { timeout: 2000 }).catch(() => undefined);
      expect(await evaluate(`document.documentElement.hasAttribute('data-offline')`)).toBe(false);
    });
  });
});
