import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { openLogin, runLoginSite, signIn, type LoginPage } from './login-page.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
}, 30_000);

const storedKey = ({ evaluate }: LoginPage) =>
  evaluate<string | null>(`JSON.parse(localStorage.getItem('service_auth'))?.sessionKey ?? null`);

describe('login page', () => {
  it('signs in, stays signed in after a reload, verifies the session and signs out', async () => {
    const site = await runLoginSite();
    const opened = await openLogin(browser, site);
    const { page, text, faults } = opened;
    await signIn(page, site.account);
    await page.locator('#signed-in').waitFor();
    expect(await text('#username')).toBe(site.account.username);
    expect(await text('#user-email')).toBe(site.account.email);
    expect(await text('#session-status')).toBe('You are signed in.');
    expect(await page.locator('#sign-in').isVisible()).toBe(false);
    await page.reload();
    await page.locator('main[data-state="ready"]').waitFor();
    expect(await text('#username')).toBe(site.account.username);
    await page.getByRole('button', { name: 'Check the session' }).click();
    await eventually(async () => {
      expect(await text('#session-status')).toBe('The session is valid.');
    });
    const sessionKey = (await storedKey(opened))!;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('#sign-in').waitFor();
    expect(await text('#session-status')).toBe('You are signed out.');
    expect(await opened.evaluate('localStorage.length')).toBe(0);
    await page.reload();
    await page.locator('#sign-in').waitFor();
    expect(opened.requests.filter(({ url }) => url.includes(sessionKey))).toEqual([]);
    expect(opened.requests.filter(({ referer }) => referer !== '')).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('ends the session at the auth service on sign-out', async () => {
    const site = await runLoginSite();
    const opened = await openLogin(browser, site);
    await signIn(opened.page, site.account);
    await opened.page.locator('#signed-in').waitFor();
    const stored = await opened.evaluate<string>(`localStorage.getItem('service_auth')`);
    const done = opened.page.waitForResponse(/\/api\/auth\/logout$/);
    await opened.page.getByRole('button', { name: 'Sign out' }).click();
    expect((await done).status()).toBe(200);
    await opened.evaluate(`localStorage.setItem('service_auth', ${JSON.stringify(stored)})`);
    await opened.page.reload();
    await opened.page.locator('main[data-state="ready"]').waitFor();
    expect(await opened.text('#session-status')).toBe('You are signed out.');
    expect(await storedKey(opened)).toBeNull();
  });

  it('announces a wrong password, to screen readers too, and allows another attempt', async () => {
    const site = await runLoginSite();
    const { page, text, faults } = await openLogin(browser, site);
    await signIn(page, { ...site.account, password: 'wrong' });
    await eventually(async () => {
      expect(await page.getByRole('alert').allInnerTexts()).toContain('Invalid email or password');
    });
    expect(await page.evaluate('document.activeElement.id')).toBe('password');
    await signIn(page, site.account);
    await page.locator('#signed-in').waitFor();
    expect(await text('#session-error')).toBe('');
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  });

  it('follows the session of another tab', async () => {
    const site = await runLoginSite();
    const first = await openLogin(browser, site);
    const second = await first.openTab();
    await signIn(first.page, site.account);
    await second.locator('#signed-in').waitFor();
    expect(await second.locator('#username').innerText()).toBe(site.account.username);
    await second.getByRole('button', { name: 'Sign out' }).click();
    await first.page.locator('#sign-in').waitFor();
    expect(await first.text('#session-status')).toBe('You are signed out.');
    await signIn(second, site.other);
    await first.page.locator('#signed-in').waitFor();
    expect(await first.text('#username')).toBe(site.other.username);
    expect(first.faults).toEqual([]);
  });

  it('keeps the session while the auth service is down, and shows a notice', async () => {
    const site = await runLoginSite();
    const opened = await openLogin(browser, site);
    const { page, text } = opened;
    await signIn(page, site.account);
    await page.locator('#signed-in').waitFor();
    await site.auth.stop();
    await page.reload();
    await page.locator('main[data-state="ready"]').waitFor();
    expect(await text('#username')).toBe(site.account.username);
    expect(await text('#session-error')).toBe('The auth service can not be reached. You stay signed in here.');
    await site.auth.start();
    await page.getByRole('button', { name: 'Check the session' }).click();
    await eventually(async () => {
      expect(await text('#session-status')).toBe('The session is valid.');
    });
    expect(await text('#session-error')).toBe('');
    await site.auth.stop();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await eventually(async () => {
      expect(await text('#session-error')).toBe('You are signed out here, but the auth service could not be told.');
    });
    await signIn(page, site.account);
    await eventually(async () => {
      expect(await text('#session-error')).toBe('The auth service can not be reached');
    });
  });

  it('shows the demo accounts for a simulated network only', async () => {
    const site = await runLoginSite();
    const { page, text } = await openLogin(browser, site);
    expect(await text('#simulated')).toMatch(/simulated/i);
    const accounts = (await page.locator('#simulated a').getAttribute('href'))!;
    expect(await (await fetch(accounts)).json()).toContainEqual(expect.objectContaining({ email: site.account.email }));
    await page.evaluate(`document.documentElement.dataset.network = 'fans.example'`);
    expect(await page.locator('#simulated').isVisible()).toBe(false);
  });
});
