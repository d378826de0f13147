import { formatInstant, slotStored } from '@lobbystats/contracts';
import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Friend } from '@lobbystats/service-auth';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '@lobbystats/test-kit/accessibility';
import { BOARD_PAGE, runBoardGateway } from './board-gateway.ts';
import { activity } from './day.ts';
import { openSitePage, READY, runLoginSite, sendSignIn, type LoginPage, type LoginSite } from './login-page.ts';
import { HARBOR } from './network.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

const FRIENDS: readonly Friend[] = [
  { gamertag: 'Lone Elk', status: 'offline', isOnline: false, lastSeen: '2 hours ago' },
  { gamertag: 'Host', status: 'online', isOnline: true, game: HARBOR.name, duration: '12 minutes' },
  { gamertag: '<b>Owl</b>', status: 'online', isOnline: true },
];

/** Signs in as a user with friends; two of them host lobbies. */
async function openAmongFriends(site: LoginSite, path: string, friends = FRIENDS): Promise<LoginPage> {
  const opened = await openSitePage(browser, site, `/login?next=${encodeURIComponent(path)}`);
  await opened.page.route('**/api/auth/friends', (route) =>
    route.fulfill({
      json: { friends, lastUpdated: null, count: friends.length },
      headers: { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': 'Content-Type, X-Session-Key' },
    }),
  );
  await sendSignIn(opened.page, site.account);
  await opened.page.waitForURL(site.gateway.url + path);
  await opened.page.locator(READY).waitFor({ state: 'attached' });
  return opened;
}

async function runSite(): Promise<LoginSite> {
  const site = await runLoginSite();
  site.known.activity.slot = '2027-01-15T08:00:00Z';
  site.known.activity.titles = [activity(HARBOR.titleId, 9, ['Stranger', 'Host', 'Lone Elk', site.account.username])];
  site.known.usersOnline = ['Adair', site.account.username, 'Lone Elk', 'zora'].map(inNoGame);
  return site;
}

const inNoGame = (username: string) => ({ username, titleId: null, game: null });

describe('friends', () => {
  it('who are online stand above the lobbies, with their game and lobby, and can be compared with', async () => {
    const site = await runSite();
    const { page, texts, evaluate, faults, requests } = await openAmongFriends(site, '/live');
    expect(await texts('.friends li')).toEqual([
      `Host plays ${HARBOR.name} for 12 min · open lobby · compare`,
      '<b>Owl</b> · compare',
    ]);
    expect(await texts('[data-friends] h2')).toEqual(['Friends online (2 of 3)']);
    const hrefs = await evaluate<string[]>(
      `Array.from(document.querySelectorAll('.friends li:first-child a'), (link) => link.getAttribute('href'))`,
    );
    expect(hrefs.slice(0, 2)).toEqual(['/u/Host', `/game/${encodeURIComponent(HARBOR.name)}`]);
    expect(hrefs[3]).toBe(`/compare?players=Ember%20Fox,Host`);
    await page.getByRole('link', { name: 'open lobby' }).click();
    expect(await page.locator(':target th').innerText()).toContain('Host');
    expect(await accessibilityFaults(page)).toEqual([]);
    // The names of friends stay in the browser.
    expect(
      requests.filter(({ url }) => url.startsWith(site.gateway.url) && /Owl|Lone/.test(decodeURIComponent(url))),
    ).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('keep focus and selection when their list changes', async () => {
    const site = await runSite();
    const { known, gateway } = site;
    const { page, texts, evaluate, faults } = await openAmongFriends(site, '/live');
    await page.locator('.friends li', { hasText: 'Owl' }).getByRole('link', { name: 'compare' }).focus();
    await evaluate(`getSelection().selectAllChildren(document.querySelector('.friends li:first-child a'))`);
    known.activity.titles = [activity(HARBOR.titleId, 9, ['<b>Owl</b>'])];
    await eventually(async () => {
      await gateway.bus.publish(slotStored, { slot: formatInstant(known.newest), online: 9, lobbies: null });
      expect(await texts('.friends li')).toEqual([
        `Host plays ${HARBOR.name} for 12 min · compare`,
        '<b>Owl</b> · open lobby · compare',
      ]);
    });
    expect(
      await evaluate(`[document.activeElement.textContent, document.activeElement.search, String(getSelection())]`),
    ).toEqual(['compare', '?players=Ember%20Fox,%3Cb%3EOwl%3C%2Fb%3E', 'Host']);
    expect(faults).toEqual([]);
  });

  it('see their own entry above a leaderboard, with the next target', async () => {
    const site = await runSite();
    const names = ['Owl', 'Elk', 'Ember Fox', 'Pike'];
    const board = await runBoardGateway({ names });
    const { page, evaluate, faults } = await openAmongFriends(site, '/live');
    await page.route(`${site.gateway.url}/api/title/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const { body } = await board.request(pathname + search);
      await route.fulfill({ json: body });
    });
    await page.goto(site.gateway.url + BOARD_PAGE);
    await page.locator('.pinned').waitFor();
    expect(await page.locator('.pinned').innerText()).toBe(
      'You: Rank 3 of 4 · 0:49.500 · next target: rank 2, 0.100 s faster · Around me',
    );
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator('.pinned a').focus();
    names.unshift('Newcomer');
    await evaluate(`document.querySelector('main').dispatchEvent(new Event('outdated'))`);
    await page.locator('.pinned', { hasText: 'Rank 4 of 5' }).waitFor();
    expect(await evaluate(`document.activeElement.matches('.pinned a')`)).toBe(true);
    expect(faults).toEqual([]);
  });

  it('and the reader are marked in tables, and a filter in the URL leaves their rows', async () => {
    const site = await runSite();
    const { page, texts, evaluate } = await openAmongFriends(site, '/live');
    const marked = () =>
      evaluate<(string | null)[]>(
        `Array.from(document.querySelectorAll('#lobbies tbody tr'), (row) => row.getAttribute('data-person'))`,
      );
    expect(await marked()).toEqual(['friend', 'friend', 'own', null]);
    await page.getByLabel('Only friends and me').check();
    await page.locator('.only tbody th').nth(2).waitFor();
    expect(await texts('.only tbody th a')).toEqual(['Host', 'Lone Elk', site.account.username].toSorted());
    expect(await texts('#lobbies .table')).toEqual([]);
    expect(await texts('.people li > a')).toEqual([site.account.username, 'Lone Elk']);
    expect(page.url()).toBe(`${site.gateway.url}/live?friends=only`);
    await page.reload();
    await page.locator(READY).waitFor({ state: 'attached' });
    await page.locator('.only tbody th').nth(2).waitFor();
    await page.getByLabel('Only friends and me').uncheck();
    expect(await texts('#lobbies tbody th a')).toHaveLength(4);
    expect(page.url()).toBe(`${site.gateway.url}/live`);
  });

  it('and the reader have a board of their own, whatever page of the leaderboard they are on', async () => {
    const site = await runSite();
    const names = Array.from({ length: 120 }, (_, index) => `Player ${index}`);
    names[70] = 'Host';
    names[110] = 'Ember Fox';
    const board = await runBoardGateway({ names });
    const { page, texts, requests } = await openAmongFriends(site, '/live');
    await page.route(`${site.gateway.url}/api/title/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const { body } = await board.request(pathname + search);
      await route.fulfill({ json: body });
    });
    await page.goto(site.gateway.url + BOARD_PAGE);
    await page.getByLabel('Only friends and me').check();
    await page.locator('.only tbody tr').nth(1).waitFor();
    expect(await texts('.only tbody tr')).toEqual(['71\tHost\t0:56.300', '111\tEmber Fox\t1:00.300']);
    expect(await texts('#entries > .table')).toEqual([]);
    expect(
      requests.filter(({ url }) => url.startsWith(site.gateway.url) && /Host|Owl|Lone/.test(decodeURIComponent(url))),
    ).toEqual([]);
    names.splice(0, names.length, 'Stranger');
    await page.reload();
    await page.locator('.only .empty').waitFor();
    expect(await texts('.only')).toEqual(['Neither you nor any of your 3 friends is on this leaderboard.']);
  });

  it('are marked when the script of another part can not be loaded', async () => {
    const site = await runSite();
    const { page } = await openAmongFriends(site, '/live');
    await page.route(/\/friends-[^/]*\.js$/, (request) => request.abort());
    await page.reload();
    await page.locator('#lobbies [data-person="friend"]').first().waitFor();
    expect(await page.locator('.friends').count()).toBe(0);
  });

  it('stand first among the hosts, in rows that stay the same through an update', async () => {
    const site = await runSite();
    const { known, gateway, account } = site;
    const { page, texts, evaluate, faults } = await openAmongFriends(site, '/live');
    const hosts = () => texts('#lobbies tbody th a');
    expect(await hosts()).toEqual(['Host', 'Lone Elk', account.username, 'Stranger']);
    const online = () => texts('.people li > a');
    expect(await online()).toEqual([account.username, 'Lone Elk', 'Adair', 'zora']);
    await page.locator('#lobbies a', { hasText: 'Lone Elk' }).focus();
    await evaluate(`{
      globalThis.elk = document.activeElement.closest('tr');
      globalThis.firsts = new Set();
      const note = () => firsts.add(document.querySelector('#lobbies tbody th a').textContent);
      new MutationObserver(note).observe(document.querySelector('#lobbies tbody'), { childList: true });
    }`);
    known.activity.titles = [
      activity(HARBOR.titleId, 9, ['Newcomer', 'Stranger', 'Lone Elk', account.username, 'Host']),
    ];
    known.usersOnline = ['Adair', 'Bea', account.username, 'Lone Elk', 'zora'].map(inNoGame);
    // Repeated, because the page does not show when its stream is open.
    await eventually(async () => {
      await gateway.bus.publish(slotStored, { slot: formatInstant(known.newest), online: 9, lobbies: null });
      expect(await hosts()).toEqual(['Lone Elk', account.username, 'Host', 'Newcomer', 'Stranger']);
    });
    expect(await evaluate(`document.querySelector('#lobbies tbody tr') === elk`)).toBe(true);
    expect(await evaluate(`elk.contains(document.activeElement)`)).toBe(true);
    expect(await online()).toEqual([account.username, 'Lone Elk', 'Adair', 'Bea', 'zora']);
    // No stranger has stood above a friend meanwhile.
    expect(await evaluate(`[...firsts]`)).toEqual(['Lone Elk']);
    expect(faults).toEqual([]);
  });

  it('are gone after the sign-out, and all rows have the order of the page', async () => {
    const site = await runSite();
    const { page, texts, openTab } = await openAmongFriends(site, '/live?friends=only');
    const tab = await openTab();
    await tab.goto(`${site.gateway.url}/me`);
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await eventually(async () => expect(await texts('#lobbies tbody th a')).toHaveLength(4));
    expect(await page.locator('.friends, [data-person]').count()).toBe(0);
    expect(await texts('#lobbies tbody th a')).toEqual(['Stranger', 'Host', 'Lone Elk', site.account.username]);
  });

  it('can be none', async () => {
    const { texts } = await openAmongFriends(await runSite(), '/live', []);
    expect(await texts('[data-friends] .empty')).toEqual(['The network knows no friends of yours']);
  });

  it('are all offered for a comparison with the reader', async () => {
    const { page, faults } = await openAmongFriends(await runSite(), '/compare?tab=players');
    const items = page.locator('.friends li');
    await items.first().waitFor();
    expect(await items.allInnerTexts()).toHaveLength(FRIENDS.length);
    expect(
      await items.filter({ hasText: 'Lone Elk' }).getByRole('link', { name: 'compare' }).getAttribute('href'),
    ).toBe('/compare?players=Ember%20Fox,Lone%20Elk');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('stand on the own page, and the page of a player offers a comparison with the reader', async () => {
    const site = await runSite();
    const { page, texts } = await openAmongFriends(site, '/me');
    expect(await texts('.friends li')).toHaveLength(2);
    await page.goto(`${site.gateway.url}/u/Host`);
    await page.getByRole('link', { name: 'Compare with me' }).waitFor();
    expect(await page.getByRole('link', { name: 'Compare with me' }).getAttribute('href')).toBe(
      `/compare?players=Ember%20Fox,Host`,
    );
  });
});

describe('page without a session', () => {
  it('has nothing of friends, and loads nothing for them', async () => {
    const gateway = await runBoardGateway({ names: ['Ember Fox'] });
    const { page, requests } = await openSitePage(browser, { gateway }, BOARD_PAGE);
    await page.reload();
    await page.locator(READY).waitFor({ state: 'attached' });
    expect(await page.locator('[data-friends] > *, [data-person]').count()).toBe(0);
    expect(requests.filter(({ url }) => url.includes('service-auth'))).toEqual([]);
  });
});
