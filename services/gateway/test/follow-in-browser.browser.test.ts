import { changeRecorded, matchOpened, slotStored } from '@lobbystats/contracts';
import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults } from '@lobbystats/test-kit/accessibility';
import { followHere, followedHere, GAME, HARBOR_PAGE } from './browser-follows.ts';
import { READY } from './login-page.ts';
import { HARBOR, NEWEST, RALLY } from './network.ts';
import { openPage } from './opened-page.ts';
import { slotData } from './running-cache.ts';
import { eventAt, runWithEvents } from './running-events.ts';
import type { RunningGateway } from './running-gateway.ts';

const OTHER_GAME = { kind: 'game', id: RALLY.titleId };
const HOSTILE = '<img src=x onerror=alert(1)>';
const [change] = changeRecorded.example.changes;

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

/** Opens a page in a browser that follows, and waits until it reads the stream. */
async function openFollowing(gateway: RunningGateway, path: string, follows: unknown) {
  const opened = await openPage(browser, `${gateway.url}/offline`, {
    permissions: ['notifications'],
    serviceWorkers: 'allow',
  });
  await followHere(opened.page, follows);
  await goReading(opened.page, gateway.url + path);
  return opened;
}

/** Goes to a page that reads the topics of games, or others. */
async function goReading(page: Page, url: string, topics = 'events,matches'): Promise<void> {
  // The stream of the page before may still be answered, before this page is there.
  await page.goto(url, { waitUntil: 'commit' });
  const stream = page.waitForResponse(
    (response) => new URL(response.url()).searchParams.get('topics') === topics && response.ok(),
  );
  await page.locator(READY).waitFor({ state: 'attached' });
  await stream;
}

async function openLobby({ bus }: RunningGateway, { id: titleId }: { id: string }, ...hosts: string[]): Promise<void> {
  const slot = new Date(NEWEST * 1000).toISOString().replace('.000', '');
  const matches = hosts.map((host) => ({ titleId, host, players: 2, maxPlayers: 8 }));
  await bus.publish(matchOpened, { slot, matches });
}

const notices = (page: Page) => page.locator('.notices li');

describe('a reader without an account', () => {
  it('follows a game by the keyboard, and is notified of its lobbies on other pages', async () => {
    const gateway = await runWithEvents([]);
    const { page, faults, tabTo, texts } = await openPage(browser, gateway.url + HARBOR_PAGE);
    await tabTo('.follow button');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Following', pressed: true }).waitFor();
    await page.getByText('in this browser, which notifies you').waitFor();
    await goReading(page, `${gateway.url}/games`);
    const title = await page.title();
    await openLobby(gateway, OTHER_GAME, 'Elk');
    await openLobby(gateway, GAME, 'Owl', HOSTILE);
    await notices(page).first().waitFor();
    expect(await texts('.notices li p')).toEqual([`${HOSTILE} has a lobby with 2 of 8 players, and 1 more`]);
    expect(await texts('.notices li a')).toEqual([`Lobby in ${HARBOR.name}`]);
    expect(await page.title()).toBe(`(1) ${title}`);
    // As an update of the page does.
    await page.evaluate(`document.title = ${JSON.stringify(title)}`);
    await eventually(async () => expect(await page.title()).toBe(`(1) ${title}`));
    expect(await page.locator('[role="status"].hidden').innerText()).toContain(`Lobby in ${HARBOR.name}`);
    expect(await accessibilityFaults(page)).toEqual([]);
    await tabTo('.notices li button');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await notices(page).count()).toBe(0));
    expect(await page.title()).toBe(title);
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect(faults).toEqual([]);
  });

  it('is not notified of what the page shows, nor of what a page of it has shown since', async () => {
    const gateway = await runWithEvents([]);
    const { page, texts } = await openFollowing(gateway, HARBOR_PAGE, [GAME, OTHER_GAME]);
    await openLobby(gateway, GAME, 'Owl');
    await openLobby(gateway, OTHER_GAME, 'Elk');
    await notices(page).first().waitFor();
    expect(await texts('.notices li a')).toEqual([`Lobby in ${RALLY.name}`]);
    await page.locator('.notices li a').press('Enter');
    await page.waitForURL(`${gateway.url}/game/${RALLY.titleId}`);
    await page.locator(READY).waitFor({ state: 'attached' });
    expect(await notices(page).count()).toBe(0);
  });

  it('asks for notifications of the system by a button alone, and gets one from several tabs', async () => {
    const gateway = await runWithEvents([]);
    const { page } = await openFollowing(gateway, '/games', [GAME]);
    const context = page.context();
    await context.addInitScript(`
      window.asked = 0;
      const ask = Notification.requestPermission.bind(Notification);
      Notification.requestPermission = () => { window.asked += 1; return ask(); };
      window.systemNotices = [];
      const show = ServiceWorkerRegistration.prototype.showNotification;
      ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
        window.systemNotices.push([title, options.body, options.data]);
        return show.call(this, title, options);
      };`);
    await goReading(page, `${gateway.url}/me/following`);
    expect(await page.evaluate('window.asked')).toBe(0);
    await page.getByRole('button', { name: 'Notifications of the system' }).press('Enter');
    await page.getByRole('button', { name: 'Notifications of the system', pressed: true }).waitFor();
    expect(await page.evaluate('window.asked')).toBe(1);
    const others = await Promise.all([context.newPage(), context.newPage()]);
    for (const other of others) {
      await other.goto(`${gateway.url}/games`);
      await other.locator(READY).waitFor({ state: 'attached' });
    }
    await openLobby(gateway, GAME, 'Owl');
    const tabs = [page, ...others];
    for (const tab of tabs) await notices(tab).first().waitFor();
    const shown = async () => (await Promise.all(tabs.map((tab) => tab.evaluate<unknown[]>('systemNotices')))).flat();
    await eventually(async () =>
      expect(await shown()).toEqual([[`Lobby in ${HARBOR.name}`, 'Owl has a lobby with 2 of 8 players', HARBOR_PAGE]]),
    );
    await notices(page).getByRole('button').press('Enter');
    for (const tab of tabs) await eventually(async () => expect(await notices(tab).count()).toBe(0));
    // The tab that reads the stream is closed: another one goes on, and tells no more than once in ten minutes.
    const next = others[0].waitForRequest((request) => request.url().includes('matches'));
    const last = others[1].waitForRequest((request) => request.url().includes('matches'));
    await page.close();
    await (await Promise.any([next, last])).response();
    await openLobby(gateway, GAME, 'Elk');
    tabs.shift();
    for (const tab of tabs) await notices(tab).first().waitFor();
    expect(await shown()).toEqual([]);
  });

  it('gets no flood of what happened while the computer slept', async () => {
    const gateway = await runWithEvents([]);
    const { page, texts } = await openFollowing(gateway, '/games', [GAME]);
    await page.evaluate(`{ const now = Date.now; Date.now = () => now() + 3_600_000; }`);
    const reopened = page.waitForResponse((response) => response.url().includes('topics=events'));
    await openLobby(gateway, GAME, 'Owl', 'Elk', 'Pike');
    await reopened;
    await openLobby(gateway, GAME, 'Wren');
    await notices(page).first().waitFor();
    expect(await texts('.notices li p')).toEqual(['Wren has a lobby with 2 of 8 players']);
  });

  it('is notified once of an event that begins soon, of a record, and of a player', async () => {
    const event = eventAt(NEWEST + 20 * 60, null, { id: 7, title: 'Derby', title_id: HARBOR.titleId });
    const gateway = await runWithEvents([event]);
    const { page } = await openPage(browser, `${gateway.url}/offline`, {});
    const board = { kind: 'leaderboard', id: `${change!.titleId}:${change!.leaderboardId}` };
    const player = { kind: 'player', id: 'Ember Fox' };
    const stranger = { kind: 'player', id: 'Stranger' };
    const follows = [GAME, { kind: 'event', id: '7' }, board, stranger, player];
    await followHere(page, follows);
    let lastState = 'offline';
    await page.route('**/api/profile/**', (route) =>
      route.fulfill({ json: { playTime: { lastState, currentGame: 'Harbor' } } }),
    );
    // A change that is rank 1, too, is no record.
    const tie = { ...change!, id: change!.id + 1, playerName: 'Elk', newRank: 1 };
    const found = { ...change!, playerName: 'Owl', newRank: 1 };
    await page.route('**/api/changes?*records=only*', (route) => {
      const after = Number(new URL(route.request().url()).searchParams.get('after'));
      return route.fulfill({ json: { changes: after < found.id ? [found] : [] } });
    });
    let strangerRequests = 0;
    await page.route('**/api/profile/Stranger', (route) => {
      strangerRequests += 1;
      return route.fulfill({ status: 404, json: { error: 'Unknown user' } });
    });
    await page.clock.install({ time: NEWEST * 1000 });
    const asked = page.waitForResponse('**/api/profile/Ember*');
    await goReading(page, `${gateway.url}/games`, 'changes,events,matches,online,unlocks');
    await asked;
    await gateway.bus.publish(changeRecorded, { changes: [found, tie] });
    lastState = 'online';
    await gateway.bus.publish(slotStored, slotData(NEWEST));
    const links = async () => {
      await page.clock.runFor(10_000);
      return (await page.locator('.notices li a').allInnerTexts()).toSorted();
    };
    const record = `Record on ${change!.leaderboardName} (${change!.gameName})`;
    await eventually(async () => expect(await links()).toEqual(['Ember Fox is online', record].toSorted()));
    expect(strangerRequests).toBe(1);
    await page.getByRole('button', { name: `Dismiss: ${record}` }).focus();
    await page.clock.runFor(6 * 60_000);
    await eventually(async () => expect(await links()).toContain('Derby begins soon'));
    expect(await links()).toHaveLength(3);
    // The focus stays with its notification, below a newer one.
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe(`Dismiss: ${record}`);
    await page.getByRole('button', { name: 'Dismiss all' }).press('Enter');
    await goReading(page, `${gateway.url}/games`, 'changes,events,matches,online,unlocks');
    await page.clock.runFor(60_000);
    expect(await links()).toEqual([]);
  });

  it('sees on a page what the browser follows, and stops following by the keyboard', async () => {
    const gateway = await runWithEvents([]);
    const follows = [GAME, { kind: 'player', id: HOSTILE }, { kind: 'game' }, 7];
    const { page, texts, faults } = await openPage(browser, `${gateway.url}/offline`);
    await followHere(page, follows);
    await page.goto(`${gateway.url}/me/following`);
    await page.getByRole('link', { name: HARBOR.name }).waitFor();
    expect(await texts('#in-browser li a')).toEqual([HARBOR.name, HOSTILE]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: `Stop following ${HARBOR.name}` }).press('Enter');
    await page.getByText(`You no longer follow ${HARBOR.name}.`).waitFor();
    expect(await followedHere(page)).toEqual([{ kind: 'player', id: HOSTILE }]);
    await page.keyboard.press('Enter');
    await page.getByText('This browser follows nothing yet.').waitFor();
    expect(await followedHere(page)).toBeNull();
    // A player of that name has no account.
    expect(faults.filter((text) => !/40[04]/.test(text))).toEqual([]);
  });

  it('learns without JavaScript that following needs it', async () => {
    const gateway = await runWithEvents([]);
    const { text } = await openPage(browser, `${gateway.url}/me/following`, { javaScriptEnabled: false });
    expect(await text('main')).toContain('Following needs JavaScript');
  });
});
