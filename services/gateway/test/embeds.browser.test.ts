import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatInstant, slotStored } from '@lobbystats/contracts';
import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '@lobbystats/test-kit/accessibility';
import { activity, today } from './day.ts';
import { runGateway } from './running-gateway.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

/** Another site. @returns its URL */
async function runSite(markup: string): Promise<string> {
  const server = createServer((_req, res) => res.setHeader('Content-Type', 'text/html').end(markup));
  cleanUp(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
}

describe('widget on another site', () => {
  it('shows the counts, and those of later slots while it is open, and keeps the focus', async () => {
    const known = today();
    const { url, bus } = await runGateway({ network: known });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(await runSite(`<iframe src="${url}/embed/game/00000001" title="Game"></iframe>`));
    const value = page.frameLocator('iframe').locator('.value');
    expect(await value.innerText()).toBe('1,300');
    const link = page.frameLocator('iframe').locator('.name a');
    await link.focus();
    known.activity.titles = [activity('00000001', 1444, [])];
    await bus.publish(slotStored, { slot: formatInstant(known.newest), online: 9, lobbies: null });
    await eventually(async () => {
      await page.clock.fastForward(300_000);
      expect(await value.innerText()).toBe('1,444');
    });
    expect(await page.frameLocator('iframe').locator('.name a:focus').count()).toBe(1);
    await page.goto(`${url}/embed/game/00000001`);
    expect(await accessibilityFaults(page)).toEqual([]);
    await context.close();
  });

  it('is the only page that a frame shows', async () => {
    const { url } = await runGateway({ network: today() });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(await runSite(`<iframe src="${url}/game/00000001" title="Game"></iframe>`));
    expect(await page.frameLocator('iframe').locator('main').count()).toBe(0);
    await context.close();
  });
});
