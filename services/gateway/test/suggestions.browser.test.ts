import { operations } from '@lobbystats/contracts';
import { cleanUp, launchChromium } from '@lobbystats/test-kit';
import type { Browser, Page } from 'playwright-core';
import { links } from '@lobbystats/site/links';
import { HARBOR } from './network.ts';
import { openPage } from './opened-page.ts';
import { boardSuggestion, gameSuggestion, HOSTILE, playerSuggestion, runSearchGateway } from './search-page.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

const SUGGESTIONS = [
  gameSuggestion(HARBOR.name, HARBOR.titleId),
  boardSuggestion('Harbor Loop'),
  playerSuggestion(HOSTILE),
];
const FIELD = '#find';
const OPTIONS = '#find-list [role=option]';

/** The home page with these suggestions for any text. */
async function openSite(suggestions = SUGGESTIONS) {
  const gateway = await runSearchGateway({ suggestions });
  const opened = await openPage(browser, gateway.url);
  const type = async (text: string) => {
    await opened.page.locator(FIELD).focus();
    await opened.page.keyboard.type(text);
    await opened.page.locator(OPTIONS).first().waitFor();
  };
  return { ...opened, gateway, type };
}

const activeOf = async (page: Page) =>
  page.evaluate<string | null>(
    `document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.innerText ?? null`,
  );

const pathOf = (page: Page) => decodeURIComponent(new URL(page.url()).pathname);

describe('suggestions while one types', () => {
  it('are loaded at the first focus of the field', async () => {
    const { page, evaluate, type } = await openSite();
    const scripts = () =>
      evaluate<string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => name).filter((n) => n.endsWith('.js'))`,
      );
    const before = await scripts();
    await type('har');
    expect((await scripts()).length).toBeGreaterThan(before.length);
    expect(await page.locator(FIELD).getAttribute('role')).toBe('combobox');
  });

  it('follow the combobox pattern by keyboard', async () => {
    const { page, texts, text, type, evaluate, faults } = await openSite();
    await type('har');
    expect(await texts(OPTIONS)).toEqual(['Harbor Racing Game', 'Harbor Loop Harbor Racing', `${HOSTILE} Player`]);
    expect(await page.locator(FIELD).getAttribute('aria-expanded')).toBe('true');
    const icons = await evaluate<string[]>(
      `[...document.querySelectorAll('${OPTIONS} img')].map((icon) => icon.getAttribute('src'))`,
    );
    expect(icons).toEqual([links.icon(HARBOR.titleId), links.icon(HARBOR.titleId)]);
    expect(await page.locator('.find [role=status]').textContent()).toBe('3 suggestions');
    expect(await activeOf(page)).toBeNull();
    const visited: (string | null)[] = [];
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) {
      await page.keyboard.press(key);
      visited.push(await activeOf(page));
    }
    const [game, board, player] = await texts(OPTIONS);
    expect(visited).toEqual([game, board, player, null, player]);
    await page.keyboard.press('Escape');
    expect(await texts(OPTIONS)).toEqual([]);
    expect([await page.locator(FIELD).getAttribute('aria-expanded'), await page.inputValue(FIELD)]).toEqual([
      'false',
      'har',
    ]);
    await page.keyboard.press('ArrowDown');
    await page.locator(OPTIONS).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${links.leaderboard(HARBOR.titleId, 17)}`);
    expect(await text('h1')).not.toBe('');
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  });

  it('search for the text on Enter without a chosen one', async () => {
    const { page, type } = await openSite();
    await type('har');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${links.search({ q: 'har' })}`);
    expect(await page.inputValue('#q')).toBe('har');
  });

  it('open the page of the only exact name on Enter', async () => {
    const { page, type } = await openSite([
      gameSuggestion('Harbor', HARBOR.titleId),
      gameSuggestion('Harbor 2', '4d530001'),
    ]);
    await type('hARBOR');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${links.game(HARBOR.titleId)}`);
    expect(new URL(page.url()).search).toBe('');
  });

  it('search on Enter when several names are exact', async () => {
    const { page, type } = await openSite([gameSuggestion('Harbor', HARBOR.titleId), playerSuggestion('harbor')]);
    await type('harbor');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${links.search({ q: 'harbor' })}`);
    expect(await page.inputValue('#q')).toBe('harbor');
  });

  it('begin where the field begins, and have its width', async () => {
    const { page, evaluate, type } = await openSite();
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await page.locator(FIELD).fill('');
      await type('har');
      const [field, list] = await evaluate<{ left: number; right: number }[]>(
        `['#find', '.suggestions'].map((selector) => document.querySelector(selector).getBoundingClientRect().toJSON())`,
      );
      expect([width, list?.left, list?.right]).toEqual([width, field?.left, field?.right]);
    }
  });

  it('the key / goes to the field, unless one writes', async () => {
    const { page } = await openSite();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.id')).toBe('find');
    await page.keyboard.press('/');
    expect(await page.inputValue(FIELD)).toBe('/');
  });

  it('open on a click, and close when the focus leaves', async () => {
    const { page, type } = await openSite();
    await type('har');
    await page.keyboard.press('Tab');
    expect(await page.locator(OPTIONS).count()).toBe(0);
    await type('b');
    await page.locator(OPTIONS).last().click();
    await page.waitForURL('**/u/**');
    expect(pathOf(page)).toBe(`/u/${HOSTILE}`);
  });

  it('show hostile names as text', async () => {
    const { page, type, faults } = await openSite([playerSuggestion(HOSTILE), playerSuggestion('x'.repeat(100))]);
    await type('x');
    expect(await page.locator(`${OPTIONS} script`).count()).toBe(0);
    expect(await page.locator(OPTIONS).first().locator('bdi').first().textContent()).toBe(HOSTILE);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(faults).toEqual([]);
  });

  it('lie over the page: nothing moves', async () => {
    const { page, evaluate, type } = await openSite();
    const boxes = () =>
      evaluate<number[]>(
        `[...document.querySelectorAll('h1, .find input, .find button')].flatMap((e) => Object.values(e.getBoundingClientRect().toJSON()))`,
      );
    const before = await boxes();
    await type('har');
    expect(await boxes()).toEqual(before);
    expect(await page.locator('.suggestions').isVisible()).toBe(true);
  });

  it('are those of the latest text: earlier requests are aborted', async () => {
    const { page, texts, type } = await openSite();
    const held: (() => Promise<void>)[] = [];
    await page.route(`**${operations.suggestNames.path}?*`, async (route) => {
      const q = new URL(route.request().url()).searchParams.get('q') ?? '';
      if (q === 'h') held.push(() => route.fulfill({ json: { q, suggestions: [], count: 0 } }).catch(() => undefined));
      else await route.fulfill({ json: { q, suggestions: [playerSuggestion(q)], count: 1 } });
    });
    await page.locator(FIELD).focus();
    const aborted = page.waitForEvent('requestfailed');
    const asked = page.waitForRequest(`**${operations.suggestNames.path}?*`);
    await page.keyboard.type('h');
    await asked;
    await type('ar');
    expect((await aborted).url()).toContain('q=h&');
    await Promise.all(held.map((answer) => answer()));
    expect(await texts(OPTIONS)).toEqual(['har Player']);
  });

  it('leave the form as it is while the API is unavailable', async () => {
    const { page, texts } = await openSite();
    await page.route(`**${operations.suggestNames.path}?*`, (route) => route.fulfill({ status: 503, json: {} }));
    const answered = page.waitForResponse(`**${operations.suggestNames.path}?*`);
    await page.locator(FIELD).focus();
    await page.keyboard.type('har');
    await answered;
    expect(await texts(OPTIONS)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${links.search({ q: 'har' })}`);
  });

  it('also help in the field of the search page', async () => {
    const gateway = await runSearchGateway({ suggestions: SUGGESTIONS });
    const { page } = await openPage(browser, gateway.url + links.search({ q: 'har' }));
    await page.locator('#q').focus();
    await page.keyboard.press('End');
    await page.keyboard.type('b');
    await page.locator('#q-list [role=option]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${links.game(HARBOR.titleId)}`);
    expect(pathOf(page)).toBe(links.game(HARBOR.titleId));
  });
});

describe('recent searches', () => {
  it('are offered in an empty field until they are forgotten, and stay in the browser', async () => {
    const { page, texts, type, gateway } = await openSite([gameSuggestion('Harbor', HARBOR.titleId)]);
    await type('har');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${links.game(HARBOR.titleId)}`);
    await page.goto(gateway.url);
    await page.locator('html[data-script=ready]').waitFor({ state: 'attached' });
    await page.locator(FIELD).focus();
    await page.locator(OPTIONS).first().waitFor();
    expect(await texts(OPTIONS)).toEqual(['Harbor Game', 'Forget recent searches']);
    await page.getByText('Forget recent searches').click();
    await page.locator('#find-list').waitFor({ state: 'hidden' });
    await page.locator(FIELD).blur();
    await page.locator(FIELD).focus();
    expect(await texts(OPTIONS)).toEqual([]);
    expect(await page.evaluate(`localStorage.getItem('lobbystats-recent')`)).toBe('[]');
  });

  it('that another script has stored lead nowhere else', async () => {
    const { page, texts } = await openSite();
    await page.evaluate(`localStorage.setItem('lobbystats-recent', JSON.stringify([
      { text: 'x', note: '', href: 'https://evil.example/', type: 'game' },
      { text: 'y', note: '', href: '//evil.example/', type: 'game' },
      { text: 'z', note: '', href: 'javascript:alert(1)', type: 'game' }, null, 5]))`);
    await page.locator(FIELD).focus();
    await page.locator(`${FIELD}[role=combobox]`).waitFor();
    expect(await texts(OPTIONS)).toEqual([]);
  });
});
