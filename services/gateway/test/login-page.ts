import { createHttpClient, type Sessions } from '@lobbystats/service-kit';
import { createSimulator, type Simulator } from '@lobbystats/simulator';
import { cleanUp } from '@lobbystats/test-kit';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { network, type Network } from './network.ts';
import { openPage, type OpenedPage } from './opened-page.ts';
import { ratingRoutes, type Ratings } from './rating-routes.ts';
import { freeUrl, runGateway, startStubUpstream, type RunningGateway, type StubUpstream } from './running-gateway.ts';
import { testUser, userRoutes } from './user-responses.ts';

type Account = Simulator['accounts'][number];

/** A gateway with a stoppable auth service; user-api and reputation-api verify sessions with it. */
export interface LoginSite {
  readonly gateway: RunningGateway;
  /** Data of user-api. */
  readonly known: Network;
  readonly users: StubUpstream;
  readonly auth: Simulator;
  readonly authUrl: string;
  readonly account: Account;
  /** The only account with a profile. */
  readonly other: Account;
  readonly ratings: Ratings;
}

/** @param env of the gateway */
export async function runLoginSite(env: Record<string, string> = {}): Promise<LoginSite> {
  const authUrl = await freeUrl();
  const world = { titles: 1, boards: 0, entries: 0, players: 500, openMatches: 1 };
  const auth = createSimulator({ ...world, port: Number(new URL(authUrl).port) });
  cleanUp(() => auth.stop());
  await auth.start();
  const [account, other] = auth.accounts as [Account, Account];
  const known = network({ user: testUser({ username: other.username }) });
  const ratings: Ratings = new Map();
  const sessions = sessionVerifier(authUrl);
  const [users, reputation] = await Promise.all([
    startStubUpstream(userRoutes(known), 'test', 0, sessions),
    startStubUpstream(ratingRoutes(ratings), 'test', 0, sessions),
  ]);
  const upstreams = { AUTH_URL: authUrl, USER_API_URL: users.url, REPUTATION_API_URL: reputation.url };
  const gateway = await runGateway({ network: known, env: { ...upstreams, ...env } });
  return { gateway, known, users, auth, authUrl, account, other, ratings };
}

/** A page, and the requests of its browser. */
export interface LoginPage extends OpenedPage {
  /** URL and Referer of each request of this browser. */
  readonly requests: { url: string; referer: string }[];
  /** Opens the page in another tab of the same browser. */
  readonly openTab: () => Promise<Page>;
  /** Session key in the browser's storage. */
  readonly storedKey: () => Promise<string | null>;
}

export const READY = 'html[data-script="ready"]';

export async function openSitePage(
  browser: Browser,
  { gateway }: Pick<LoginSite, 'gateway'>,
  path: string,
  options: BrowserContextOptions = {},
): Promise<LoginPage> {
  const opened = await openPage(browser, gateway.url + path, { reducedMotion: 'reduce', ...options });
  const context = opened.page.context();
  const requests: LoginPage['requests'] = [];
  context.on('request', (request) =>
    requests.push({ url: request.url(), referer: request.headers()['referer'] ?? '' }),
  );
  const openTab = async () => {
    const tab = await context.newPage();
    await tab.goto(gateway.url + path);
    await tab.locator(READY).waitFor({ state: 'attached' });
    return tab;
  };
  const storedKey = () =>
    opened.evaluate<string | null>(`JSON.parse(localStorage.getItem('service_auth'))?.sessionKey ?? null`);
  return { ...opened, requests, openTab, storedKey };
}

/** Fills in the form, and sends it by the Enter key. */
export async function sendSignIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.locator('#sign-in button:enabled').waitFor();
  await page.keyboard.press('Enter');
}

/** Opens a page of the site as a signed-in user, who signs in by the link of its header. */
export async function openSignedIn(
  browser: Browser,
  site: LoginSite,
  path: string,
  account = site.account,
  options: BrowserContextOptions = {},
): Promise<LoginPage> {
  const opened = await openSitePage(browser, site, `/login?next=${encodeURIComponent(path)}`, options);
  await sendSignIn(opened.page, account);
  await opened.page.waitForURL(site.gateway.url + path);
  await opened.page.locator(READY).waitFor({ state: 'attached' });
  return opened;
}

/** Ends the session at the auth service, behind the browser's back. */
export async function endSession({ authUrl }: LoginSite, { storedKey }: LoginPage): Promise<void> {
  await fetch(`${authUrl}/api/auth/logout`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sessionKey: await storedKey() }),
  });
}

function sessionVerifier(authUrl: string): Sessions {
  const client = createHttpClient({ timeoutMs: 60_000, maxBytes: -1, mayRepeat: true });
  return {
    verify: async (sessionKey) => {
      const { status, data } = await client.post<{ username: string }>(`${authUrl}/api/auth/verify`, { sessionKey });
      return status === 200 ? data : undefined;
    },
  };
}
