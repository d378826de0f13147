import {
  DAY_SECONDS,
  formatInstant,
  formatTimestamp,
  operations,
  parseInstant,
  SLOT_SECONDS,
  slotStored,
} from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { instantText, UTC, type PlotData } from '@lobbystats/site';
import { today } from './day.ts';
import { type Network, seriesRoutes } from './network.ts';
import { openPage } from './opened-page.ts';
import { FOX } from './user-responses.ts';
import { pageOf, runWorld } from './player-world.ts';
import { runGateway, startStubUpstream } from './running-gateway.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const FRACTIONS = [0.5, 0.501, 0.1, 0.02, 0.9, 0.99, 0.33];

/** Where a plot is on the screen, and what its x axis spans. */
async function plotAt(page: Page, selector: string) {
  const over = page.locator(`${selector} .u-over`);
  await page.locator(selector).scrollIntoViewIfNeeded();
  await over.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, width = 0, height = 0 } = (await over.boundingBox()) ?? {};
  const json = await page.locator(`${selector} script[type="application/json"]`).textContent();
  const { cells } = JSON.parse(json ?? '') as PlotData;
  const xOf = (fraction: number) => x + fraction * width;
  const timeAt = (left: number) => cells.from + ((left - x) / width) * (cells.until - cells.from);
  return { xOf, timeAt, middle: y + height / 2, cells };
}

/** The row of the API at a time, as the readout names it. */
function readoutAt({ online }: Network, seconds: number): string {
  const slot = formatTimestamp(Math.floor(seconds / SLOT_SECONDS) * SLOT_SECONDS);
  const count = online.find(({ recorded_at }) => recorded_at === slot)?.online_count;
  return `${instantText(parseInstant(slot) * 1000, UTC, seconds * 1000)} · Players online: ${count === undefined ? 'no data' : count.toLocaleString('en')}`;
}

it('a page whose other scripts can not be loaded is updated, and says nothing of missing data', async () => {
  const known = today();
  const { url, bus } = await runGateway({ network: known });
  const { page } = await openPage(browser, url);
  const refused: string[] = [];
  await page.route(/\/assets\/(?:plot|heat-map|session)-/, async (request) => {
    refused.push(request.request().url());
    await request.abort();
  });
  await page.goto(url);
  await page.locator('html[data-script="ready"]').waitFor({ state: 'attached' });
  await page.locator('#online-plot').scrollIntoViewIfNeeded();
  for (const row of known.online) row.online_count += 5000;
  await eventually(async () => {
    await bus.publish(slotStored, { slot: formatInstant(known.newest), online: 9, lobbies: null });
    const json = await page.locator('#online-plot script[type="application/json"]').textContent();
    expect(json).toContain(String(known.online.at(-1)?.online_count));
  });
  expect(await page.locator('#notice').isHidden()).toBe(true);
  expect(refused).not.toEqual([]);
});

describe('value under the crosshair', () => {
  it('follows the mouse from the first move on', async () => {
    const known = today({ missing: [20, 21, 22, 23, 24] });
    const { url } = await runGateway({ network: known });
    const { page, text, faults } = await openPage(browser, url);
    const { xOf, timeAt, middle } = await plotAt(page, '#online-plot');
    for (const fraction of FRACTIONS) {
      const x = Math.round(xOf(fraction));
      await page.mouse.move(x, middle);
      expect(await text('#online-plot .readout')).toBe(readoutAt(known, timeAt(x)));
    }
    await page.mouse.move(0, 0);
    expect(await text('#online-plot .readout')).toBe('');
    expect(faults).toEqual([]);
  });

  it('follows taps and horizontal drags', async () => {
    const known = today();
    const { url } = await runGateway({ network: known });
    const { page, text, faults } = await openPage(browser, url, PHONE);
    const { xOf, timeAt, middle } = await plotAt(page, '#online-plot');
    for (const fraction of FRACTIONS) {
      const x = Math.round(xOf(fraction));
      await page.touchscreen.tap(x, middle);
      expect(await text('#online-plot .readout')).toBe(readoutAt(known, timeAt(x)));
    }
    const session = await page.context().newCDPSession(page);
    const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: middle }] });
    await touch('touchStart', xOf(0.2));
    for (const fraction of [0.3, 0.5, 0.7]) {
      const x = Math.round(xOf(fraction));
      await touch('touchMove', x);
      await eventually(async () => expect(await text('#online-plot .readout')).toBe(readoutAt(known, timeAt(x))));
    }
    await touch('touchEnd', 0);
    expect(await text('#online-plot .readout')).not.toBe('');
    expect(faults).toEqual([]);
  });

  it('is that of the shown part after a zoom, by mouse, fingers and keys', async () => {
    const known = today();
    const { url } = await runGateway({ network: known });
    const { page, text, faults } = await openPage(browser, url, { hasTouch: true });
    const { xOf, timeAt, middle } = await plotAt(page, '#online-plot');
    const reset = page.locator('#online-plot .reset');
    expect(await reset.isVisible()).toBe(false);
    await page.mouse.move(xOf(0.25), middle);
    await page.mouse.down();
    await page.mouse.move(xOf(0.5), middle, { steps: 4 });
    await page.mouse.up();
    await reset.waitFor();
    // Half of the way through a quarter, but for the rounding of pixels.
    await page.mouse.move(Math.round(xOf(0.5)), middle);
    const nearest = [-SLOT_SECONDS, 0, SLOT_SECONDS].map((off) => readoutAt(known, timeAt(xOf(0.375)) + off));
    expect(nearest).toContain(await text('#online-plot .readout'));
    await page.mouse.dblclick(xOf(0.5), middle);
    await reset.waitFor({ state: 'hidden' });
    const session = await page.context().newCDPSession(page);
    const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', fractions: readonly number[]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: fractions.map((fraction, id) => ({ x: xOf(fraction), y: middle, id })),
      });
    await touch('touchStart', [0.4]);
    await touch('touchStart', [0.4, 0.6]);
    await touch('touchMove', [0.3, 0.7]);
    await touch('touchEnd', []);
    await reset.waitFor();
    await reset.click();
    await reset.waitFor({ state: 'hidden' });
    await page.keyboard.press('+');
    await reset.waitFor();
    await page.keyboard.press('0');
    await reset.waitFor({ state: 'hidden' });
    expect(faults).toEqual([]);
  });

  it('is a rank from its change to the next one', async () => {
    const { url } = await runWorld();
    const { page, text } = await openPage(browser, url + pageOf(FOX, '?tab=leaderboards'));
    const { xOf, timeAt, middle, cells } = await plotAt(page, '#rank-plot');
    const begins = cells.begins as number[];
    for (const fraction of [0.05, 0.2, 0.4, 0.6, 0.8, 0.99]) {
      const x = Math.round(xOf(fraction));
      await page.mouse.move(x, middle);
      const begin = begins.findLast((each) => each <= timeAt(x));
      const expected =
        begin === undefined ? 'no data' : instantText(begin * 1000, { ...UTC, suffix: '' }, begin * 1000);
      expect((await text('#rank-plot .readout')).slice(0, expected.length)).toBe(expected);
    }
  });

  it('is an average with the lowest and the highest count where counts are averaged', async () => {
    const known = today();
    const step = 1800;
    const at = Math.floor((known.newest - 3 * DAY_SECONDS) / step) * step;
    const history = [{ recorded_at: formatTimestamp(at), online_count: 104, min: 80, max: 1350 }];
    const series = await startStubUpstream(
      seriesRoutes(known, [route(operations.getOnlineSeries, async () => ({ body: history }))]),
    );
    const { url } = await runGateway({ network: known, env: { SERIES_API_URL: series.url } });
    const { page, text } = await openPage(browser, `${url}/?range=7d`);
    const { xOf, middle, cells } = await plotAt(page, '#online-plot');
    await page.mouse.move(Math.ceil(xOf((at - cells.from) / (cells.until - cells.from))), middle);
    expect(await text('#online-plot .readout')).toContain('Average: 104 (80 to 1,350)');
    expect(await text('#online-plot figcaption')).toMatch('average of 30 minutes');
  });
});

describe('a plot during an outage', () => {
  it('ends now, and is empty from the last known slot on', async () => {
    const known = today({ missing: [283, 284, 285, 286, 287] });
    const { url } = await runGateway({ network: known });
    const { page, text } = await openPage(browser, url);
    const { xOf, middle, cells } = await plotAt(page, '#online-plot');
    expect(cells.until - known.newest).toBeLessThanOrEqual(2 * SLOT_SECONDS);
    await page.mouse.move(xOf(0.997), middle);
    expect(await text('#online-plot .readout')).toContain('no data');
    await page.mouse.move(xOf(281.5 / 288), middle);
    expect(await text('#online-plot .readout')).not.toContain('no data');
  });
});

describe('a plot at the next slot', () => {
  it('keeps the focus and the time that the keyboard has chosen, and shows its new value', async () => {
    const known = today();
    const { url, bus } = await runGateway({ network: known });
    const { page, text, tabTo, evaluate, faults } = await openPage(browser, url);
    await tabTo('#online-plot input');
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowLeft');
    const before = await text('#online-plot .readout');
    expect(before).toBe(readoutAt(known, known.newest - 3 * SLOT_SECONDS));
    await page.evaluate(`document.querySelector('#online-plot canvas').dataset.drawn = 'once'`);
    known.online.at(-4)!.online_count = 1321;
    known.online.push({ recorded_at: formatTimestamp(known.newest + SLOT_SECONDS), online_count: 1290 });
    const after = before.replace(/[\d,]+$/, '1,321');
    await eventually(async () => {
      await bus.publish(slotStored, { slot: formatInstant(known.newest), online: 9, lobbies: null });
      expect(await text('#online-plot .readout')).toBe(after);
    });
    expect(await evaluate('document.activeElement.matches("#online-plot input")')).toBe(true);
    expect(await page.locator('#online-plot input').getAttribute('aria-valuetext')).toBe(after);
    expect(await evaluate(`document.querySelector('#online-plot canvas').dataset.drawn`)).toBe('once');
    await page.keyboard.press('ArrowRight');
    expect(await text('#online-plot .readout')).toBe(readoutAt(known, known.newest - 2 * SLOT_SECONDS));
    expect(faults).toEqual([]);
  });

  it('shows the new value under the mouse', async () => {
    const known = today();
    const { url, bus } = await runGateway({ network: known });
    const { page, text } = await openPage(browser, url);
    const { xOf, middle } = await plotAt(page, '#online-plot');
    const x = Math.round(xOf(0.5));
    await page.mouse.move(x, middle);
    for (const row of known.online) row.online_count += 5000;
    await eventually(async () => {
      await bus.publish(slotStored, { slot: formatInstant(known.newest), online: 9, lobbies: null });
      const { timeAt } = await plotAt(page, '#online-plot');
      expect(await text('#online-plot .readout')).toBe(readoutAt(known, timeAt(x)));
    });
  });
});

describe('heat map', () => {
  it.each([
    ['a tap', PHONE],
    ['the mouse', {}],
  ] as const)('shows the mean of an hour at %s', async (way, options) => {
    const { url } = await runGateway({ network: today() });
    const { page, text, faults } = await openPage(browser, `${url}/game/00000001`, options);
    const cell = page.locator('.heat tbody tr').first().locator('td').nth(20);
    if (way === 'a tap') await cell.tap();
    else await cell.hover();
    expect(await text('#heat-readout')).toBe('Mon 20–21 UTC: average 2.5');
    expect(faults).toEqual([]);
  });

  it('is read with the arrow keys', async () => {
    const { url } = await runGateway({ network: today() });
    const { page, text } = await openPage(browser, `${url}/game/00000001`, PHONE);
    await page.locator('[role=region]:has(.heat)').focus();
    for (let presses = 0; presses < 21; presses += 1) await page.keyboard.press('ArrowRight');
    expect(await text('#heat-readout')).toBe('Mon 20–21 UTC: average 2.5');
    await page.keyboard.press('ArrowDown');
    expect(await text('#heat-readout')).toBe('Tue 20–21 UTC: average –');
  });
});
