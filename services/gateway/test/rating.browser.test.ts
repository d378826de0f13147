import { operations } from '@lobbystats/contracts';
import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser, Page } from 'playwright-core';
import { endSession, openSignedIn, openSitePage, runLoginSite, sendSignIn, type LoginSite } from './login-page.ts';
import { rateAs } from './rating-routes.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

const pageOf = (username: string) => `/u/${encodeURIComponent(username)}?tab=ratings`;
const openRated = async (site: LoginSite) => openSignedIn(browser, site, pageOf(site.other.username));

async function rate(page: Page, stars: number, comment: string): Promise<void> {
  await page.getByLabel(String(stars), { exact: true }).check();
  await page.getByLabel(/^Comment/).fill(comment);
  await page.locator('#rate button.main').click();
}

describe('rating a player', () => {
  it('stores, changes and removes the own rating, and shows it in the list soon', async () => {
    const site = await runLoginSite();
    const opened = await openRated(site);
    const { page, text } = opened;
    await page.locator('#rate form').waitFor();
    await rate(page, 1, 'Left in the <b>middle</b> of a race.');
    await eventually(async () => expect(await text('#rate [role="status"]')).toBe('Your rating is stored.'));
    expect(await text('#rate .given')).toBe('You have given 1 of 5 stars.');
    await eventually(async () => expect(await text('#average')).toBe('1'));
    expect(await text('#ratings .comment')).toBe('Left in the <b>middle</b> of a race.');
    await rate(page, 5, '');
    await eventually(async () => expect(await text('#average')).toBe('5'));
    expect([...site.ratings.values()]).toMatchObject([{ stars: 5, comment: null }]);
    await page.getByRole('button', { name: 'Remove my rating' }).click();
    await eventually(async () => expect(await text('#rate [role="status"]')).toBe('Your rating is removed.'));
    expect([site.ratings.size, await page.locator('#rate .remove').isVisible()]).toEqual([0, false]);
    expect(opened.faults).toEqual([]);
  });

  it('has errors beside their fields', async () => {
    const site = await runLoginSite();
    const { page, text } = await openRated(site);
    await page.locator('#rate form').waitFor();
    await page.locator('#rate button.main').click();
    await eventually(async () => expect(await text('#stars-error')).toBe('Must be a whole number from 1 to 5'));
    await rate(page, 3, 'x'.repeat(501));
    await eventually(async () => {
      expect([await text('#stars-error'), await text('#comment-error')]).toEqual([
        '',
        'Must be a text of at most 500 characters',
      ]);
    });
    expect(await page.evaluate('document.activeElement.id')).toBe('comment');
  });

  it('keeps what was typed through a sign-in, for the same user alone', async () => {
    const site = await runLoginSite();
    const opened = await openRated(site);
    const { page, text } = opened;
    await page.locator('#rate form').waitFor();
    await endSession(site, opened);
    await rate(page, 4, 'Always on time.');
    await page.locator('#rate .signed-out a').click();
    await sendSignIn(page, site.account);
    await page.locator('#rate form').waitFor();
    await eventually(async () => {
      expect(await page.getByLabel(/^Comment/).inputValue()).toBe('Always on time.');
    });
    expect(await text('#rate [role="status"]')).toBe('What you had typed is here again. It is not stored yet.');
    await endSession(site, opened);
    await page.locator('#rate button.main').click();
    await page.locator('#rate .signed-out a').click();
    await sendSignIn(page, site.other);
    await page.locator('#rate .own').waitFor();
    expect(await page.getByLabel(/^Comment/).inputValue()).toBe('');
    expect(site.ratings.size).toBe(0);
  });

  it('shows a rating in the other tabs of the browser, the form, too', async () => {
    const site = await runLoginSite();
    const opened = await openRated(site);
    await opened.page.locator('#rate form').waitFor();
    const tab = await opened.page.context().newPage();
    await tab.goto(opened.page.url());
    await tab.locator('#rate form').waitFor();
    await rate(opened.page, 2, 'Slow');
    await eventually(async () => {
      expect(await tab.locator('#ratings .comment').allInnerTexts()).toEqual(['Slow']);
      expect(await tab.locator('#rate .given').innerText()).toBe('You have given 2 of 5 stars.');
    });
    await rate(tab, 3, 'Less slow');
    await eventually(async () => expect(await opened.texts('#ratings .comment')).toEqual(['Less slow']));
  });

  it('is not offered to a user whose data have been erased', async () => {
    const site = await runLoginSite();
    site.known.user.own = 'erased';
    const { page, text } = await openRated(site);
    await page.locator('#rate .erased').waitFor();
    expect(await page.locator('#rate form').isVisible()).toBe(false);
    expect(await text('#rate .erased')).toBe('Your data here have been erased: you can not rate. What erasure means');
  });

  it('says that the session has ended when another tab signs out while it asks for the rating', async () => {
    const site = await runLoginSite();
    const { page, text } = await openRated(site);
    await page.locator('#rate form').waitFor();
    await page.route('**/reputation?*', async (route) => {
      await page.evaluate('localStorage.clear()');
      await route.continue();
    });
    await page.evaluate(`new BroadcastChannel('lobbystats-writes').postMessage('')`);
    await eventually(async () => {
      expect(await text('#rate [role="alert"]')).toBe('Your session has ended. Please sign in again.');
    });
  });

  it('says that the session has ended, and asks to sign in again', async () => {
    const site = await runLoginSite();
    const opened = await openRated(site);
    const { page, text } = opened;
    await page.locator('#rate form').waitFor();
    await endSession(site, opened);
    await rate(page, 4, '');
    await page.locator('#rate .signed-out').waitFor();
    await eventually(async () => {
      expect(await text('#rate [role="alert"]')).toBe('Your session has ended. Please sign in again.');
    });
    expect([await page.locator('#rate form').isVisible(), site.ratings.size]).toEqual([false, 0]);
    expect(await opened.storedKey()).toBeNull();
  });

  it('is not offered without a session, nor on the own profile, where comments can be reported', async () => {
    const site = await runLoginSite();
    rateAs(site.ratings, site.account.username, site.other.username, '<script>window.pwned = 1</script>');
    const path = pageOf(site.other.username);
    const reader = await openSitePage(browser, site, path);
    expect([await reader.page.locator('#rate form').isVisible(), await reader.text('#rate .signed-out')]).toEqual([
      false,
      'Sign in to rate and comment.',
    ]);
    expect(await reader.page.locator('[data-island="report"] details').count()).toBe(0);
    const { page, text, evaluate } = await openSignedIn(browser, site, path, site.other);
    await page.getByText('Report this comment').click();
    expect([await page.locator('#rate form').isVisible(), await text('#rate .own')]).toEqual([
      false,
      'This is your profile: change it.',
    ]);
    await page.getByLabel('Reason').fill('A threat');
    const sent = page.waitForRequest((request) => request.url().endsWith(operations.reportComment.path));
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    expect((await sent).postDataJSON()).toEqual({ raterUsername: site.account.username, reason: 'A threat' });
    await eventually(async () => {
      expect(await text('[data-island="report"] [role="status"]')).toBe('The operators have your report.');
    });
    expect(await evaluate('window.pwned')).toBeUndefined();
  });
});
