import { day } from './day.ts';
import { HARBOR, network, title } from './network.ts';
import { readPage } from './page-text.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';

const GAME = '/game/00000001';
const HOSTILE = ['"><script>alert(1)</script>', "'&amp;]]>", '\u202Egnp.exe', 'a/b%2F..', 'W'.repeat(200), '__proto__'];
const PUBLIC = 'https://stats.example';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway({ scope: 'file', network: day(), env: { PUBLIC_URL: PUBLIC } });
});

const online = async () => (await readPage(gateway, GAME)).texts('.figures .value')[0];

/** As if it were at its public address. */
function local(url: string): string {
  expect(url.startsWith(`${PUBLIC}/`)).toBe(true);
  return url.slice(PUBLIC.length);
}

describe('badge of a game', () => {
  it('is an SVG that says how many are online', async () => {
    const { status, text, headers } = await gateway.request(`/badge${GAME}.svg`);
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(text).toContain(`aria-label="Harbor Racing: ${await online()} online"`);
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    const again = await gateway.request(`/badge/game/harbor%20racing.svg`, {
      headers: { 'If-None-Match': headers.etag },
    });
    expect(again.status).toBe(304);
  });

  it('is a PNG of twice the pixels, too', async () => {
    const width = /width="(\d+)"/.exec((await gateway.request(`/badge${GAME}.svg`)).text)?.[1];
    const response = await fetch(`${gateway.url}/badge${GAME}.png`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).toBe('image/png');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([2 * Number(width), 40]);
  });

  it('is 404 for an unknown game', async () => {
    expect((await gateway.request('/badge/game/Nothing.svg')).status).toBe(404);
  });

  it.each(HOSTILE)('shows the name %j as text', async (name) => {
    const other = await runGateway({ network: network({ titles: [title('00000007', name)] }) });
    const { status, text } = await other.request('/badge/game/00000007.svg');
    expect([status, text.includes('<script')]).toEqual([200, false]);
    expect((await fetch(`${other.url}/badge/game/00000007.png`)).status).toBe(200);
    const page = await readPage(other, '/game/00000007');
    const frame = page.texts('#embeds pre').find((code) => code.startsWith('<iframe')) ?? '';
    expect(frame).toMatch(/^<iframe src="[^"<>]+" title="[^"<>]+" width="320" height="190" loading="lazy"><\/iframe>$/);
    expect((await readPage(other, '/embed/game/00000007')).text('.name')).toBe(name);
  });
});

describe('widget of a game', () => {
  it('may be framed by any site, and has neither header nor session', async () => {
    const page = await readPage(gateway, `/embed${GAME}`);
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
    );
    expect(page.document.querySelectorAll('header, footer, form, [data-island]')).toHaveLength(0);
    expect(page.text('.value')).toBe(await online());
    expect(page.links('.name a')).toEqual([GAME]);
    expect(page.document.querySelectorAll('.sparkline polyline').length).toBeGreaterThan(0);
  });

  it('is the only page that may be framed', async () => {
    for (const path of ['/', GAME, '/me', '/embed/game/Nothing', `/badge${GAME}.svg`]) {
      expect((await gateway.request(path)).headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
  });

  it('takes the colors that its URL names', async () => {
    const theme = async (query: string) =>
      (await readPage(gateway, `/embed${GAME}${query}`)).document.documentElement.getAttribute('data-theme');
    expect([await theme(''), await theme('?theme=dark')]).toEqual([null, 'dark']);
    expect((await gateway.request(`/embed${GAME}?theme=%22%3E`)).status).toBe(400);
  });
});

describe('oEmbed', () => {
  it('is found on the page of the game, and is its widget', async () => {
    const page = await readPage(gateway, `${GAME}?range=7d`);
    const [href = ''] = page.links('link[type="application/json+oembed"]');
    const { body, headers } = await gateway.request(local(href));
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body).toMatchObject({
      ...{ type: 'rich', version: '1.0', title: 'Harbor Racing: users online', width: 320, height: 190 },
      html: `<iframe src="${PUBLIC}/embed${GAME}" title="Harbor Racing: users online" width="320" height="190" loading="lazy"></iframe>`,
      thumbnail_url: `${PUBLIC}/og${GAME}.png`,
    });
    const { thumbnail_url: thumbnail } = body as { thumbnail_url: string };
    expect((await gateway.request(local(thumbnail))).status).toBe(200);
  });

  it('is XML where that is asked for', async () => {
    const page = await readPage(gateway, GAME);
    const [href = ''] = page.links('link[type="text/xml+oembed"]');
    const { text, headers } = await gateway.request(local(href));
    expect(headers['content-type']).toBe('text/xml; charset=utf-8');
    expect(text).toContain('<type>rich</type><version>1.0</version>');
    expect(text).toContain('<html>&lt;iframe src=&quot;');
  });

  it('keeps within the size that is asked for', async () => {
    const { body } = await gateway.request(oembed(`${PUBLIC}${GAME}`, '&maxwidth=200&maxheight=100'));
    expect(body).toMatchObject({ width: 200, height: 100 });
  });

  it.each([
    `${PUBLIC}/game/Harbor%20Racing`,
    `${PUBLIC}${GAME}?range=7d#plots`,
    `${PUBLIC}${GAME}/`,
    `http://stats.example${GAME}`,
  ])('knows the game of %s', async (url) => {
    expect((await gateway.request(oembed(url))).status).toBe(200);
  });

  it.each([
    `https://other.example${GAME}`,
    `${PUBLIC}.evil.example${GAME}`,
    `${PUBLIC}/u/Ember`,
    `${PUBLIC}${GAME}/leaderboard/17`,
    `${PUBLIC}/game/${HARBOR.titleId}`,
    `${PUBLIC}/game/%FF`,
    `${PUBLIC}/game/`,
    'x',
    '',
  ])('is 404 for %s', async (url) => {
    expect((await gateway.request(oembed(url))).status).toBe(404);
  });

  it.each(['/oembed', oembed(`${PUBLIC}${GAME}`, '&format=yaml'), oembed(`${PUBLIC}${GAME}`, '&maxwidth=0')])(
    'is 400 for %s',
    async (path) => {
      expect((await gateway.request(path)).status).toBe(400);
    },
  );
});

function oembed(url: string, rest = ''): string {
  return `/oembed?url=${encodeURIComponent(url)}${rest}`;
}
