import { operations } from '@lobbystats/contracts';
import {
  cleanUp,
  eventually,
  fixedClock,
  getJson,
  isPageFault,
  launchChromium,
  pushSubscription,
  startHttpReceiver,
} from '@lobbystats/test-kit';
import { accessibilityFaults } from '@lobbystats/test-kit/accessibility';
import type { Browser, Page } from 'playwright-core';
import { runSystem, type RunningSystem } from './run-system.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

const READY = 'html[data-script="ready"]';

/** A page of a reader who follows a game by the keyboard, whose browser subscribes at a push service of the test. */
async function openFollowing() {
  const service = await startHttpReceiver();
  service.answer = (_, res) => void res.writeHead(201).end();
  const push = pushSubscription(`${service.url}/push/1`);
  const system = await runSystem({
    clock: fixedClock('2026-01-31T12:00:05Z'),
    world: { titles: 3, openMatches: 2, players: 100, boards: 0, entries: 0 },
  });
  const { games } = await eventually(async () => {
    const { body } = await getJson<{ games: { titleId: string; name: string }[] }>(
      system.url + operations.listGames.path,
    );
    expect(body.games.length).toBeGreaterThan(0);
    return body;
  });
  const [game] = games as [(typeof games)[number]];
  const context = await browser.newContext({ permissions: ['notifications'], serviceWorkers: 'allow' });
  cleanUp(() => context.close());
  const faults: string[] = [];
  context.on('console', (message) => {
    if (isPageFault(message)) faults.push(message.text());
  });
  context.on('weberror', (error) => faults.push(error.error().message));
  // Chromium has no push service of its own here.
  await context.addInitScript(`
    PushManager.prototype.getSubscription = async () => globalThis.replaced ?? null;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      globalThis.subscribedWith = applicationServerKey;
      return { toJSON: () => (${JSON.stringify(push.subscription)}) };
    };`);
  const page = await context.newPage();
  const path = `/game/${game.titleId}`;
  await page.goto(system.url + path);
  await page.locator(READY).waitFor({ state: 'attached' });
  await page.getByRole('link', { name: 'Sign in', exact: true }).press('Enter');
  await signIn(page, system);
  await page.waitForURL(system.url + path);
  await page.getByRole('button', { name: 'Follow' }).press('Enter');
  await page.getByRole('button', { name: 'Following', pressed: true }).waitFor();
  await page.getByRole('link', { name: 'Rules and channels' }).press('Enter');
  await page.waitForURL(`${system.url}/me/following`);
  await page.locator('.in-use').waitFor();
  return { page, game, service, push, faults, system };
}

async function signIn(page: Page, { simulator }: RunningSystem): Promise<void> {
  const [account] = simulator.accounts as [(typeof simulator.accounts)[number]];
  // The form waits for its script.
  await page.locator('#sign-in button:enabled').waitFor();
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.keyboard.press('Enter');
}

/** Delivers a decrypted message to the page's service worker, as the browser's own push client does. */
async function deliver(page: Page, data: string): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const session = await page.context().newCDPSession(page);
  const origin = new URL(page.url()).origin;
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      // Those of other contexts may be listed, too, until they are gone.
      const registration = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (registration !== undefined) resolve(registration.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data });
}

async function notifications(page: Page): Promise<{ title: string; body: string; data: string }[]> {
  return page.evaluate(`navigator.serviceWorker.ready.then(async (registration) =>
    (await registration.getNotifications()).map(({ title, body, data }) => ({ title, body, data })))`);
}

it('a reader follows a game, and a push is shown once, however often it comes', async () => {
  const { page, game, service, push, faults } = await openFollowing();
  await page.getByRole('link', { name: game.name }).waitFor();
  await page.getByRole('button', { name: 'Notify this browser' }).press('Enter');
  await page.getByText('This browser gets notifications').waitFor();
  expect(await page.evaluate<string>('subscribedWith')).toMatch(/^[\w-]{87}$/);
  await page.getByRole('button', { name: 'Send a test message' }).press('Enter');
  await eventually(() => {
    expect(service.requests).toHaveLength(1);
  });
  const [request] = service.requests;
  expect(request?.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: expect.stringMatching(/^\d+$/) as unknown,
  });
  const message = push.decrypt(request?.body ?? Buffer.alloc(0));
  for (let time = 0; time < 2; time += 1) await deliver(page, JSON.stringify(message));
  await eventually(async () => {
    expect(await notifications(page)).toEqual([
      { title: 'Test message', body: 'Notifications arrive here.', data: '/me/following' },
    ]);
  });
  await page.getByRole('button', { name: 'What was sent' }).press('Enter');
  await page.getByText('delivered · HTTP 201').waitFor();
  // The same browser replaces its channel. Another one, which has not stored this, is called in another way.
  await page.getByRole('button', { name: 'Notify this browser' }).press('Enter');
  await page.getByText('delivered · HTTP 201').waitFor({ state: 'detached' });
  expect(await page.locator('#channel-list > li').count()).toBe(1);
  await page.evaluate(`localStorage.removeItem('lobbystats-push-channel')`);
  await page.getByRole('button', { name: 'Notify this browser' }).press('Enter');
  await page.getByText('Chrome on Linux (2)').waitFor();
  expect(await page.locator('#channel-list > li').count()).toBe(2);
  expect(faults).toEqual([]);
});

it('the site gets a subscription that the push service replaced, and signing out ends it', async () => {
  const { page, service, push, system, faults } = await openFollowing();
  await page.getByRole('button', { name: 'Notify this browser' }).press('Enter');
  await page.getByText('This browser gets notifications').waitFor();
  const replaced = { ...push.subscription, endpoint: `${service.url}/push/2` };
  await page.evaluate(`globalThis.replaced = {
    ...${JSON.stringify(replaced)}, toJSON: () => (${JSON.stringify(replaced)}), unsubscribe: async () => true }`);
  const added = page.waitForResponse(`${system.url}/api/me/channels`);
  const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'));
  const key = await worker.evaluate(`(async () => {
    let work, key;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => { key = applicationServerKey; };
    const event = new Event('pushsubscriptionchange');
    event.oldSubscription = { options: { applicationServerKey: 'the key of the site' } };
    event.waitUntil = (promise) => { work = promise; };
    dispatchEvent(event);
    await work;
    return key;
  })()`);
  expect(key).toBe('the key of the site');
  await added;
  await page.getByRole('button', { name: 'Send a test message' }).press('Enter');
  await eventually(() => {
    expect(service.requests.map(({ path }) => path)).toEqual(['/push/2']);
  });
  await page.goto(`${system.url}/me`);
  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await page.getByText('You are signed out.').waitFor();
  expect(await page.evaluate(`localStorage.getItem('lobbystats-push-channel')`)).toBeNull();
  await page.goto(`${system.url}/login?next=/me/following`);
  await signIn(page, system);
  await page.getByText('Notifications are listed on this page alone.').waitFor();
  expect(faults).toEqual([]);
});

it('a click on a notification goes to the tab of its page, else to a new one, and closes it', async () => {
  const { page, game, faults } = await openFollowing();
  const context = page.context();
  const url = `/game/${game.titleId}`;
  const message = { title: game.name, text: 'Marlow has a lobby', url: new URL(url, page.url()).href };
  await eventually(
    async () => {
      // The same ones again replace themselves.
      for (const id of ['one', 'two']) await deliver(page, JSON.stringify({ ...message, id }));
      expect(await notifications(page)).toHaveLength(2);
    },
    { everyMs: 2000 },
  );
  /** Clicks on the first notification. A worker may only move the focus during a click of a person: it is recorded. */
  const click = async () => {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    return worker.evaluate(`(async () => {
      const shown = [];
      clients.openWindow = async (url) => shown.push('new tab ' + new URL(url).pathname);
      WindowClient.prototype.focus = async function () { shown.push('tab ' + new URL(this.url).pathname); };
      const [notification] = await registration.getNotifications();
      const event = new NotificationEvent('notificationclick', { notification });
      let work;
      event.waitUntil = (promise) => { work = promise; };
      dispatchEvent(event);
      await work;
      return shown;
    })()`);
  };
  expect(await click()).toEqual([`new tab ${url}`]);
  const other = await context.newPage();
  await other.goto(`${new URL(url, page.url()).href}?days=7`);
  expect(await click()).toEqual([`tab ${url}`]);
  await eventually(async () => {
    expect(await notifications(page)).toEqual([]);
  });
  expect(faults).toEqual([]);
});

it('the page changes rules, quiet hours and channels, and has no faults of accessibility', async () => {
  const { page, system, faults } = await openFollowing();
  const lobby = page.getByLabel('A lobby has at least so many players:');
  expect(await lobby.inputValue()).toBe('1');
  await lobby.fill('4 players');
  await lobby.press('Enter');
  await page.getByText('must be an integer from 1 to 64').waitFor();
  await lobby.fill('4');
  await page.getByLabel('The game has a new leaderboard').uncheck();
  await lobby.press('Enter');
  await page.getByText('The rules are saved.').waitFor();
  await page.getByLabel('From').fill('22:00');
  await page.getByLabel('To', { exact: true }).press('Enter');
  await page.getByText('time of day').last().waitFor();
  await page.getByLabel('To', { exact: true }).fill('07:00');
  await page.getByLabel('To', { exact: true }).press('Enter');
  await page.getByText('The quiet hours are saved.').waitFor();
  const form = page.locator('form[data-kind="discord"]');
  await form.getByLabel('Name').fill('My server');
  await form.getByLabel('Address').fill('https://discord.com/api/webhooks/100000000000000001/a-token-of-a-webhook');
  await form.getByLabel('Address').press('Enter');
  await page.getByText('It is added.').waitFor();
  await page.getByRole('button', { name: 'Make a feed and a calendar' }).press('Enter');
  const address = page.getByRole('link', { name: /notifications\.atom\?token=/ });
  const first = (await address.getAttribute('href')) ?? '';
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'New addresses: Feed' }).press('Enter');
  await eventually(async () => {
    expect(await address.getAttribute('href')).not.toBe(first);
  });
  const second = (await address.getAttribute('href')) ?? '';
  const ownPath = (url: string) => system.url + new URL(url).pathname + new URL(url).search;
  const statuses = await Promise.all([first, second].map(async (url) => (await fetch(ownPath(url))).status));
  expect(statuses).toEqual([404, 200]);
  await page.reload();
  await page.locator('.in-use').waitFor();
  expect(await lobby.inputValue()).toBe('4');
  expect(await page.getByLabel('The game has a new leaderboard').isChecked()).toBe(false);
  expect(await page.getByLabel('From').inputValue()).toBe('22:00');
  await page.getByRole('button', { name: 'Remove: My server' }).press('Enter');
  await page.getByText('My server is removed.').waitFor();
  await page.getByRole('button', { name: 'Stop following' }).press('Enter');
  await page.getByText('You follow nothing yet.').waitFor();
  const tokens = [first, second].map((url) => new URL(url).searchParams.get('token') ?? '');
  for (const secret of ['a-token-of-a-webhook', ...tokens]) expect(system.log.join('')).not.toContain(secret);
  // The refused time of day is an answer of 400, which Chromium reports.
  expect(faults.filter((text) => !text.includes('400'))).toEqual([]);
});
