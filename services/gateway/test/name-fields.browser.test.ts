import { operations } from '@lobbystats/contracts';
import { cleanUp, launchChromium } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '@lobbystats/test-kit/accessibility';
import { openPage } from './opened-page.ts';
import { HOSTILE, playerSuggestion, runSearchGateway } from './search-page.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

describe('a field for names', () => {
  const PLAYERS = [playerSuggestion('Ember Fox'), playerSuggestion(HOSTILE)];

  /** A page with such fields. */
  async function openForm(path: string) {
    const gateway = await runSearchGateway({ suggestions: PLAYERS });
    const opened = await openPage(browser, gateway.url + path);
    const asked: string[] = [];
    opened.page.on('request', (request) => {
      if (new URL(request.url()).pathname === operations.suggestNames.path) asked.push(new URL(request.url()).search);
    });
    return { ...opened, asked };
  }

  it('takes the chosen name, and asks for names of its type alone', async () => {
    const { page, texts, asked, faults } = await openForm('/compare?tab=players');
    await page.getByLabel('Other player').click();
    await page.keyboard.type('fo');
    await page.locator('#player-2-list [role=option]').first().waitFor();
    expect(await texts('#player-2-list [role=option]')).toEqual(['Ember Fox Player', `${HOSTILE} Player`]);
    // A slow machine asks before the second letter, too.
    expect(asked.filter((query) => !query.startsWith('?type=player&q=f'))).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await page.inputValue('#player-2')).toBe('Ember Fox');
    expect(new URL(page.url()).pathname).toBe('/compare');
    expect(await page.getByRole('combobox', { name: 'Other player', exact: true }).count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('adds names to a list of several', async () => {
    const { page } = await openForm('/search?by=players');
    await page.locator('#names').focus();
    await page.keyboard.type('Owl, em');
    await page.locator('#names-list [role=option]').first().click();
    expect(await page.inputValue('#names')).toBe('Owl, Ember Fox, ');
  });

  it('works without suggestions while JavaScript is off', async () => {
    const gateway = await runSearchGateway();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${gateway.url}/compare?tab=players`);
    await page.getByLabel('Other player').fill('Pike');
    await page.locator('#player-1').fill('Owl');
    await page.getByRole('button', { name: 'Compare' }).click();
    expect(new URL(page.url()).searchParams.getAll('players')).toEqual(['Owl', 'Pike']);
    await context.close();
  });
});
