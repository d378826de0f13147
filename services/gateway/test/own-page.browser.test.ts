import { readFileSync } from 'node:fs';
import { operations } from '@lobbystats/contracts';
import { cleanUp, eventually, launchChromium, LAYOUT_FAULTS } from '@lobbystats/test-kit';
import type { Browser, Page } from 'playwright-core';
import { endSession, openSignedIn, runLoginSite, sendSignIn } from './login-page.ts';
import { rateAs } from './rating-routes.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

const PROFILE = '/me?tab=profile';

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
}

describe('own page', () => {
  it('sends changed fields alone, and shows what is stored', async () => {
    const site = await runLoginSite();
    const { page, text, faults } = await openSignedIn(browser, site, PROFILE, site.other);
    await page.getByLabel('About you').fill('Drives <b>backwards</b>.');
    const sent = page.waitForRequest((request) => request.url().endsWith(operations.updateProfile.path));
    await save(page);
    expect((await sent).postDataJSON()).toEqual({ bio: 'Drives <b>backwards</b>.' });
    await eventually(async () => {
      expect(await text('#profile-form [role="status"]')).toBe('Your profile is saved.');
    });
    expect(await page.getByLabel('About you').inputValue()).toBe('Drives <b>backwards</b>.');
    expect(faults).toEqual([]);
  });

  it('shows a saved profile at once on the public page: by its link, by going back, and in another tab', async () => {
    const site = await runLoginSite({ CACHE_BYTES: '10000000' });
    const publicPath = `/u/${encodeURIComponent(site.other.username)}`;
    const { page } = await openSignedIn(browser, site, publicPath, site.other);
    const expectBio = async (tab: Page, text: string) =>
      eventually(async () => expect(await tab.locator('#profile .bio').innerText()).toBe(text));
    await expectBio(page, '__proto__ </script>');
    const tab = await page.context().newPage();
    await tab.goto(site.gateway.url + publicPath);
    await page.getByRole('link', { name: site.other.username }).first().click();
    await page.locator('.own-tabs').getByRole('link', { name: 'Profile' }).click();
    await page.getByLabel('About you').fill('First');
    await save(page);
    await page.getByText('Your profile is saved.').waitFor();
    await page.getByRole('link', { name: 'your public page' }).click();
    expect(await page.locator('#profile .bio').innerText()).toBe('First');
    await expectBio(tab, 'First');
    await page.goBack();
    await page.getByLabel('About you').fill('Second');
    await save(page);
    await page.getByText('Your profile is saved.').waitFor();
    await page.goForward();
    await expectBio(page, 'Second');
    await expectBio(tab, 'Second');
  });

  it('shows each field and text whole, and a check box beside its label', async () => {
    const site = await runLoginSite();
    const { page, evaluate } = await openSignedIn(browser, site, PROFILE, site.other);
    await page.getByLabel('About you').waitFor();
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await evaluate(LAYOUT_FAULTS)).toEqual([]);
      const [field, box] = await Promise.all([
        page.locator('[data-field="sync_avatar_from_discord"]').boundingBox(),
        page.getByLabel('Take the avatar from Discord').boundingBox(),
      ]);
      expect(box!.width).toBeLessThan(32);
      expect(box!.x - field!.x).toBeLessThan(8);
    }
  });

  it('links a public page once there is one', async () => {
    const site = await runLoginSite();
    site.known.user.own = 'unknown';
    const { page } = await openSignedIn(browser, site, PROFILE, site.other);
    await page.locator('.no-public').waitFor();
    const link = page.getByRole('link', { name: 'your public page' });
    expect(await link.isVisible()).toBe(false);
    await page.getByLabel('About you').fill('Here I am');
    await save(page);
    await link.click();
    expect(await page.locator('#profile .bio').innerText()).toBe('Here I am');
  });

  it('tells an erased user what that means, and offers nothing that would be rejected', async () => {
    const site = await runLoginSite();
    site.known.user.own = 'erased';
    const { page, texts } = await openSignedIn(browser, site, '/me', site.other);
    await page.locator('.erased').waitFor();
    expect(await texts('.erased h2')).toEqual(['Your data have been erased']);
    expect(await texts('main button, .own-tabs a')).toEqual(['Sign out']);
    expect(await page.locator('main').innerText()).not.toContain('public page');
  });

  it('shows the color of the avatar, and takes it from a slider', async () => {
    const site = await runLoginSite();
    const { page, faults } = await openSignedIn(browser, site, PROFILE, site.other);
    const [field, slider] = [
      page.getByLabel('Color of your avatar'),
      page.getByLabel('Color of the avatar on the wheel'),
    ];
    const color = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.hue .preview')).backgroundColor`);
    await field.fill('240');
    expect([await slider.inputValue(), await color()]).toEqual(['240', 'rgb(43, 43, 130)']);
    await slider.press('ArrowRight');
    expect(await field.inputValue()).toBe('241');
    await field.fill('');
    expect(await color()).toBe('rgb(85, 97, 106)');
    await slider.fill('120');
    const sent = page.waitForRequest((request) => request.url().endsWith(operations.updateProfile.path));
    await save(page);
    expect((await sent).postDataJSON()).toEqual({ avatar_hue: 120 });
    expect(faults).toEqual([]);
  });

  it('keeps what was typed through a sign-in', async () => {
    const site = await runLoginSite();
    const opened = await openSignedIn(browser, site, PROFILE, site.other);
    const { page } = opened;
    await endSession(site, opened);
    await page.getByLabel('About you').fill('A long text');
    await page.getByLabel('Color of your avatar').fill('120');
    await save(page);
    await page.locator('.signed-out a').click();
    await sendSignIn(page, site.other);
    await page.getByText('What you had typed is here again. It is not stored yet.').waitFor();
    expect([
      await page.getByLabel('About you').inputValue(),
      await page.getByLabel('Color of your avatar').inputValue(),
    ]).toEqual(['A long text', '120']);
    const sent = page.waitForRequest((request) => request.url().endsWith(operations.updateProfile.path));
    await save(page);
    expect((await sent).postDataJSON()).toEqual({ bio: 'A long text', avatar_hue: 120 });
  });

  it('has errors of the API beside their fields, those of links and of Discord, too', async () => {
    const site = await runLoginSite();
    const { page, text } = await openSignedIn(browser, site, PROFILE);
    const expectError = async (selector: string, message: string) =>
      eventually(async () => expect(await text(selector)).toBe(message));
    await page.getByLabel('Color of your avatar').fill('red');
    await save(page);
    await expectError('#avatar_hue-error', 'Must be a whole number from 0 to 359');
    expect(await page.evaluate('document.activeElement.id')).toBe('avatar_hue');
    await page.getByLabel('Color of your avatar').fill('');
    await page.getByLabel('Your name on leaderboards').fill('x'.repeat(16));
    await save(page);
    await expectError('#linked_gamertag-error', 'Must be a text of at most 15 characters');
    expect(await text('#avatar_hue-error')).toBe('');
    await page.getByLabel('Your name on leaderboards').fill('');
    await page.getByRole('button', { name: 'Add a link' }).click();
    await page.getByLabel('Platform').fill('github');
    await page.getByLabel('Address', { exact: true }).fill('https://elsewhere.example/x');
    await save(page);
    await expectError('.link .trouble', 'Must lead to github.com for the platform github');
    await page.getByLabel('Address', { exact: true }).fill('https://github.com/x');
    await save(page);
    await expectError('#social_links-error', 'Social links need a verified Discord');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByLabel('Discord profile').fill('https://discord.com/users/12345678901234567');
    await save(page);
    await expectError('#discord_profile_url-error', 'Discord does not answer');
  });

  it('lists the ratings that were given, by page, and removes them', async () => {
    const site = await runLoginSite();
    for (let i = 0; i < 30; i += 1) rateAs(site.ratings, site.account.username, `Player ${i}`, `Comment ${i}`);
    const { page, text, texts } = await openSignedIn(browser, site, PROFILE);
    await page.locator('#given-list li').first().waitFor();
    expect([(await texts('#given-list li')).length, await text('#given-pager [data-slot="range"]')]).toEqual([
      25,
      '1–25 of 30',
    ]);
    await page.getByRole('link', { name: 'Next' }).click();
    await eventually(async () => expect(await texts('#given-list li')).toHaveLength(5));
    await page.getByRole('button', { name: 'Remove your rating of Player 29' }).click();
    await eventually(async () => expect(await texts('#given-list li')).toHaveLength(4));
    expect([site.ratings.size, await text('#given [role="status"]')]).toEqual([
      29,
      'Your rating of Player 29 is removed.',
    ]);
  });

  it('downloads the data, and erases them after the confirmation alone', async () => {
    const site = await runLoginSite();
    const opened = await openSignedIn(browser, site, '/me?tab=data', site.other);
    const { page, text } = opened;
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download your data' }).click();
    const exported = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as unknown;
    expect(exported).toMatchObject({ user: { username: site.other.username }, reputation: { given: [] } });
    await page.getByRole('button', { name: 'Erase my data…' }).click();
    await page.getByLabel('Type your username to confirm').fill('another');
    await page.getByRole('button', { name: 'Erase everything' }).click();
    expect(await text('#confirmation-error')).toBe('This is not your username');
    await page.getByRole('button', { name: 'Keep my data' }).click();
    const erasures = () => site.users.requests.filter(({ method }) => method === 'DELETE').map(({ url }) => url);
    expect(erasures()).toEqual([operations.eraseMe.path]);
    await page.getByRole('button', { name: 'Erase my data…' }).click();
    await page.getByLabel('Type your username to confirm').fill(site.other.username.toUpperCase());
    await page.keyboard.press('Enter');
    await eventually(async () => {
      expect(await text('section:first-child > .notice [role="status"]')).toBe(
        'Your data have been erased, and you are signed out. Your name stays barred here until the operators allow it again.',
      );
    });
    expect(erasures().at(-1)).toBe(`${operations.eraseMe.path}?confirmation=c0nfirmation`);
    expect([await opened.storedKey(), await page.evaluate('document.activeElement.id')]).toEqual([null, 'heading']);
  });

  it('says that the session has ended', async () => {
    const site = await runLoginSite();
    const opened = await openSignedIn(browser, site, PROFILE);
    await endSession(site, opened);
    await opened.page.getByLabel('About you').fill('x');
    await save(opened.page);
    await opened.page.locator('.signed-out').waitFor();
    expect(await opened.page.locator('#profile-form').isVisible()).toBe(false);
    expect(await opened.text('[data-account]')).toBe('Sign in');
  });
});

/** Elements that the window does not hold. */
const WIDER = `Array.from(document.querySelectorAll('body *:not(.table *, header nav *)'))
  .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map(({ tagName, className }) => tagName + ' ' + className)`;

describe('layout of the pages of a session', () => {
  it.each([320, 1920])('needs no horizontal scrolling at %i px', async (width) => {
    const site = await runLoginSite();
    rateAs(site.ratings, 'W'.repeat(32), site.other.username, 'W'.repeat(500));
    const { page, evaluate } = await openSignedIn(browser, site, PROFILE);
    await page.setViewportSize({ width, height: 740 });
    await page.getByRole('button', { name: 'Add a link' }).click();
    expect(await evaluate(WIDER)).toEqual([]);
    await page.goto(`${site.gateway.url}/u/${encodeURIComponent(site.other.username)}?tab=ratings`);
    await page.locator('#rate form').waitFor();
    expect(await evaluate(WIDER)).toEqual([]);
  });
});
