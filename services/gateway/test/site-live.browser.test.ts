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

describe('page with a new snapshot', () => {
  it('shows its counts at once, and the other figures soon after', async () => {
    const network = day({ missing: [287] });
    const { url, bus } = await runGateway({ network });
    const { text, faults } = await openPage(browser, url);
    expect(await text('#figure-online')).toBe('1,286');
    network.activity = { slot: formatInstant(network.newest), titles: [activity('00000002', 4000, ['Ember Fox'])] };
    // Repeated, because the page does not show when its stream is open.
    await eventually(async () => {
      await bus.publish(slotStored, { slot: formatInstant(network.newest), online: 4321, lobbies: null });
      expect(await text('#figure-online')).toBe('4,321');
    });
    expect(await text('#summary-online')).toContain('latest 4,321');
    await eventually(async () => expect(await text('#figure-active')).toBe('1'), { timeoutMs: 12_000 });
    expect(faults).toEqual([]);
  }, 30_000);
});
