import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser, Page } from 'playwright-core';
import { openLogin, runLoginSite, signIn } from './login-page.ts';
import { openPage } from './opened-page.ts';
import { runGateway, startRawUpstream } from './running-gateway.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
}, 30_000);

async function lookUp(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.keyboard.press('Enter');
}

async function rate(page: Page, stars: number, comment: string): Promise<void> {
  await page.getByLabel(String(stars), { exact: true }).check();
  await page.getByLabel(/^Comment/).fill(comment);
  await page.getByRole('button', { name: 'Rate', exact: true }).click();
}

describe('reputation on the login page', () => {
  it('is shown to everyone and can be rated by a signed-in user', async () => {
    const site = await runLoginSite();
    const opened = await openLogin(browser, site);
    const { page, text, texts } = opened;
    const rated = site.other.username;
    await lookUp(page, ` ${rated} `);
    await page.locator('#standing').waitFor();
    expect([await text('#standing-name'), await text('#average')]).toEqual([rated, '5.00']);
    expect(await text('#rating-count')).toBe('Nobody has rated yet');
    expect([await page.locator('#rate').isVisible(), await page.locator('#rate-hint').isVisible()]).toEqual([
      false,
      true,
    ]);
    await signIn(page, site.account);
    await page.locator('#rate').waitFor();
    await rate(page, 1, 'Left in the middle of a race.');
    await eventually(async () => {
      expect(await text('#average')).toBe('4.64');
    });
    expect(await text('#reputation-status')).toBe('Your rating is stored.');
    expect(await text('#rating-count')).toBe('1 rating');
    expect(await text('#own-rating')).toBe('Your rating: 1 of 5 stars, “Left in the middle of a race.”');
    expect(await texts('#feedback li')).toEqual([
      expect.stringMatching(/1 of 5 stars 2027-01-15 08:00:00 UTC\s+Left in the middle of a race\./),
    ]);
    await rate(page, 5, '');
    await eventually(async () => {
      expect([await text('#average'), await text('#own-rating')]).toEqual(['5.00', 'Your rating: 5 of 5 stars']);
    });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('#rate').waitFor({ state: 'hidden' });
    expect(await text('#own-rating')).toBe('');
    expect(await page.locator('#standing').isVisible()).toBe(true);
    expect(opened.faults).toEqual([]);
  });

  it('links to the API with working links', async () => {
    const site = await runLoginSite();
    const { page } = await openLogin(browser, site);
    await signIn(page, { ...site.account });
    await page.locator('#signed-in').waitFor();
    await lookUp(page, 'A b.');
    await page.locator('#standing').waitFor();
    expect(await page.locator('#profile-link').getAttribute('href')).toBe(
      `/api/profile/${encodeURIComponent(site.account.username)}`,
    );
    const link = (await page.locator('#reputation-link').getAttribute('href'))!;
    expect([link, (await site.gateway.request(link)).status]).toEqual(['/api/profile/A%20b./reputation', 200]);
  });

  it('shows the error of the API for an unknown or invalid username', async () => {
    const site = await runLoginSite();
    const { page, text } = await openLogin(browser, site);
    for (const [username, message] of [
      ['Nobody', /unknown/i],
      ['../../x?', /username/i],
    ] as const) {
      await lookUp(page, site.other.username);
      await page.locator('#standing').waitFor();
      await lookUp(page, username);
      await page.locator('#standing').waitFor({ state: 'hidden' });
      expect([username, await text('#reputation-error')]).toEqual([username, expect.stringMatching(message)]);
    }
  });

  it('asks to sign in again when the session has ended before a rating', async () => {
    const site = await runLoginSite();
    const opened = await openLogin(browser, site);
    const { page } = opened;
    await signIn(page, site.account);
    await lookUp(page, site.other.username);
    await page.locator('#rate').waitFor();
    await opened.evaluate(`fetch('${await authUrl(page)}/auth/logout', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: localStorage.getItem('service_auth'),
    })`);
    await rate(page, 4, '');
    await page.locator('#sign-in').waitFor();
    expect(await opened.text('#reputation-error')).toBe('Invalid session');
    expect(await page.locator('#rate').isVisible()).toBe(false);
    expect(site.ratings.size).toBe(0);
  });
});

describe('login page with hostile data', () => {
  const HOSTILE = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';

  it('renders names, errors and comments as text', async () => {
    let failing = true;
    const auth = await startRawUpstream((req, res) => {
      const cors = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
      const answer = { success: true, valid: true, username: HOSTILE, email: HOSTILE, sessionKey: HOSTILE };
      if (req.method === 'OPTIONS') res.writeHead(204, cors).end();
      else if (failing) res.writeHead(401, cors).end(JSON.stringify({ error: HOSTILE }));
      else res.writeHead(200, cors).end(JSON.stringify(answer));
    });
    const feedback = [{ raterUsername: HOSTILE, stars: 1, comment: HOSTILE, createdAt: HOSTILE }];
    const gateway = await runGateway({ env: { AUTH_URL: auth } });
    const opened = await openLogin(browser, { gateway });
    const { page, text, faults } = opened;
    await page.route(/\/api\/profile\//, (routed) =>
      routed.fulfill({ json: { average: 4, ratingCount: 1, feedback, viewer: feedback[0] } }),
    );
    await signIn(page, { email: 'ember@demo.example', password: 'x' });
    await eventually(async () => {
      expect(await text('#session-error')).toBe(HOSTILE);
    });
    failing = false;
    await signIn(page, { email: 'ember@demo.example', password: 'x' });
    await page.locator('#signed-in').waitFor();
    expect([await text('#username'), await text('#user-email')]).toEqual([HOSTILE, HOSTILE]);
    await lookUp(page, HOSTILE);
    await page.locator('#feedback li').waitFor();
    expect(await text('#feedback bdi')).toBe(HOSTILE);
    expect(await text('#feedback p')).toBe(HOSTILE);
    expect(await text('#standing-name')).toBe(HOSTILE);
    expect(await page.locator('#feedback img, #username img, #feedback script').count()).toBe(0);
    expect(await opened.evaluate('window.pwned')).toBeUndefined();
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  });

  it('connects only to its own origin and the auth service', async () => {
    let visits = 0;
    const elsewhere = await startRawUpstream((_req, res) => {
      visits += 1;
      res.writeHead(200, { 'Access-Control-Allow-Origin': '*' }).end();
    });
    const site = await runLoginSite();
    const { evaluate, faults } = await openLogin(browser, site);
    expect(await evaluate(`fetch('${elsewhere}').catch(() => 'refused')`)).toBe('refused');
    await evaluate(`document.body.append(Object.assign(new Image(), { src: '${elsewhere}' }))`);
    await evaluate(`document.body.append(Object.assign(document.createElement('script'), { text: 'window.pwned=1' }))`);
    await eventually(() => {
      expect(faults.filter((fault) => fault.startsWith('policy breached'))).toHaveLength(3);
    });
    expect([visits, await evaluate('window.pwned')]).toEqual([0, undefined]);
  });

  it('shows a notice without JavaScript and no form', async () => {
    const { gateway } = await runLoginSite();
    const { text, page } = await openPage(browser, `${gateway.url}/login`, { javaScriptEnabled: false });
    expect(await text('noscript')).toContain('JavaScript');
    expect(await page.locator('#sign-in').isVisible()).toBe(false);
  });
});

describe('login page layout', () => {
  it.each([360, 1920])('needs no horizontal scrolling at %i px', async (width) => {
    const site = await runLoginSite();
    const { evaluate, page } = await openLogin(browser, site);
    await page.setViewportSize({ width, height: 740 });
    await signIn(page, site.account);
    await lookUp(page, 'W'.repeat(32));
    await page.locator('#rate').waitFor();
    expect(await evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  it('has a label for every field and works by keyboard', async () => {
    const site = await runLoginSite();
    const { evaluate, page, tabTo, text } = await openLogin(browser, site);
    expect(
      await evaluate(`Array.from(document.querySelectorAll('input, textarea'))
        .filter((field) => field.labels.length === 0).map((field) => field.id)`),
    ).toEqual([]);
    await tabTo('#email');
    await page.keyboard.type(site.account.email);
    await tabTo('#password');
    await page.keyboard.type(site.account.password);
    await tabTo('#sign-in-button');
    await page.keyboard.press('Enter');
    await page.locator('#signed-in').waitFor();
    expect(await evaluate('document.activeElement.id')).toBe('session-heading');
    expect(await text('#session-heading')).toBe('Your session');
    await tabTo('#sign-out');
    await page.keyboard.press('Space');
    await page.locator('#sign-in').waitFor();
    expect(await evaluate('document.activeElement.id')).toBe('email');
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

/** The API URL in the served SDK script. */
async function authUrl(page: Page): Promise<string> {
  const source = await page.evaluate<string>(`fetch('/service-auth.js').then((response) => response.text())`);
  return /'(http[^']*\/api)'/.exec(source)![1]!;
}
