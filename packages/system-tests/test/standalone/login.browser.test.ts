import { operations, type OperationResponse } from '@lobbystats/contracts';
import { cleanUp, eventually, fixedClock, getJson, isPageFault, launchChromium } from '@lobbystats/test-kit';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { runSystem } from './run-system.ts';
import { pathTo } from './sign-in.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

/** A browser context with its requested URLs and all errors, warnings and CSP violations. */
async function openBrowser() {
  const context = await browser.newContext();
  cleanUp(() => context.close());
  const faults: string[] = [];
  const urls: string[] = [];
  context.on('request', (request) => urls.push(request.url(), request.headers()['referer'] ?? ''));
  context.on('console', (message) => {
    if (isPageFault(message)) faults.push(message.text());
  });
  context.on('weberror', (error) => faults.push(error.error().message));
  await context.addInitScript(`addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.error('policy breached', effectiveDirective, blockedURI))`);
  return { context, faults, urls };
}

async function openAt(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('html[data-script="ready"]').waitFor({ state: 'attached' });
  return page;
}

async function expectText(page: Page, selector: string, text: string): Promise<void> {
  await eventually(async () => expect(await page.locator(selector).innerText()).toBe(text), { everyMs: 30 });
}

it('a demo user signs in, rates a player, changes their own profile and signs out, in two tabs', async () => {
  const { url, simulator } = await runSystem({
    clock: fixedClock('2026-01-31T12:00:05Z'),
    world: { titles: 8, openMatches: 2, players: 300, boards: 0, entries: 0 },
    env: { BACKFILL_DAYS: '1' },
  });
  const [account, other] = simulator.accounts as [
    (typeof simulator.accounts)[number],
    (typeof simulator.accounts)[number],
  ];
  const rated = url + pathTo(operations.getReputation.path, other.username);
  await eventually(async () => expect(await getJson(rated)).toMatchObject({ status: 200 }));
  const pageOf = (username: string, query = '') => `${url}/u/${encodeURIComponent(username)}${query}`;

  const { context, faults, urls } = await openBrowser();
  const page = await openAt(context, pageOf(other.username, '?tab=ratings'));
  const tab = await openAt(context, pageOf(other.username, '?tab=ratings'));
  await page.locator('[data-account]').click();
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.locator('#sign-in button:enabled').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(pageOf(other.username, '?tab=ratings'));
  await expectText(page, '[data-account]', account.username);
  await expectText(tab, '[data-account]', account.username);
  const sessionKey = await page.evaluate<string>(`JSON.parse(localStorage.getItem('service_auth')).sessionKey`);
  expect(sessionKey.length).toBeGreaterThan(20);

  await page.getByLabel('2', { exact: true }).check();
  await page.getByLabel(/^Comment/).fill('<b>Fast</b> & loud.');
  await page.locator('#rate button.main').click();
  await expectText(page, '#rate [role="status"]', 'Your rating is stored.');
  await expectText(page, '#average', '2');
  await expectText(tab, '#average', '2');
  await expectText(page, '#ratings .comment', '<b>Fast</b> & loud.');
  await page.getByLabel('4', { exact: true }).check();
  await page.locator('#rate button.main').click();
  await expectText(page, '#average', '4');
  const { body } = await getJson<OperationResponse<typeof operations.getReputation>>(rated);
  expect(body).toMatchObject({
    average: 4.91,
    ratingCount: 1,
    feedback: [{ raterUsername: account.username, stars: 4 }],
  });

  await page.locator('[data-account]').click();
  await page.locator('.own-tabs').getByRole('link', { name: 'Profile' }).click();
  await page.getByLabel('About you').fill('Here for the <i>slow</i> laps.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expectText(page, '#profile-form [role="status"]', 'Your profile is saved.');
  const own = await openAt(context, pageOf(account.username));
  await eventually(async () => {
    await own.reload();
    expect(await own.locator('#profile .bio').allInnerTexts()).toEqual(['Here for the <i>slow</i> laps.']);
  });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('.signed-out').waitFor();
  await expectText(tab, '[data-account]', 'Sign in');
  expect(await page.evaluate('localStorage.length')).toBe(0);

  expect(faults).toEqual([]);
  expect(urls.length).toBeGreaterThan(20);
  expect(urls.filter((asked) => asked.includes(sessionKey) || asked.includes(account.password))).toEqual([]);
});
