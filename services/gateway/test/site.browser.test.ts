import { operations } from '@lobbystats/contracts';
import { cleanUp, launchChromium, memoryBus } from '@lobbystats/test-kit';
import type { Browser } from 'playwright-core';
import { activity, day } from './day.ts';
import { network, title } from './network.ts';
import { openPage } from './opened-page.ts';
import { runGateway, startRawUpstream } from './running-gateway.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
}, 30_000);

describe('page in a browser', () => {
  it('shows the data of the API without errors', async () => {
    const gateway = await runGateway({ network: day() });
    const opened = await openPage(browser, gateway.url);
    const { text } = opened;
    const series = (await gateway.request(operations.getOnlineSeries.path)).body as { online_count: number }[];
    const lobbies = (await gateway.request(operations.getLobbySeries.path)).body as { lobby_count: number }[];
    const games = Object.values(
      (await gateway.request(operations.getOnlineUsers.path)).body as Record<string, { online: number }>,
    );
    expect(await text('#figure-online')).toBe(series.at(-1)!.online_count.toLocaleString('en'));
    expect(await text('#figure-lobbies')).toBe(lobbies.at(-1)!.lobby_count.toLocaleString('en'));
    expect(await text('#figure-active')).toBe(String(games.filter(({ online }) => online > 0).length));
    expect(await text('#figure-registered')).toBe('48,211');
    expect(await text('#aside-registered')).toContain('+11');
    expect(await text('#aside-online')).toContain('1,287');
    expect(await text('#as-of')).toMatch(/\d\d:\d\d UTC/);
    expect(await text('#games-count')).toBe('4 games');
    expect(await opened.page.locator('#notice').isVisible()).toBe(false);
    expect(opened.faults).toEqual([]);
  });

  it('marks a simulated network as simulated, and no other', async () => {
    const simulated = await openPage(browser, (await runGateway({ network: day() })).url);
    expect(await simulated.text('#simulated')).toMatch(/simulated/i);
    const bus = await memoryBus('fans.example');
    const real = await runGateway({ network: day(), overrides: { bus }, env: { NETWORK_ORIGIN: 'fans.example' } });
    const opened = await openPage(browser, real.url);
    expect(await opened.page.locator('#simulated').isVisible()).toBe(false);
    expect(await opened.text('footer')).toContain('fans.example');
    expect(opened.faults).toEqual([]);
  });

  it('links to the API with working links', async () => {
    const gateway = await runGateway({ network: day() });
    const { evaluate } = await openPage(browser, gateway.url);
    const links = await evaluate<string[]>(
      `Array.from(document.querySelectorAll('#api a'), (a) => a.getAttribute('href'))`,
    );
    expect(links).toContain('/api/title/00000001');
    for (const link of links) expect([link, (await gateway.request(link)).status]).toEqual([link, 200]);
  });

  it('links to the API without JavaScript', async () => {
    const { url } = await runGateway({ network: day() });
    const { text, page } = await openPage(browser, url, { javaScriptEnabled: false });
    expect(await text('noscript')).toContain('JavaScript');
    expect(await page.locator('#api a').first().isVisible()).toBe(true);
  });
});

describe('page layout', () => {
  it.each([360, 768, 1920])('needs no horizontal scrolling at %i px', async (width) => {
    const network = day();
    network.titles[0] = title('00000001', 'W'.repeat(120), { publisher: 'M'.repeat(120) });
    network.activity.titles[0] = activity('00000001', 1_000_000, ['M'.repeat(200), 'i'.repeat(200)]);
    const { url } = await runGateway({ network });
    const { evaluate, page } = await openPage(browser, url, { viewport: { width, height: 740 } });
    await page.locator('#games-rows summary').first().click();
    expect(await evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  it.each(['light', 'dark'] as const)('is %s when preferred, with sufficient contrast', async (colorScheme) => {
    const { url } = await runGateway({ network: day() });
    const { evaluate } = await openPage(browser, url, { colorScheme });
    const colours = (selector: string) =>
      evaluate<[string, string]>(`(() => {
        const { color } = getComputedStyle(document.querySelector('${selector}'));
        return [color, getComputedStyle(document.body).backgroundColor];
      })()`);
    for (const selector of ['h1', '#as-of', '#figure-online', '#games-rows th bdi', '#api a']) {
      const [text, page] = (await colours(selector)).map(luminance) as [number, number];
      expect([selector, colorScheme, page < 0.1]).toEqual([selector, colorScheme, colorScheme === 'dark']);
      expect(contrast(text, page)).toBeGreaterThan(4.5);
    }
  });
});

describe('page with unusual data', () => {
  it('shows that there is no data yet in an empty installation', async () => {
    const known = network({
      titles: [],
      online: [],
      lobbies: [],
      registered: [],
      summary: {
        peakOnline: 0,
        peakOnlineAt: null,
        peakLobbies: 0,
        peakLobbiesAt: null,
        mostPlayedGame: null,
        gamesWithActivityCount: 0,
        totalSnapshotCount: 0,
      },
    });
    const { url } = await runGateway({ network: known });
    const { text, page, faults } = await openPage(browser, url);
    expect(await text('#day-empty')).toMatch(/no snapshots/i);
    expect(await text('#games-empty')).toMatch(/no games/i);
    for (const name of ['online', 'lobbies', 'active', 'registered']) expect(await text(`#figure-${name}`)).toBe('–');
    expect(await page.locator('#notice').isVisible()).toBe(false);
    expect(faults).toEqual([]);
  });

  it('renders names as text and loads nothing from URLs in them', async () => {
    let visits = 0;
    const elsewhere = await startRawUpstream((_req, res) => {
      visits += 1;
      res.end();
    });
    const names = [
      '<img src=x onerror="window.pwned=1">',
      '"><script>window.pwned=1</script>',
      '__proto__',
      '{{network}}',
      'javascript:window.pwned=1',
      '\u202Egnp.exe',
    ];
    const network = day();
    network.titles = names.map((name, index) =>
      title(`0000000${index}`, name, {
        publisher: name,
        image: [
          `${elsewhere}/pixel.png`,
          'javascript:window.pwned=1',
          'data:text/html,<script>window.pwned=1</script>',
        ][index % 3]!,
      }),
    );
    network.activity.titles = network.titles.map(({ titleId }) => activity(titleId, 1, names));
    const { url } = await runGateway({ network });
    const opened = await openPage(browser, url);
    expect((await opened.texts('#games-rows th bdi')).toSorted()).toEqual(names.toSorted());
    await opened.page.locator('#games-rows summary').first().click();
    expect(await opened.texts('#games-rows li')).toEqual(names);
    expect(await opened.evaluate('window.pwned')).toBeUndefined();
    expect(await opened.evaluate('({}).name')).toBeUndefined();
    expect(visits).toBe(0);
  });
});

/** Relative luminance, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = Array.from(colour.matchAll(/[\d.]+/g), ([digits]) => {
    const part = Number(digits) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio. */
function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
