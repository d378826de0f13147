import { cleanUp, launchChromium } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '@lobbystats/test-kit/accessibility';
import { followedHere, followHere, FOLLOWS_KEY, GAME, HARBOR_PAGE } from './browser-follows.ts';
import { openSitePage, runLoginSite, sendSignIn } from './login-page.ts';
import { openPage } from './opened-page.ts';
import { runWithEvents } from './running-events.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

it.each([
  ['no JSON', `localStorage.setItem('${FOLLOWS_KEY}', '{')`],
  ['another shape', `localStorage.setItem('${FOLLOWS_KEY}', '{"length": 2}')`],
])('a browser follows although it has stored %s', async (_, script) => {
  const gateway = await runWithEvents([]);
  const { page, faults } = await openPage(browser, `${gateway.url}/offline`);
  await page.evaluate(script);
  await page.goto(gateway.url + HARBOR_PAGE);
  await page.getByRole('button', { name: 'Follow', pressed: false }).press('Enter');
  await page.getByRole('button', { name: 'Following', pressed: true }).waitFor();
  expect(await followedHere(page)).toEqual([GAME]);
  expect(faults).toEqual([]);
});

it.each([
  ['the storage is full', `Storage.prototype.setItem = () => { throw new Error('full'); }`, 'stores nothing'],
  [
    'the storage is denied',
    `Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })`,
    'stores nothing',
  ],
  [
    'it follows 50',
    `localStorage.setItem('${FOLLOWS_KEY}', JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ kind: 'event', id: String(id + 1) }))))`,
    'you can follow 50',
  ],
])('a reader gets the reason why nothing is followed when %s', async (_, script, message) => {
  const gateway = await runWithEvents([]);
  const { page, faults } = await openPage(browser, `${gateway.url}/offline`);
  await page.addInitScript(script);
  await page.goto(gateway.url + HARBOR_PAGE);
  await page.getByRole('button', { name: 'Follow', pressed: false }).press('Enter');
  await page.locator('.follow [role="alert"]').filter({ hasText: message }).waitFor();
  expect(await page.getByRole('button', { name: 'Follow', pressed: false }).isVisible()).toBe(true);
  expect(faults).toEqual([]);
});

it('a reader whose browser denies notifications of the system gets the reason', async () => {
  const gateway = await runWithEvents([]);
  const { page, faults } = await openPage(browser, `${gateway.url}/me/following`);
  await page.evaluate(`Notification.requestPermission = async () => 'denied'`);
  await page.getByRole('button', { name: 'Notifications of the system' }).press('Enter');
  await page.getByRole('alert').filter({ hasText: 'does not allow notifications' }).waitFor();
  await page.getByRole('button', { name: 'Notifications of the system', pressed: false }).waitFor();
  expect(faults).toEqual([]);
});

it('tabs show what another one follows, and load nothing for it before', async () => {
  const { url } = await runWithEvents([]);
  const { page, faults, evaluate } = await openPage(browser, url + HARBOR_PAGE);
  const other = await page.context().newPage();
  await other.goto(url + HARBOR_PAGE);
  await other.getByRole('button', { name: 'Follow', pressed: false }).waitFor();
  const loaded = `performance.getEntriesByType('resource').filter(({ name }) => /assets\\/(follow|watch)/.test(name))`;
  expect(await evaluate(`${loaded}.length`)).toBe(0);
  await other.getByRole('button', { name: 'Follow' }).press('Enter');
  await page.getByRole('button', { name: 'Following', pressed: true }).press('Enter');
  await other.getByRole('button', { name: 'Follow', pressed: false }).waitFor();
  expect(await followedHere(page)).toBeNull();
  expect(await evaluate(`${loaded}.length`)).toBe(2);
  expect(faults).toEqual([]);
});

it('a reader who signs in takes over what the browser follows by one button', async () => {
  const site = await runLoginSite();
  const { page, faults } = await openSitePage(browser, site, `/login?next=${encodeURIComponent(HARBOR_PAGE)}`);
  const player = { kind: 'player', id: 'Owl' };
  await followHere(page, [GAME, player]);
  const followed: object[] = [];
  await page.route('**/api/me/following', async (route) => {
    if (route.request().method() === 'POST') followed.push(route.request().postDataJSON() as object);
    await route.fulfill({ json: { following: [{ ...player, id: 'OWL' }, ...followed], limit: 100, quietHours: null } });
  });
  await sendSignIn(page, site.account);
  await page.waitForURL(site.gateway.url + HARBOR_PAGE);
  await page.getByText('follows 2 pages without your account').waitFor();
  await page.getByRole('button', { name: 'Follow', exact: true, pressed: false }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Follow with my account' }).press('Enter');
  await page.getByRole('button', { name: 'Following', pressed: true }).waitFor();
  expect(followed).toEqual([GAME]);
  expect(await followedHere(page)).toBeNull();
  // The account has no profile.
  expect(faults.filter((text) => !text.includes('404'))).toEqual([]);
});
