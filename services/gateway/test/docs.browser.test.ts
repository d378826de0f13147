import { operations } from '@lobbystats/contracts';
import { OPENAPI_PATH } from '@lobbystats/contracts';
import type { OpenApiDocument } from '@lobbystats/contracts/openapi';
import { cleanUp, launchChromium } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { openPage } from './opened-page.ts';
import { runGateway } from './running-gateway.ts';

const READY = '#docs[data-state="ready"]';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

describe('documentation page in a browser', () => {
  it('shows every operation of the document and requests nothing from other hosts', async () => {
    const gateway = await runGateway({ env: { PUBLIC_URL: 'https://stats.example' } });
    const { paths } = (await gateway.request(OPENAPI_PATH)).body as OpenApiDocument;
    const all = Object.values(paths).flatMap((item) => Object.values(item));
    const { page, faults } = await openPage(browser, `${gateway.url}/docs#/`, {}, READY);
    expect(await page.locator('.opblock').count()).toBe(all.length);
    expect(await page.locator('.info .title').innerText()).toContain('Lobbystats');
    expect([await page.locator('main').count(), await page.locator('h1').count()]).toEqual([1, 1]);
    const loaded = await page.evaluate<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name)`);
    expect(loaded.filter((url) => !url.startsWith(gateway.url) && !url.startsWith('data:'))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('lists the operations at first, and shows the one that a link leads to', async () => {
    const gateway = await runGateway();
    const { page, faults } = await openPage(browser, `${gateway.url}/docs`);
    expect(await page.locator('.swagger-ui').count()).toBe(0);
    await page.locator('#operation-lists a', { hasText: operations.listGames.path }).first().click();
    await page.locator(READY).waitFor();
    await page.locator(`[id$="-${operations.listGames.id}"].is-open`).waitFor();
    expect(await page.locator('#operation-lists').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('tries an operation out against the host it was opened from', async () => {
    const gateway = await runGateway({ env: { PUBLIC_URL: 'https://stats.example' } });
    const { page, faults } = await openPage(browser, `${gateway.url}/docs#/`, {}, READY);
    const operation = page.locator(`[id$="-${operations.listGames.id}"]`);
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('button.execute').click();
    const answer = operation.locator('.live-responses-table .response .response-col_description').first();
    await answer.waitFor();
    expect(await answer.innerText()).toContain('Harbor Racing');
    expect(await operation.locator('.request-url').innerText()).toContain(gateway.url + operations.listGames.path);
    expect(faults).toEqual([]);
  });

  it('needs no horizontal scrolling on a phone', async () => {
    const gateway = await runGateway();
    const viewport = { width: 360, height: 740 };
    const { page } = await openPage(browser, `${gateway.url}/docs#/`, { viewport }, READY);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
  });
});
