import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { day } from './day.ts';
import { openPage, type OpenedPage } from './opened-page.ts';
import { runGateway, startRawUpstream } from './running-gateway.ts';

const ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><rect width="32" height="32"/></svg>';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
}, 30_000);

const gameNames = ({ texts }: OpenedPage) => texts('#games-rows th bdi');

describe('page charts', () => {
  it('draw a line with gaps for missing snapshots', async () => {
    const missing = [...Array.from({ length: 12 }, (_, index) => 100 + index), 200];
    const { url } = await runGateway({ network: day({ missing, missingLobbies: [50] }) });
    const { evaluate, page, text, faults } = await openPage(browser, url);
    const points = (chart: string) =>
      evaluate<number[]>(
        `Array.from(document.querySelectorAll('#${chart} .line'), (line) => line.getAttribute('d').split('L').length)`,
      );
    // A new slot may have begun since.
    expect([
      [100, 88, 87],
      [99, 88, 87],
    ]).toContainEqual(await points('chart-online'));
    expect([
      [50, 237],
      [49, 237],
    ]).toContainEqual(await points('chart-lobbies'));
    expect(await page.locator('#chart-online .gap').count()).toBe(2);
    expect(await text('#summary-online')).toContain('13 snapshots missing');
    const box = await page.locator('#chart-online .line').first().boundingBox();
    expect(box?.width).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  it('can be read with the arrow keys', async () => {
    const { url } = await runGateway({ network: day({ missing: [286] }) });
    const { page, text, tabTo } = await openPage(browser, url);
    await tabTo('#explorer');
    expect(await text('#readout-online')).toBe('1,287');
    await page.keyboard.press('ArrowLeft');
    expect(await text('#readout-online')).toBe('no snapshot');
    await page.keyboard.press('ArrowLeft');
    expect(await text('#readout-online')).toBe('1,285');
    expect(await page.locator('#explorer').getAttribute('aria-valuetext')).toContain('1,285');
  });
});

describe('table of games', () => {
  it('is sorted by keyboard, by any column, in both directions', async () => {
    const { url } = await runGateway({ network: day() });
    const opened = await openPage(browser, url);
    const { page, tabTo } = opened;
    expect(await gameNames(opened)).toEqual(['Harbor Racing', 'Ärger', '1942', 'Chess']);
    await tabTo('button[value="name"]');
    await page.keyboard.press('Enter');
    expect(await gameNames(opened)).toEqual(['1942', 'Ärger', 'Chess', 'Harbor Racing']);
    await page.keyboard.press('Space');
    expect(await gameNames(opened)).toEqual(['Harbor Racing', 'Chess', 'Ärger', '1942']);
    const sorted = page.locator('th[aria-sort]');
    expect([await sorted.count(), await sorted.getAttribute('aria-sort'), await sorted.innerText()]).toEqual([
      1,
      'descending',
      expect.stringMatching(/game/i),
    ]);
    await tabTo('button[value="lobbies"]');
    await page.keyboard.press('Enter');
    expect((await gameNames(opened)).slice(0, 2)).toEqual(['Harbor Racing', 'Ärger']);
  });

  it('is filtered by keyboard, by name, publisher or title ID', async () => {
    const { url } = await runGateway({ network: day() });
    const opened = await openPage(browser, url);
    const { page, tabTo, text } = opened;
    await tabTo('#games-filter');
    await page.keyboard.type('northLIGHT');
    expect(await gameNames(opened)).toEqual(['Harbor Racing', 'Ärger']);
    expect(await text('#games-count')).toBe('2 of 4 games');
    await page.locator('#games-filter').fill('00000004');
    expect(await gameNames(opened)).toEqual(['1942']);
    await page.locator('#games-filter').fill('<nothing>');
    expect(await text('#games-empty')).toContain('<nothing>');
    await page.locator('#games-filter').fill('');
    expect(await gameNames(opened)).toHaveLength(4);
  });

  it('has the icons of the network, and a letter for a missing icon', async () => {
    const icons = await startRawUpstream((req, res) => {
      if (req.url === '/1.svg') res.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(ICON);
      else res.writeHead(404).end();
    });
    const network = day();
    network.titles[0] = { ...network.titles[0]!, image: `${icons}/1.svg` };
    network.titles[1] = { ...network.titles[1]!, image: `${icons}/missing.svg` };
    const { url } = await runGateway({ network, env: { NETWORK_PUBLIC_URL: icons } });
    const { evaluate, faults } = await openPage(browser, url);
    await eventually(async () => {
      const widths = await evaluate(
        `Array.from(document.querySelectorAll('#games-rows img'), (img) => img.naturalWidth)`,
      );
      expect(widths).toEqual([32]);
    });
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  });
});
