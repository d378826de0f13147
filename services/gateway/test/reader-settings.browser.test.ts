import { formatTimestamp, operations, weekdays } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { instantText, UTC } from '@lobbystats/site';
import { cleanUp, launchChromium } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '@lobbystats/test-kit/accessibility';
import { today } from './day.ts';
import { seriesRoutes } from './network.ts';
import { openPage } from './opened-page.ts';
import { runGateway, startStubUpstream } from './running-gateway.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

const ZONES = ['Pacific/Auckland', 'America/St_Johns'] as const;

/** `Fri 15 Jan, 21:00` of an instant. */
function dayIn(timeZone: string, seconds: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const shown = Date.parse(`${format.format(seconds * 1000).replace(' ', 'T')}Z`);
  return instantText(shown, { ...UTC, suffix: '' }, shown);
}

/** `today, 21:00` of an instant of the last minutes. */
function timeIn(timeZone: string, seconds: number, locale = 'en-GB'): RegExp {
  const format = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' });
  const clock = format
    .format(new Date(seconds * 1000))
    .toLowerCase()
    .replace(/\s/, ' ');
  return new RegExp(`(today|yesterday), ${clock}${timeZone === 'UTC' ? ' UTC' : ''}$`);
}

describe('times', () => {
  it.each(ZONES)('are of the reader, with their own date, in %s', async (timezoneId) => {
    const known = today();
    const { url } = await runGateway({ network: known });
    const { page, text, faults } = await openPage(browser, `${url}/live`, { timezoneId });
    expect(await text('h1 + p')).toMatch(timeIn(timezoneId, known.newest));
    expect(await page.locator('h1 + p time').getAttribute('title')).toContain(
      `${formatTimestamp(known.newest).slice(0, 16)} UTC`,
    );
    expect(faults).toEqual([]);
  });

  it('have 12 hours where the reader is used to them', async () => {
    const known = today();
    const { url } = await runGateway({ network: known });
    const { text } = await openPage(browser, `${url}/live`, { timezoneId: 'America/New_York', locale: 'en-US' });
    expect(await text('h1 + p')).toMatch(timeIn('America/New_York', known.newest, 'en-US'));
  });

  it('within a day say how long ago, and by a tap when', async () => {
    const known = today();
    const timezoneId = 'America/St_Johns';
    const { url } = await runGateway({ network: known });
    const phone = { timezoneId, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const { page, texts } = await openPage(browser, `${url}/live`, phone);
    const opened = page.locator('#lobbies tbody time').first();
    expect(await opened.innerText()).toMatch(/^(2[5-9]|3\d) min ago$/);
    await opened.tap();
    expect((await texts('#lobbies tbody time'))[0]).toMatch(timeIn(timezoneId, known.newest - 1500));
    expect((await texts('#lobbies tbody time'))[1]).toMatch(/min ago$/);
    await opened.tap();
    expect(await opened.innerText()).toMatch(/min ago$/);
  });

  it('are UTC by choice, on each page from then on', async () => {
    const known = today();
    const { url } = await runGateway({ network: known });
    const { page, text, texts, faults } = await openPage(browser, `${url}/live`, { timezoneId: 'Pacific/Auckland' });
    await page.getByRole('button', { name: 'UTC' }).click();
    const asOf = timeIn('UTC', known.newest);
    await page.getByText(asOf).waitFor();
    expect(await page.getByRole('button', { name: 'UTC' }).getAttribute('aria-pressed')).toBe('true');
    expect((await texts('#lobbies tbody time'))[0]).toMatch(timeIn('UTC', known.newest - 1500));
    await page.goto(url);
    await page.locator('html[data-script="ready"]').waitFor({ state: 'attached' });
    expect(await text('#as-of')).toMatch(asOf);
    await page.getByRole('button', { name: 'Local' }).click();
    await page.getByText(timeIn('Pacific/Auckland', known.newest)).waitFor();
    expect(faults).toEqual([]);
  });

  it('are UTC without JavaScript, which the footer says', async () => {
    const known = today();
    const { url } = await runGateway({ network: known });
    const { text, texts } = await openPage(browser, `${url}/live`, { javaScriptEnabled: false });
    expect(await text('h1 + p')).toBe(`as of ${instantText(known.newest * 1000, UTC, known.newest * 1000)}`);
    expect(await text('footer')).toContain('Times are UTC');
    expect(await texts('.settings')).toEqual([]);
  });

  it.each(ZONES)('of plots, in readout, axis and table, are those of %s', async (timezoneId) => {
    const known = today();
    const { url } = await runGateway({ network: known });
    const { page, text, texts, tabTo, faults } = await openPage(browser, url, { timezoneId });
    expect(await text('#online-plot figcaption')).toBe('Players online · your time');
    await tabTo('#online-plot input');
    await page.keyboard.press('ArrowLeft');
    expect(await text('#online-plot .readout')).toBe(
      `${dayIn(timezoneId, known.newest - 300)} · Players online: 1,286`,
    );
    await page.locator('#online-plot summary').click();
    expect((await texts('#online-plot thead th'))[0]).toBe('Time (your time)');
    expect((await texts('#online-plot tbody th'))[0]?.slice(-5)).toBe(dayIn(timezoneId, known.newest).slice(-5));
    await page.getByRole('button', { name: 'UTC' }).click();
    await page.getByText('Players online · UTC').waitFor();
    expect((await texts('#online-plot tbody th'))[0]?.slice(-5)).toBe(dayIn('UTC', known.newest).slice(-5));
    expect(faults).toEqual([]);
  });
});

describe('heat map', () => {
  /** An upstream on whose game each hour of the week has its number as the mean. */
  async function runHours() {
    const known = today();
    const hours = weekdays.flatMap((weekday, index) =>
      Array.from({ length: 24 }, (_, hour) => {
        const mean = 10 * (24 * index + hour);
        return { weekday, hour, average_online: mean, peak_online: mean };
      }),
    );
    const series = await startStubUpstream(
      seriesRoutes(known, [
        route(operations.getActivity, async ({ params: { titleId } }) => ({
          body: { titleId, gameName: '', days: 28 as const, hours },
        })),
      ]),
    );
    return runGateway({ network: known, env: { SERIES_API_URL: series.url } });
  }

  it('has the hours of Auckland where the reader is there', async () => {
    const { url } = await runHours();
    const { text, texts, faults } = await openPage(browser, `${url}/game/00000001`, {
      timezoneId: 'Pacific/Auckland',
      viewport: { width: 1100, height: 900 },
    });
    const offset = offsetHours('Pacific/Auckland');
    const cells = await texts('.heat tbody td');
    expect(cells[offset]).toBe('0');
    expect(cells[offset + 1]).toBe('10');
    expect(cells[0]).toBe((10 * (168 - offset)).toLocaleString('en'));
    expect(await text('.heat caption')).toContain('(your time)');
    // Sunday, 23 to 24 h UTC, is Monday there.
    expect(await text('#busiest-hour')).toContain(
      `Mondays from ${offset - 1}:00 to ${offset}:00, your time, with an average of 1,670.0`,
    );
    expect(faults).toEqual([]);
  });

  it('has the mean of two hours in zones of half hours', async () => {
    const { url } = await runHours();
    const { page, texts } = await openPage(browser, `${url}/game/00000001`, { timezoneId: 'America/St_Johns' });
    const offset = offsetHours('America/St_Johns');
    const cells = await texts('.heat tbody td');
    // An hour later in UTC by 2.5 or 3.5 hours.
    expect(cells[0]).toBe((-10 * offset).toLocaleString('en'));
    expect(cells[24]).toBe((240 - 10 * offset).toLocaleString('en'));
    await page.getByRole('button', { name: 'UTC' }).click();
    await page.getByText('Players online · UTC').first().waitFor();
    expect((await texts('.heat tbody td')).slice(0, 3)).toEqual(['0', '10', '20']);
  });

  function offsetHours(timeZone: string): number {
    const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
      .formatToParts(new Date())
      .find(({ type }) => type === 'timeZoneName')?.value;
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name ?? '') ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) + Number(minutes) / 60);
  }
});

describe('colors', () => {
  const background = 'getComputedStyle(document.body).backgroundColor';
  const DARK = 'rgb(18, 23, 26)';

  it('are those of the system, or chosen: before the first paint of each page', async () => {
    const { url } = await runGateway({ network: today() });
    const { page, evaluate, faults } = await openPage(browser, url, { colorScheme: 'light' });
    expect(await evaluate(background)).not.toBe(DARK);
    await page.getByRole('button', { name: 'Dark' }).click();
    expect(await evaluate(background)).toBe(DARK);
    expect(await evaluate(`document.querySelector('meta[name=theme-color][media=all]').content`)).toBe('#12171a');
    expect(await accessibilityFaults(page)).toEqual([]);
    // Without the page's own script, which comes after the first paint.
    await page.route('**/assets/page-*.js', (request) => request.abort());
    await page.goto(`${url}/live`);
    expect(await evaluate(background)).toBe(DARK);
    expect(faults.filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);
  });
});
