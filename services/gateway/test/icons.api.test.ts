import { iconStored, titleStored } from '@lobbystats/contracts';
import { initialsOf } from '@lobbystats/site';
import { eventually } from '@lobbystats/test-kit';
import { iconPlaceholder } from '../src/images/icon-placeholder.ts';
import { HARBOR, network, RALLY, title } from './network.ts';
import { runGateway } from './running-gateway.ts';

const IMAGE = Buffer.from('RIFF....WEBPVP8 ').toString('base64');
const ICON = `/icon/${HARBOR.titleId}`;

function run(icons: ReadonlyMap<string, string>, env: Record<string, string> = {}) {
  const known = network({ icons });
  return runGateway({ network: known, env }).then((gateway) => ({
    known,
    gateway,
    ask: (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers }),
  }));
}

describe('the icon of a game', () => {
  it('is the stored image, for a day, with a validator and no other interpretation', async () => {
    const { ask } = await run(new Map([[HARBOR.titleId, IMAGE]]));
    const response = await ask(ICON);
    expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(IMAGE);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    });
    const etag = response.headers.get('etag') ?? '';
    const again = await ask(ICON.toUpperCase().replace('/ICON', '/icon'), { 'If-None-Match': etag });
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'public, max-age=86400']);
  });

  it('is drawn from the name until there is one', async () => {
    const { ask } = await run(new Map());
    const response = await ask(ICON);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    });
    expect(await response.text()).toContain('>HR</text>');
  });

  it('is asked once of catalog-api, and again after its fact', async () => {
    const icons = new Map<string, string>();
    const { ask, gateway } = await run(icons, { CACHE_BYTES: '10000000' });
    const count = () => gateway.catalog.requests.filter(({ url }) => url.endsWith('/icon')).length;
    for (let times = 0; times < 3; times += 1) await (await ask(ICON)).text();
    expect(count()).toBe(1);
    icons.set(HARBOR.titleId, IMAGE);
    await gateway.bus.publish(iconStored, { titleId: HARBOR.titleId }, {});
    await eventually(async () => {
      expect((await ask(ICON)).headers.get('content-type')).toBe('image/webp');
    });
  });

  it('has the initials of the new name after a game was renamed', async () => {
    const { ask, gateway } = await run(new Map(), { CACHE_BYTES: '10000000' });
    expect(await (await ask(ICON)).text()).toContain('>HR</text>');
    const titles = [{ ...HARBOR, name: 'Quiet Tide' }];
    await gateway.bus.publish(titleStored, { revision: 9, titles }, {});
    await eventually(async () => {
      expect(await (await ask(ICON)).text()).toContain('>QT</text>');
    });
  });

  it.each(['/icon/4d5300ff', '/icon/nothing', '/icon/..%2f', '/icon/'])('%s is 404', async (path) => {
    const { ask } = await run(new Map());
    expect((await ask(path)).status).toBe(404);
  });
});

describe('initialsOf', () => {
  it.each([
    ['Harbor Racing', 'HR'],
    ['chess', 'C'],
    ['VividNewt702', 'VN'],
    ["The King's Road 2", 'TK'],
    ['100% Regatta', '1R'],
    ['Étang gelé', 'ÉG'],
    ['漢字 かな', '漢か'],
    ['-- %% --', '?'],
    ['', '?'],
    ['\u0301 x', 'X'],
  ])('of %j are %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});

describe('iconPlaceholder', () => {
  it('is well-formed XML for every name', () => {
    for (const name of ['<script>', '&amp; "quoted"', `Z${'\u0301'.repeat(60)}`, '👩‍👩‍👧‍👦', '\u0000 \uD800']) {
      const svg = iconPlaceholder(title(RALLY.titleId, name));
      expect(svg).toMatch(/^<svg [^<>]*><rect [^<>]*\/><text [^<>]*>[^<>]{1,8}<\/text><\/svg>$/u);
    }
  });

  it('has white letters of a contrast above 4.5 in every color', () => {
    for (let hue = 0; hue < 360; hue += 1) {
      const svg = iconPlaceholder(title(hue.toString(16).padStart(8, '0'), 'Rally'));
      const [, h, s, l] = /fill="hsl\((\d+),(\d+)%,(\d+)%\)"/.exec(svg) ?? [];
      expect(1.05 / (luminance(Number(h), Number(s) / 100, Number(l) / 100) + 0.05)).toBeGreaterThan(4.5);
    }
  });
});

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(hue: number, saturation: number, lightness: number): number {
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    const value = lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4);
}
