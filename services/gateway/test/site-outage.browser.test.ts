import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { day } from './day.ts';
import { seriesRoutes, type Network } from './network.ts';
import { openPage, type OpenedPage } from './opened-page.ts';
import { freeUrl, runGateway, startStubUpstream, type RunningGateway } from './running-gateway.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
}, 30_000);

describe('page during an outage', () => {
  /** Makes the page reload its data by going offline and online. */
  async function askAgain({ page }: OpenedPage): Promise<void> {
    await page.context().setOffline(true);
    await page.context().setOffline(false);
  }

  async function gatewayWithout(network: Network): Promise<{ gateway: RunningGateway; port: number }> {
    const url = await freeUrl();
    // Without a cache: cached responses would hide the outage.
    const env = { SERIES_API_URL: url, CACHE_BYTES: '0' };
    return { gateway: await runGateway({ network, env }), port: Number(new URL(url).port) };
  }

  it('shows a notice when it can load nothing, and all data once the outage is over', async () => {
    const known = day();
    const { gateway, port } = await gatewayWithout(known);
    const { page, text, tabTo } = await openPage(browser, gateway.url);
    expect(await text('#notice')).toMatch(/could not load/i);
    expect(await text('#figure-online')).toBe('–');
    await startStubUpstream(seriesRoutes(known), 'test', port);
    await eventually(async () => {
      await tabTo('#notice-retry');
      await page.keyboard.press('Enter');
      await page.locator('#notice').waitFor({ state: 'hidden', timeout: 1000 });
    });
    expect(await text('#figure-online')).toBe('1,287');
    expect(await text('#games-count')).toBe('4 games');
  });

  it('keeps showing the loaded data with its age', async () => {
    const known = day();
    const { gateway, port } = await gatewayWithout(known);
    const first = await startStubUpstream(seriesRoutes(known), 'test', port);
    const opened = await openPage(browser, gateway.url);
    expect(await opened.text('#figure-online')).toBe('1,287');
    await first.stop();
    await askAgain(opened);
    await opened.page.locator('#notice').waitFor();
    expect(await opened.text('#notice')).toMatch(/could not load[^]*ago/i);
    expect(await opened.text('#figure-online')).toBe('1,287');
    expect(await opened.page.locator('#chart-online .line').count()).toBe(1);
    known.online.at(-1)!.online_count = 77;
    await startStubUpstream(seriesRoutes(known), 'test', port);
    await eventually(async () => {
      await opened.page.locator('#notice-retry').click({ timeout: 1000 });
      await opened.page.locator('#notice').waitFor({ state: 'hidden', timeout: 1000 });
    });
    expect(await opened.text('#figure-online')).toBe('77');
  });
});
