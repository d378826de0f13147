import { formatInstant, slotStored } from '@lobbystats/contracts';
import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '@lobbystats/test-kit/accessibility';
import { activity, today } from './day.ts';
import { network, title } from './network.ts';
import { openPage } from './opened-page.ts';
import { runGateway } from './running-gateway.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

describe('home page in a browser', () => {
  it.each(['light', 'dark'] as const)('is accessible, and without faults, in %s colors', async (colorScheme) => {
    const { url } = await runGateway({ network: today() });
    const { page, faults } = await openPage(browser, url, { colorScheme });
    expect(await accessibilityFaults(page)).toEqual([]);
    const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(background === 'rgb(18, 23, 26)').toBe(colorScheme === 'dark');
    expect(faults).toEqual([]);
  });

  it('marks a simulated network as simulated', async () => {
    const { url } = await runGateway({ network: today() });
    const { text } = await openPage(browser, url);
    expect(await text('.simulated')).toMatch(/simulated/i);
  });

  it.each([320, 768, 1920])('needs no horizontal scrolling at %i px, with long names', async (width) => {
    const known = today();
    known.titles[0] = title('00000001', 'W'.repeat(120), { publisher: 'M'.repeat(120) });
    known.activity.titles[0] = activity('00000001', 1_000_000, ['M'.repeat(200), 'i'.repeat(200)]);
    const { url } = await runGateway({ network: known });
    const { evaluate } = await openPage(browser, url, { viewport: { width, height: 740 } });
    expect(await evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  it('does not shift while it loads', async () => {
    const { url } = await runGateway({ network: today() });
    const { page } = await openPage(browser, 'about:blank', {}, 'body');
    await page.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.shift += value;
    }).observe({ type: 'layout-shift', buffered: true })`);
    await page.goto(url);
    await page.locator('html[data-script="ready"]').waitFor({ state: 'attached' });
    expect(await page.evaluate('window.shift')).toBeLessThan(0.02);
  });

  it('renders names as text', async () => {
    const known = today();
    const names = ['<img src=x onerror="window.pwned=1">', '"><script>window.pwned=1</script>', '\u202Egnp.exe'];
    known.titles = names.map((text, index) => title(`0000000${index}`, text, { publisher: text }));
    known.activity.titles = known.titles.map(({ titleId }) => activity(titleId, 1, names));
    const { url } = await runGateway({ network: known });
    const { texts, evaluate, faults } = await openPage(browser, url);
    expect((await texts('#games h3 bdi')).toSorted()).toEqual(names.toSorted());
    expect(await evaluate('window.pwned')).toBeUndefined();
    expect(faults).toEqual([]);
  });
});

describe('plot in a browser', () => {
  it('is read with the arrow keys, missing snapshots included', async () => {
    const known = today({ missing: [286] });
    const { url } = await runGateway({ network: known });
    const { page, text, tabTo, faults } = await openPage(browser, url);
    await tabTo('#online-plot input');
    expect(await text('#online-plot .readout')).toContain('Players online: 1,287');
    await page.keyboard.press('ArrowLeft');
    expect(await text('#online-plot .readout')).toContain('no data');
    await page.keyboard.press('ArrowLeft');
    expect(await text('#online-plot .readout')).toContain('Players online: 1,285');
    expect(await page.locator('#online-plot input').getAttribute('aria-valuetext')).toContain('1,285');
    expect(faults).toEqual([]);
  });

  it('is a picture and a table without JavaScript', async () => {
    const { url } = await runGateway({ network: today() });
    const { page } = await openPage(browser, url, { javaScriptEnabled: false });
    expect(await page.locator('#online-plot svg polyline').count()).toBe(1);
    await page.locator('#online-plot summary').click();
    expect(await page.locator('#online-plot tbody tr').first().innerText()).toContain('1,28');
  });

  it('shows that there is no data yet', async () => {
    const { url } = await runGateway({
      network: network({ titles: [], online: [], lobbies: [], registered: [] }),
    });
    const { texts, faults } = await openPage(browser, url);
    expect(await texts('.figures .value')).toEqual(['–', '–', '–', '–']);
    expect(await texts('#games .empty')).toEqual(['Nobody is in a game at the moment']);
    expect(await texts('#plots .empty')).toHaveLength(2);
    expect(faults).toEqual([]);
  });
});

describe('live page', () => {
  it('shows a new snapshot, and keeps the focus and what the reader has opened', async () => {
    const known = today({ missing: [287] });
    const { url, bus } = await runGateway({ network: known });
    const { page, texts, tabTo, faults } = await openPage(browser, url);
    await page.locator('#online-plot summary').click();
    await tabTo('#games h3 a');
    const focused = await page.evaluate('document.activeElement.href');
    known.online.at(-1)!.online_count = 4321;
    // Repeated, because the page does not show when its stream is open.
    await eventually(async () => {
      await bus.publish(slotStored, { slot: formatInstant(known.newest), online: 4321, lobbies: null });
      expect((await texts('.figures .value'))[0]).toBe('4,321');
    });
    expect(await page.locator('#online-plot details').getAttribute('open')).not.toBeNull();
    expect(await page.evaluate('document.activeElement.href')).toBe(focused);
    await tabTo('#online-plot input');
    expect(await page.locator('#online-plot input').getAttribute('aria-valuetext')).toContain('4,321');
    expect(faults).toEqual([]);
  });

  it('says that it may be out of date while the site can not be reached', async () => {
    const known = today();
    const gateway = await runGateway({ network: known });
    const { page, text } = await openPage(browser, gateway.url);
    expect(await page.locator('#notice').isVisible()).toBe(false);
    await page.route(gateway.url, (route) => route.abort());
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.locator('#notice').waitFor();
    expect(await text('#notice')).toMatch(/out of date/);
    expect(await text('h1')).toBe('Who plays what now');
  });
});
