import { operations, PLAYER_NAME_MAX } from '@lobbystats/contracts';
import { notFound, route } from '@lobbystats/service-kit';
import { cleanUp, launchChromium, LAYOUT_FAULTS } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { BOARD_PAGE, change, HOSTILE_NAMES, record, runBoardGateway } from './board-gateway.ts';
import { openPage } from './opened-page.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

const NAMES = [...HOSTILE_NAMES, ...Array.from({ length: 60 }, (_, index) => `Player ${index}`)];
const DATA = {
  names: NAMES,
  changes: HOSTILE_NAMES.map((playerName, index) => change(index + 1, { playerName, leaderboardName: playerName })),
  records: HOSTILE_NAMES.map((name) => record(name, '2027-01-15 07:00:00')),
};

describe('pages of leaderboards, changes and the network', () => {
  it('finds the page around a player by keyboard', async () => {
    const gateway = await runBoardGateway(DATA);
    const { page, tabTo, texts, faults } = await openPage(browser, gateway.url + BOARD_PAGE);
    await tabTo('[name=around]');
    await page.keyboard.type('Player 50');
    await page.keyboard.press('Enter');
    await page.locator('tr.marked').waitFor();
    expect(await texts('tr.marked th')).toEqual(['Player 50']);
    expect(faults).toEqual([]);
  });

  it('reads the bars of the distribution by keyboard', async () => {
    const gateway = await runBoardGateway(DATA);
    const { page, text } = await openPage(browser, gateway.url + BOARD_PAGE);
    await page.locator('#ratings-plot').scrollIntoViewIfNeeded();
    await page.locator('#ratings-plot input').focus();
    await page.keyboard.press('Home');
    expect(await text('#ratings-plot .readout')).toBe('0:49.000–0:49.500 · Entries: 2');
  });

  it('says that a page no longer exists, and when it exists again', async () => {
    const names = ['Ember Fox'];
    const records = route(operations.getLeaderboardRecords, async () => {
      throw notFound('leaderboard');
    });
    const gateway = await runBoardGateway({ names, routes: [records] });
    const { page, text } = await openPage(browser, gateway.url + BOARD_PAGE);
    const readAgain = () => page.evaluate(`dispatchEvent(new Event('online'))`);
    names.pop();
    await readAgain();
    await page.locator('#notice').waitFor();
    expect(await text('#notice')).toBe('This page no longer exists. It is shown as it was last.');
    expect(await text('main')).toContain('Ember Fox');
    names.push('Pike');
    await readAgain();
    await page.locator('#notice').waitFor({ state: 'hidden' });
    expect(await text('main')).toContain('Pike');
  });

  it.each([BOARD_PAGE, `${BOARD_PAGE}?since=1d`, '/changes', '/network'])(
    'has no horizontal scrolling at 320 px, and no fault: %s',
    async (path) => {
      const gateway = await runBoardGateway(DATA);
      const viewport = { width: 320, height: 700 };
      const { evaluate, faults } = await openPage(browser, gateway.url + path, { viewport });
      expect(await evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(faults).toEqual([]);
    },
  );

  it.each([BOARD_PAGE, `${BOARD_PAGE}?since=1d`, '/changes'])(
    'fits the longest name at all widths: %s',
    async (path) => {
      const longest = 'Y'.repeat(PLAYER_NAME_MAX);
      const gateway = await runBoardGateway({
        names: [longest, 'Ember Fox'],
        changes: [change(1, { playerName: longest, leaderboardName: longest })],
        records: [record(longest, '2027-01-15 07:00:00')],
      });
      for (const width of [1440, 768, 390]) {
        const viewport = { width, height: 900 };
        const { page, evaluate } = await openPage(browser, gateway.url + path, { viewport });
        expect([width, await evaluate(LAYOUT_FAULTS)]).toEqual([width, []]);
        await page.close();
      }
    },
  );
});
