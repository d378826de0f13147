import { cleanUp, launchChromium, LAYOUT_FAULTS } from '@lobbystats/test-kit';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults } from '@lobbystats/test-kit/accessibility';
import { activity } from './day.ts';
import { openSignedIn, runLoginSite } from './login-page.ts';
import { HARBOR, RALLY } from './network.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

const ZONE = { timezoneId: 'America/St_Johns' };
const AT = '2027-01-15 02:55:00';
/** In Newfoundland it is the day before. */
const LOCAL_TIME = /^(Thu )?14 Jan( 2027)?, 23:25$/;

const NOTIFICATION = {
  ...{ id: 'n1', at: AT, kind: 'leaderboard', target: '4d530064:17', rule: 'records', count: 1, expiresAt: null },
  ...{ title: 'A record on Old Pier', text: '<b>Owl</b>: 0:49.200', url: 'https://stats.example/game/4d530064' },
};

async function followGames(page: Page, titleIds: readonly string[]): Promise<void> {
  const followed = { rules: {}, followedAt: AT };
  const following = titleIds.map((id) => ({ kind: 'game', id, ...followed }));
  await page.route('**/api/me/following', (route) =>
    route.fulfill({ json: { following, limit: 100, quietHours: null } }),
  );
  await page.route('**/api/me/notifications*', (route) => route.fulfill({ json: { notifications: [NOTIFICATION] } }));
  await page.reload();
}

describe('own page', () => {
  it('has tabs that lead from one to the next, and links to former sections of it lead to their tabs', async () => {
    const site = await runLoginSite();
    const { page, texts, faults } = await openSignedIn(browser, site, '/me', site.other);
    await page.locator('#story').waitFor();
    const shown: string[] = [];
    for (const [name, content] of [
      ['Following', '#followed'],
      ['Profile', '#profile-form'],
      ['Data', '#erasure'],
      ['Overview', '#followed-now'],
    ] as const) {
      await page.locator('.own-tabs').getByRole('link', { name }).click();
      await page.locator(content).waitFor();
      shown.push(...(await texts('.own-tabs [aria-current]')));
    }
    expect(shown).toEqual(['Following', 'Profile', 'Data', 'Overview']);
    for (const [path, address] of [
      ['/me#data', '/me?tab=data#data'],
      ['/me#given', '/me?tab=profile#given'],
      ['/me?ratingsOffset=25#given', '/me?ratingsOffset=25#given'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(site.gateway.url + path);
      await page.waitForURL(site.gateway.url + address);
      await page.locator(address.slice(address.indexOf('#'))).waitFor();
    }
    expect(faults).toEqual([]);
  });

  it('shows followed games as they are now, and the newest notifications in local time', async () => {
    const site = await runLoginSite();
    site.known.activity.slot = '2027-01-15T08:00:00Z';
    site.known.activity.titles = [activity(RALLY.titleId, 3, []), activity(HARBOR.titleId, 9, ['Host'])];
    const { page, texts, evaluate, faults } = await openSignedIn(browser, site, '/me', site.other, ZONE);
    await followGames(page, [RALLY.titleId, HARBOR.titleId]);
    await page.locator('#followed-now').waitFor();
    expect(await texts('#followed-games li')).toEqual(['Harbor Racing · 9 online · 1 open lobby', 'Rally · 3 online']);
    expect(await texts('#notification-list li a')).toEqual(['A record on Old Pier']);
    expect(await texts('#notification-list time')).toEqual([expect.stringMatching(LOCAL_TIME)]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await evaluate(LAYOUT_FAULTS)).toEqual([]);
    await page.goto(`${site.gateway.url}/me/following`);
    await page.locator('#notification-list time').waitFor();
    expect(await texts('#notification-list time')).toEqual([expect.stringMatching(LOCAL_TIME)]);
    expect(faults).toEqual([]);
  });

  it('leaves news to the panel of all pages until the reader has seen them', async () => {
    const site = await runLoginSite();
    const { page, texts, faults } = await openSignedIn(browser, site, '/login', site.other);
    const at = new Date().toISOString().slice(0, 19).replace('T', ' ');
    const game = { kind: 'game', target: HARBOR.titleId, rule: 'lobbyPlayers', title: 'Lobby in Harbor Racing' };
    const lobby = { ...NOTIFICATION, ...game, at, id: 'n2', count: 2, text: 'Owl has a lobby\nElk has a lobby' };
    const past = '2026-01-15 02:55:00';
    const expired = { ...lobby, id: 'n3', expiresAt: past };
    const notifications = [lobby, expired, { ...NOTIFICATION, at, id: 'n4' }, { ...NOTIFICATION, at: past }];
    await page.route('**/api/me/notifications*', (route) => route.fulfill({ json: { notifications } }));
    await page.goto(`${site.gateway.url}/games`);
    await page.locator('.notices li').nth(1).waitFor();
    expect(await texts('.notices li a')).toEqual([lobby.title, NOTIFICATION.title]);
    expect(await texts('.notices li p')).toEqual(['Owl has a lobby, and 1 more', NOTIFICATION.text]);
    expect(await page.title()).toMatch(/^\(2\) /);
    expect(await page.locator('a[data-account]').getAttribute('data-count')).toBe('2');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: `Dismiss: ${lobby.title}` }).press('Enter');
    await page.reload();
    await page.locator('.notices li').waitFor();
    expect(await texts('.notices li a')).toEqual([NOTIFICATION.title]);
    await page.goto(`${site.gateway.url}/me/following`);
    await page.locator('#notification-list li').nth(3).waitFor();
    expect(await page.locator('.notices li').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('leads a reader who follows nothing to the page that says how', async () => {
    const site = await runLoginSite();
    const { page } = await openSignedIn(browser, site, '/me', site.other);
    await followGames(page, []);
    await page.locator('#notification-list li').waitFor();
    expect(await page.locator('#followed-games li').count()).toBe(0);
    await page.getByRole('link', { name: 'What you follow, and where notifications go' }).click();
    await page.getByText('You follow nothing yet').waitFor();
  });
});
