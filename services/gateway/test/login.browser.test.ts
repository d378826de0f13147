import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { endSession, openSignedIn, openSitePage, READY, runLoginSite, sendSignIn } from './login-page.ts';
import { openPage } from './opened-page.ts';
import { runGateway, startRawUpstream } from './running-gateway.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

it('the session is shown after the next update when its script could not be loaded at first', async () => {
  const site = await runLoginSite();
  const { page, evaluate } = await openSignedIn(browser, site, '/');
  await page.route('**/service-auth.mjs', (request) => request.abort());
  await page.goto(`${site.gateway.url}/live`);
  await page.locator(READY).waitFor({ state: 'attached' });
  const account = page.locator('[data-account]');
  expect(await account.innerText()).toBe('Sign in');
  await page.unroute('**/service-auth.mjs');
  await evaluate(`document.querySelector('main').dispatchEvent(new Event('outdated'))`);
  await account.filter({ hasText: site.account.username }).waitFor();
});

describe('signing in', () => {
  it('leads back to the page, stays after a reload, and ends with the sign-out', async () => {
    const site = await runLoginSite();
    const opened = await openSitePage(browser, site, '/?range=7d');
    const { page, text, faults } = opened;
    expect(await text('[data-account]')).toBe('Sign in');
    await page.locator('[data-account]').click();
    await page.locator('#sign-in').waitFor();
    await sendSignIn(page, site.other);
    await page.waitForURL(`${site.gateway.url}/?range=7d`);
    await eventually(async () => expect(await text('[data-account]')).toBe(site.other.username));
    await page.reload();
    await page.locator(READY).waitFor({ state: 'attached' });
    expect(await text('[data-account]')).toBe(site.other.username);
    const sessionKey = (await opened.storedKey())!;
    await page.locator('[data-account]').click();
    await page.waitForURL(`${site.gateway.url}/me`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('.signed-out').waitFor();
    expect(await text('[data-account]')).toBe('Sign in');
    expect(await opened.evaluate('localStorage.length')).toBe(0);
    expect(opened.requests.filter(({ url }) => url.includes(sessionKey))).toEqual([]);
    expect(opened.requests.filter(({ referer }) => referer !== '')).toEqual([]);
    expect(faults).toEqual([]);
  });

  it.each([
    'https://evil.example/',
    '//evil.example/x',
    '/\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '',
  ])('leads to the own page, never to %j', async (next) => {
    const site = await runLoginSite();
    const { page } = await openSitePage(browser, site, `/login?next=${encodeURIComponent(next)}`);
    await sendSignIn(page, site.account);
    await page.waitForURL(`${site.gateway.url}/me`);
    expect(await page.locator('#followed-now').count()).toBe(1);
  });

  it.each(['/.//evil.example/x', '/a/..//evil.example', '/%2e//evil.example', '/..//evil.example'])(
    'stays on this site for %j',
    async (next) => {
      const site = await runLoginSite();
      const { page } = await openSitePage(browser, site, `/login?next=${encodeURIComponent(next)}`);
      await sendSignIn(page, site.account);
      await page.waitForURL((url) => url.pathname !== '/login');
      expect(page.url()).toBe(new URL(next, site.gateway.url).href);
    },
  );

  it('loads neither the SDK nor the client for a reader without a session', async () => {
    const site = await runLoginSite();
    const opened = await openSitePage(browser, site, '/');
    await opened.page.reload();
    await opened.page.locator(READY).waitFor({ state: 'attached' });
    const scripts = opened.requests.map(({ url }) => url).filter((url) => /\.m?js$/.test(url));
    expect(scripts.filter((url) => /service-auth|session-|api-/.test(url))).toEqual([]);
  });

  it('ends the session at the auth service on sign-out', async () => {
    const site = await runLoginSite();
    const opened = await openSignedIn(browser, site, '/login');
    const stored = await opened.evaluate<string>(`localStorage.getItem('service_auth')`);
    const done = opened.page.waitForResponse(/\/api\/auth\/logout$/);
    await opened.page.getByRole('button', { name: 'Sign out' }).click();
    expect((await done).status()).toBe(200);
    // Away from the page, whose requests may still end the session that is stored again.
    await opened.page.goto(`${site.gateway.url}/robots.txt`);
    await opened.evaluate(`localStorage.setItem('service_auth', ${JSON.stringify(stored)})`);
    await opened.page.goto(`${site.gateway.url}/login`);
    await eventually(async () => expect(await opened.text('main [role="status"]')).toBe('You are signed out.'));
    expect(await opened.storedKey()).toBeNull();
  });

  it('announces a wrong password, to screen readers too, and allows another attempt', async () => {
    const site = await runLoginSite();
    const { page, faults } = await openSitePage(browser, site, '/login');
    await sendSignIn(page, { ...site.account, password: 'wrong' });
    await eventually(async () => {
      expect(await page.getByRole('alert').allInnerTexts()).toContain('Invalid email or password');
    });
    expect(await page.evaluate('document.activeElement.id')).toBe('password');
    await sendSignIn(page, site.account);
    await page.waitForURL(`${site.gateway.url}/me`);
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  });

  it('is followed by other tabs, as is the sign-out', async () => {
    const site = await runLoginSite();
    const first = await openSitePage(browser, site, '/login');
    const second = await first.openTab();
    await sendSignIn(first.page, site.other);
    await second.locator('#signed-in').waitFor();
    expect(await second.locator('.username').innerText()).toBe(site.other.username);
    await first.page.waitForURL(/\/me$/);
    await first.page.locator('#followed-now').waitFor();
    await second.getByRole('button', { name: 'Sign out' }).click();
    await first.page.locator('.signed-out').waitFor();
    expect(await first.text('[data-account]')).toBe('Sign in');
    expect(first.faults).toEqual([]);
  });

  it('stays while the auth service is down, which is said', async () => {
    const site = await runLoginSite();
    const { page, text, storedKey } = await openSignedIn(browser, site, '/login');
    const alert = () => text('main [role="alert"]');
    await site.auth.stop();
    await page.reload();
    await eventually(async () => {
      expect(await alert()).toBe('The auth service can not be reached. You stay signed in here.');
    });
    expect(await text('.username')).toBe(site.account.username);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await eventually(async () => {
      expect(await alert()).toBe('You are signed out here, but the auth service could not be told.');
    });
    expect(await storedKey()).toBeNull();
    await sendSignIn(page, site.account);
    await eventually(async () => expect(await alert()).toBe('The auth service can not be reached'));
  });

  it('is over when the auth service says so', async () => {
    const site = await runLoginSite();
    const opened = await openSignedIn(browser, site, '/login');
    await endSession(site, opened);
    await opened.page.reload();
    await opened.page.locator('#sign-in').waitFor();
    await eventually(async () => expect(await opened.text('[data-account]')).toBe('Sign in'));
  });

  it('works by keyboard, with a label for every field', async () => {
    const site = await runLoginSite();
    const { page, evaluate, tabTo } = await openSitePage(browser, site, '/login');
    expect(
      await evaluate(`Array.from(document.querySelectorAll('main :is(input, textarea)'))
        .filter((field) => field.labels.length === 0).map((field) => field.id)`),
    ).toEqual([]);
    await tabTo('#email');
    await page.keyboard.type(site.account.email);
    await tabTo('#password');
    await page.keyboard.type(site.account.password);
    await tabTo('#sign-in button');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/me$/);
    await page.locator('#followed-now').waitFor();
    await tabTo('.sign-out');
    await page.keyboard.press('Space');
    await page.locator('.signed-out').waitFor();
    expect(await evaluate('document.activeElement.id')).toBe('heading');
  });
});

describe('login page with hostile data', () => {
  const HOSTILE = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';

  it('renders names and errors as text', async () => {
    let failing = true;
    const auth = await startRawUpstream((req, res) => {
      const cors = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
      const answer = { success: true, valid: true, username: HOSTILE, email: HOSTILE, sessionKey: HOSTILE };
      if (req.method === 'OPTIONS') res.writeHead(204, cors).end();
      else if (failing) res.writeHead(401, cors).end(JSON.stringify({ error: HOSTILE }));
      else res.writeHead(200, cors).end(JSON.stringify(answer));
    });
    const gateway = await runGateway({ env: { AUTH_URL: auth } });
    const { page, text, evaluate, faults } = await openSitePage(browser, { gateway }, '/login?next=%2Flogin');
    await sendSignIn(page, { email: 'ember@demo.example', password: 'x' });
    await eventually(async () => expect(await text('main [role="alert"]')).toBe(HOSTILE));
    failing = false;
    await sendSignIn(page, { email: 'ember@demo.example', password: 'x' });
    await eventually(async () => expect(await text('.username')).toBe(HOSTILE));
    await eventually(async () => expect(await text('[data-account]')).toBe(HOSTILE));
    expect(await page.locator('main img, .site .account img, body script:not([type])').count()).toBe(0);
    expect(await evaluate('window.pwned')).toBeUndefined();
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  });

  it('connects only to its own origin and the auth service, and sends no form elsewhere', async () => {
    let visits = 0;
    const elsewhere = await startRawUpstream((_req, res) => {
      visits += 1;
      res.writeHead(200, { 'Access-Control-Allow-Origin': '*' }).end();
    });
    const site = await runLoginSite();
    const { evaluate, faults } = await openSitePage(browser, site, '/login');
    expect(await evaluate(`fetch('${elsewhere}').catch(() => 'refused')`)).toBe('refused');
    await evaluate(`document.body.append(Object.assign(new Image(), { src: '${elsewhere}' }))`);
    await evaluate(`document.body.append(Object.assign(document.createElement('script'), { text: 'window.pwned=1' }))`);
    await evaluate(`{ const form = document.createElement('form'); form.action = '${elsewhere}';
      document.body.append(form); form.submit(); }`);
    await eventually(() => {
      expect(faults.filter((fault) => fault.startsWith('policy breached'))).toHaveLength(4);
    });
    expect([visits, await evaluate('window.pwned')]).toEqual([0, undefined]);
  });

  it('says that signing in needs JavaScript, and has no form without it', async () => {
    const { gateway } = await runLoginSite();
    for (const path of ['/login', '/me']) {
      const { text, page } = await openPage(browser, gateway.url + path, { javaScriptEnabled: false });
      expect(await text('main noscript')).toContain('JavaScript');
      expect(await page.locator('main form').filter({ visible: true }).count()).toBe(0);
    }
  });
});

describe('browser SDK on another site', () => {
  const page = (scripts: string) => `<!doctype html><title>Fan site</title>${scripts}`;

  it.each([
    ['a classic script', (url: string) => `<script src="${url}/service-auth.js"></script>`],
    [
      'a module',
      (url: string) => `<script type="module">
        import { ServiceAuth } from '${url}/service-auth.mjs';
        window.Loaded = ServiceAuth;
      </script>`,
    ],
  ])('signs a user in when loaded as %s', async (kind, load) => {
    const { gateway, account } = await runLoginSite();
    const fans = await startRawUpstream((_req, res) => {
      const headers = { 'Content-Type': 'text/html', 'Cross-Origin-Embedder-Policy': 'require-corp' };
      res.writeHead(200, headers).end(page(load(gateway.url)));
    });
    const opened = await openPage(browser, fans, {}, 'title');
    const SDK = kind === 'a module' ? 'Loaded' : 'ServiceAuth';
    const credentials = JSON.stringify([account.email, account.password]);
    expect(
      await opened.evaluate(`(async () => {
        const auth = new ${SDK}();
        const { success, user } = await auth.login(...${credentials});
        const friends = await auth.getFriends();
        return [success, user.username, friends.count === friends.friends.length, await auth.verifySession()];
      })()`),
    ).toEqual([true, account.username, true, true]);
    expect(opened.faults).toEqual([]);
  });
});
