import { formatInstant, slotStored } from '@lobbystats/contracts';
import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { activity, day } from './day.ts';
import { openPage } from './opened-page.ts';
import { runGateway } from './running-gateway.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
}, 30_000);

describe('the page, when a snapshot comes in,', () => {
  it('shows its counts at once, and all else soon', async () => {
    const known = day({ missing: [287] });
    const { url, bus } = await runGateway({ known });
    const { text, faults } = await openPage(browser, url);
    expect(await text('#figure-online')).toBe('1,286');
    known.activity = { slot: formatInstant(known.newest), titles: [activity('00000002', 4000, ['Ember Fox'])] };
    // Nothing says when the page's stream is open.
    await eventually(async () => {
      await bus.publish(slotStored, { slot: formatInstant(known.newest), online: 4321, lobbies: null });
      expect(await text('#figure-online')).toBe('4,321');
    });
    expect(await text('#summary-online')).toContain('latest 4,321');
    await eventually(async () => expect(await text('#figure-active')).toBe('1'), { timeoutMs: 12_000 });
    expect(faults).toEqual([]);
  }, 30_000);
});
