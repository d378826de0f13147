import { formatTimestamp, operations, usernameKey } from '@lobbystats/contracts';
import {
  createHealth,
  createHttpService,
  createMetrics,
  notFound,
  route,
  silentLogger,
  type Sessions,
} from '@lobbystats/service-kit';
import { createSimulator, type Simulator } from '@lobbystats/simulator';
import { cleanUp } from '@lobbystats/test-kit';
import type { Browser, Page } from 'playwright-core';
import { openPage, type OpenedPage } from './opened-page.ts';
import { freeUrl, runGateway, type RunningGateway } from './running-gateway.ts';

/** A gateway with a stoppable auth service and a reputation-api that uses it. */
export interface LoginSite {
  readonly gateway: RunningGateway;
  readonly auth: Simulator;
  readonly account: Simulator['accounts'][number];
  readonly other: Simulator['accounts'][number];
  readonly ratings: Ratings;
}

type Ratings = Map<string, { stars: number; comment: string | null; createdAt: string }>;

/** @param env of the gateway */
export async function runLoginSite(env: Record<string, string> = {}): Promise<LoginSite> {
  const authUrl = await freeUrl();
  const world = { titles: 1, boards: 0, entries: 0, players: 500, openMatches: 1 };
  const auth = createSimulator({ ...world, port: Number(new URL(authUrl).port) });
  cleanUp(() => auth.stop());
  await auth.start();
  const ratings: Ratings = new Map();
  const reputationUrl = await startReputationStub(authUrl, ratings);
  const gateway = await runGateway({ env: { AUTH_URL: authUrl, REPUTATION_API_URL: reputationUrl, ...env } });
  const [account, other] = auth.accounts;
  return { gateway, auth, account: account!, other: other!, ratings };
}

/** The login page and all of its requests. */
export interface LoginPage extends OpenedPage {
  /** URL and Referer of each request of this browser. */
  readonly requests: { url: string; referer: string }[];
  /** Opens the page in another tab of the same browser. */
  readonly openTab: () => Promise<Page>;
}

export async function openLogin(browser: Browser, { gateway }: Pick<LoginSite, 'gateway'>): Promise<LoginPage> {
  const opened = await openPage(browser, `${gateway.url}/login`);
  const context = opened.page.context();
  const requests: LoginPage['requests'] = [];
  context.on('request', (request) =>
    requests.push({ url: request.url(), referer: request.headers()['referer'] ?? '' }),
  );
  const openTab = async () => {
    const tab = await context.newPage();
    await tab.goto(`${gateway.url}/login`);
    await tab.locator('main[data-state="ready"]').waitFor();
    return tab;
  };
  return { ...opened, requests, openTab };
}

/** Fills in the form, and sends it by the Enter key. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

/** An in-memory reputation-api that knows every profile except "Nobody". */
async function startReputationStub(authUrl: string, ratings: Ratings): Promise<string> {
  const ratingKey = (rater: string, rated: string) => JSON.stringify([usernameKey(rater), usernameKey(rated)]);
  const ratingsOf = (rated: string) =>
    [...ratings].flatMap(([at, rating]) => {
      const [rater, whom] = JSON.parse(at) as [string, string];
      return whom === usernameKey(rated) ? [{ raterUsername: rater, ...rating }] : [];
    });
  const totals = (rated: string) => {
    const receivedRatings = ratingsOf(rated);
    const effectiveVotes = 10 + receivedRatings.length;
    const average =
      Math.round((100 * receivedRatings.reduce((sum, { stars }) => sum + stars, 50)) / effectiveVotes) / 100;
    return { average, ratingCount: receivedRatings.length, effectiveVotes, priorOnly: receivedRatings.length === 0 };
  };
  const service = createHttpService({
    name: 'reputation',
    host: '127.0.0.1',
    port: 0,
    logger: silentLogger(),
    metrics: createMetrics('reputation'),
    health: createHealth({ service: 'reputation' }),
    sessions: sessionVerifier(authUrl),
    routes: [
      route(operations.getReputation, async ({ params: { username }, caller }) => {
        if (username === 'Nobody') throw notFound('username');
        const viewer = caller === undefined ? undefined : ratings.get(ratingKey(caller.username, username));
        return { body: { ...totals(username), feedback: ratingsOf(username), viewer: viewer ?? null } };
      }),
      route(operations.rateProfile, async ({ params: { username }, body: { stars, comment }, caller }) => {
        const rating = { stars, comment, createdAt: formatTimestamp(1_800_000_000) };
        ratings.set(ratingKey(caller.username, username), rating);
        return { body: { success: true as const, reputation: totals(username), viewer: rating } };
      }),
    ],
    stopTimeoutMs: 0,
  });
  cleanUp(() => service.stop());
  return (await service.start()).url;
}

function sessionVerifier(authUrl: string): Sessions {
  return {
    verify: async (sessionKey) => {
      const headers = { 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ sessionKey }) };
      const response = await fetch(`${authUrl}/api/auth/verify`, init);
      return response.ok ? ((await response.json()) as { username: string }) : undefined;
    },
  };
}
