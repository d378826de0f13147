import { operations, type Operation, type OperationResponse } from '@lobbystats/contracts';
import { cleanUp, getJson, launchChromium } from '@lobbystats/test-kit';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { RunningSystem } from '../standalone/run-system.ts';
import { runPopulatedSystem } from './populated-system.ts';

/** The ways in which readers use the site. */
const READERS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['a desktop', { viewport: { width: 1280, height: 800 } }],
  ['a phone', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
  ['a browser without JavaScript', { javaScriptEnabled: false }],
  ['a desktop in Auckland', { viewport: { width: 1280, height: 800 }, timezoneId: 'Pacific/Auckland' }],
  [
    'a phone in Newfoundland, half an hour off',
    { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, timezoneId: 'America/St_Johns' },
  ],
];

/** `, 18:05` of an instant as the reader's pages show it, after its date: in their zone, or in UTC. @param timestamp of the API */
function shownTime(timestamp: string, { timezoneId }: BrowserContextOptions): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezoneId ?? 'UTC', timeStyle: 'short' });
  const clock = format.format(new Date(`${timestamp.replace(' ', 'T')}Z`));
  return `, ${clock}${timezoneId === undefined ? ' UTC' : ''}`;
}

/** `, 18:05 to 19:00` of a range as the reader's pages show it: the end has a date of its own on another day of the reader. */
function shownRange([from, to]: readonly [string, string], options: BrowserContextOptions): RegExp {
  const [begin, end] = [shownTime(from, options).replace(' UTC', ''), shownTime(to, options)];
  const dayOf = (timestamp: string) =>
    new Date(`${timestamp.replace(' ', 'T')}Z`).toLocaleDateString('en-GB', { timeZone: options.timezoneId ?? 'UTC' });
  return new RegExp(`${begin} to ${dayOf(from) === dayOf(to) ? end.slice(2) : `[\\w ]+${end}`}`);
}

let browser: Browser;
let system: RunningSystem;

beforeAll(async () => {
  [browser, system] = await Promise.all([launchChromium(), runPopulatedSystem('file')]);
  cleanUp(() => browser.close(), 'file');
});

async function open(options: BrowserContextOptions, path = '/'): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  cleanUp(() => context.close());
  const page = await context.newPage();
  await page.goto(system.url + path);
  return page;
}

async function answer<Op extends Operation>({ path }: Op, query = ''): Promise<OperationResponse<Op>> {
  const { body } = await getJson<OperationResponse<Op>>(system.url + path + query);
  return body;
}

const mainText = (page: Page) => page.locator('main').innerText();

describe.each(READERS)('a reader with %s', (_name, options) => {
  it('finds who holds the record of a leaderboard, and since when', async () => {
    const { changes } = await answer(operations.listChanges, '?limit=1');
    const page = await open(options, '/changes');
    await page.locator('main .list a[href*="/leaderboard/"]').first().click();
    await page.waitForURL(`**/leaderboard/${String(changes[0]?.leaderboardId)}*`);
    expect(await mainText(page)).toMatch(
      /holds? this leaderboard’s record, .* since (\w{3} \d+ \w{3}|\d+ \w{3} \d{4}|today|yesterday)/,
    );
  });

  it('finds when a game is busiest', async () => {
    const page = await open(options);
    const game = page.locator('#games h3 a').first();
    const name = await game.innerText();
    await game.click();
    await page.waitForURL('**/game/*');
    expect(await page.locator('h1').innerText()).toBe(name);
    const [minutes, zone] = options.timezoneId === undefined ? ['00', ' UTC'] : ['[03]0', ', your time'];
    const clock = `\\d\\d:${minutes}`;
    expect(await mainText(page)).toMatch(new RegExp(`Busiest on \\w+ from ${clock} to ${clock}${zone}`));
  });

  it('finds what has changed for a player since yesterday', async () => {
    const { changes } = await answer(operations.listChanges, '?limit=1');
    const page = await open(options, `/search?q=${encodeURIComponent(String(changes[0]?.playerName))}`);
    await page.locator('main a[href^="/u/"]').first().click();
    await page.waitForURL('**/u/*');
    expect(await page.locator('#changes').innerText()).toContain(String(changes[0]?.leaderboardName));
  });

  it('finds who hosts the fullest lobby, and since when', async () => {
    const { lobbies } = await answer(operations.listLobbies, '?limit=1');
    const page = await open(options);
    await page.locator('a[href="/live"]').filter({ visible: true }).first().click();
    await page.waitForURL('**/live');
    const [host, ...cells] = await page.locator('#lobbies tbody tr').first().locator('th, td').allInnerTexts();
    expect(host).toContain(String(lobbies[0]?.hostName));
    const opened = shownTime(String(lobbies[0]?.openedAt), options);
    expect(cells.join(' ')).toContain(opened);
  });

  it('finds who plays a game now', async () => {
    const { users } = await answer(operations.listUsersOnline);
    const { titleId } = users.find((user) => user.titleId !== null) ?? {};
    const { users: players } = await answer(operations.listUsersOnline, `?titleId=${String(titleId)}&limit=3`);
    const page = await open(options, `/game/${String(titleId)}`);
    const shown = await page.locator('#online').innerText();
    for (const { username } of players) expect(shown).toContain(username);
  });

  it('finds a lobby with room in one click from a game', async () => {
    const { lobbies } = await answer(operations.listLobbies);
    const { titleId } = lobbies.find(({ currentPlayers, maxPlayers }) => currentPlayers < maxPlayers) ?? {};
    const page = await open(options, `/game/${String(titleId)}`);
    await page.getByRole('link', { name: 'with room' }).click();
    await page.waitForURL((url) => url.pathname === '/live');
    const rows = await page.locator('#lobbies tbody tr').allInnerTexts();
    const seats = rows.map((row) => (/(\d+)\/(\d+)/.exec(row) ?? []).slice(1).map(Number));
    expect(seats.length).toBeGreaterThan(0);
    for (const [taken = 0, size = 0] of seats) expect(taken).toBeLessThan(size);
    expect(await mainText(page)).toContain('To join, start the game on your console');
  });

  it('finds the records of a week, and whom they have beaten', async () => {
    const page = await open(options, '/changes');
    if (await page.getByText('Filter', { exact: true }).isVisible())
      await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Records only').check();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('link', { name: '7 days' }).click();
    await page.waitForURL('**/changes?records=only&range=7d');
    for (const text of await page.locator('#list .list > li').allInnerTexts())
      expect(text).toMatch(/took .+ from .+|bettered their own record of .+/);
  });

  it('finds when most users were online, in a number and in a plot', async () => {
    const { online } = await answer(operations.getNetworkRecords);
    const page = await open(options, '/network');
    const at = shownTime(String(online?.at), options);
    expect(await page.locator('#records').innerText()).toContain(at);
    expect(await page.locator('#online-plot .flags').innerText()).toContain(at);
  });

  it('gets an event for the calendar, and sees when it begins', async () => {
    const [event] = await answer(operations.listEvents, '?status=upcoming&limit=1');
    const page = await open(options, '/events');
    await page
      .locator(`main a[href="/event/${String(event?.id)}"]`)
      .first()
      .click();
    await page.waitForURL('**/event/*');
    const [begin, end] = [String(event?.starts_at), event?.ends_at ?? undefined];
    expect(await mainText(page)).toMatch(
      end === undefined ? shownTime(begin, options) : shownRange([begin, end], options),
    );
    const href = await page.locator('main a[href$=".ics"]').first().getAttribute('href');
    const calendar = await fetch(system.url + String(href));
    expect([calendar.status, await calendar.text()]).toEqual([200, expect.stringMatching(/^BEGIN:VCALENDAR/)]);
  });

  it('compares two players, and sees who leads in what', async () => {
    const { leaderboard } = await answer(operations.getAchievementLeaderboard, '?limit=2');
    const page = await open(options, '/compare');
    await page.getByRole('navigation', { name: 'What is compared' }).getByRole('link', { name: 'Players' }).click();
    await page.locator('#players .empty a').click();
    await page.waitForURL((url) => url.searchParams.has('players'));
    for (const { username, totalScore } of leaderboard) {
      expect(await page.locator('.duel').innerText()).toContain(username);
      expect(await page.locator('#players tr', { hasText: 'Achievement points' }).innerText()).toContain(
        String(totalScore),
      );
    }
    expect(await page.locator('#verdict').innerText()).toMatch(/leads in|is ahead on|no leaderboard in common/);
    for (const part of ['#play-days-plot', '#achievements', '#recent-records', '#boards'])
      expect(await page.locator(part).isVisible()).toBe(true);
  });

  it('compares two games over 30 days, and others see the same at the address', async () => {
    const { games } = await answer(operations.getRanking, '?limit=2');
    const page = await open(options, '/compare?range=30d');
    for (const { titleId } of games) {
      const field = page.locator('main input[name="games"]:not([type="hidden"])').first();
      await field.fill(titleId);
      await field.press('Enter');
      await page.waitForURL((url) => url.search.includes(titleId));
    }
    const shared = new URL(page.url());
    expect(shared.searchParams.get('range')).toBe('30d');
    const other = await open(READERS[0]![1], shared.pathname + shared.search);
    for (const { gameName } of games) expect(await other.locator('h1').innerText()).toContain(gameName);
    expect(await other.locator('tbody').first().innerText()).toBe(await page.locator('tbody').first().innerText());
  });
});

it('the keyboard alone leads from the first page to a game and to a plot of it', async () => {
  const page = await open(READERS[0]![1]);
  await page.locator('html[data-script="ready"]').waitFor({ state: 'attached' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, '#games h3 a');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/game/*');
  await page.locator('html[data-script="ready"]').waitFor({ state: 'attached' });
  // The first key draws the plots.
  await page.keyboard.press('Tab');
  await page.locator('figure input[type="range"]').first().waitFor({ state: 'attached' });
  await tabTo(page, 'figure input[type="range"]');
  await page.keyboard.press('ArrowLeft');
  expect(await page.locator('figure input[type="range"]').first().getAttribute('aria-valuetext')).toContain('UTC');
});

async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`Tab never focuses ${selector}`);
}
