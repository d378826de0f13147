import { eventStored, type PublicEvent } from '@lobbystats/contracts';
import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { accessibilityFaults } from '@lobbystats/test-kit/accessibility';
import { HARBOR, NEWEST } from './network.ts';
import { openPage } from './opened-page.ts';
import { eventAt, runWithEvents } from './running-events.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const SOON = eventAt(NEWEST + 2 * DAY + 3 * HOUR, null, { id: 1, title: 'Soon', title_id: HARBOR.titleId });
const RUNNING = eventAt(NEWEST - HOUR, NEWEST + HOUR, {
  ...{ id: 2, title: 'Running', title_id: HARBOR.titleId, banner_url: 'https://elsewhere.example/b.png' },
});
const OPEN_END = eventAt(NEWEST - HOUR, null, { id: 3, title: 'Open end', description: 'Text '.repeat(500) });
const OVER = eventAt(NEWEST - DAY, null, { id: 4, title: 'W'.repeat(100), game_name: 'M'.repeat(100), title_id: null });

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

/** Opens a page whose clock then stands at the gateway's time. */
async function openAt(path: string, events: PublicEvent[], options: BrowserContextOptions = {}) {
  const gateway = await runWithEvents(events);
  const opened = await openPage(browser, 'about:blank', options, 'body');
  await opened.page.clock.install({ time: (NEWEST - 60) * 1000 });
  await opened.page.goto(gateway.url + path);
  await opened.page.locator('html[data-script="ready"]').waitFor({ state: 'attached' });
  await opened.page.clock.pauseAt(NEWEST * 1000);
  return { ...opened, gateway };
}

describe('countdowns', () => {
  it('show how long it is until events begin and end', async () => {
    const { text, faults } = await openAt('/events', [SOON, RUNNING, OPEN_END, OVER]);
    expect(await text('#upcoming .countdown')).toBe('in 2 days 3 h');
    expect(await text('#running li:has-text("Running") .countdown')).toBe('ends in 60 min');
    expect(await text('#running li:has-text("Open end") .countdown')).toBe('began 60 min ago');
    expect(faults).toEqual([]);
  });

  it('count seconds before the start, and go on after it', async () => {
    const event = eventAt(NEWEST + 20 * 60, NEWEST + 40 * 60, { id: 5 });
    const { page, text } = await openAt('/event/5', [event]);
    const shown = async (seconds: number) => {
      await page.clock.runFor(seconds * 1000);
      return text('.countdown');
    };
    expect(await shown(0)).toBe('in 20 min');
    expect(await shown(60)).toBe('in 19 min');
    expect(await shown(11 * 60)).toBe('in 8 min 0 s');
    expect(await shown(1)).toBe('in 7 min 59 s');
    expect(await shown(8 * 60)).toBe('ends in 20 min');
    expect(await shown(20 * 60)).toBe('over');
  });

  it('follow an event that was moved', async () => {
    const events = [SOON];
    const { page, text, gateway } = await openAt('/event/1', events);
    expect(await text('.countdown')).toBe('in 2 days 3 h');
    const moved = eventAt(NEWEST + 5 * DAY, null, { id: 1 });
    events[0] = moved;
    await eventually(async () => {
      await gateway.bus.publish(eventStored, { events: [moved], withdrawn: [] });
      await page.clock.runFor(8000);
      expect(await text('.countdown')).toBe('in 4 days 23 h');
    });
  });
});

describe.each(['/events', '/event/3'])('%s in a browser', (path) => {
  const all = [SOON, RUNNING, OPEN_END, OVER];

  it.each(['light', 'dark'] as const)('is accessible in %s colors, and asks no other host', async (colorScheme) => {
    const { url } = await runWithEvents(all);
    // Axe waits: the page needs a clock that runs.
    const { page, faults } = await openPage(browser, url + path, { colorScheme });
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    await page.reload();
    await page.locator('html[data-script="ready"]').waitFor({ state: 'attached' });
    expect(await accessibilityFaults(page)).toEqual([]);
    expect([...hosts]).toEqual([new URL(url).origin]);
    expect(faults).toEqual([]);
  });

  it.each([320, 1920])('needs no horizontal scrolling at %i px', async (width) => {
    const { evaluate } = await openAt(path, all, { viewport: { width, height: 740 } });
    expect(await evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  it.each([360, 1280])('does not shift at %i px when local times and countdowns are added', async (width) => {
    const { url } = await runWithEvents(all);
    const context = { viewport: { width, height: 740 }, timezoneId: 'Asia/Tokyo' };
    const { page } = await openPage(browser, 'about:blank', context, 'body');
    await page.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.shift += value;
    }).observe({ type: 'layout-shift', buffered: true })`);
    await page.goto(url + path);
    await page.locator('html[data-script="ready"]').waitFor({ state: 'attached' });
    expect(await page.evaluate('window.shift')).toBeLessThan(0.02);
  });

  it('is complete without JavaScript', async () => {
    const { url } = await runWithEvents(all);
    const { texts } = await openPage(browser, url + path, { javaScriptEnabled: false });
    expect((await texts('.when'))[0]).toMatch(/^Fri 15 Jan, 07:00 (to 09:00 )?UTC/);
    expect(await texts('.countdown')).toEqual([]);
  });
});
