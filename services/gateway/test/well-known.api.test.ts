import { operations, titleStored, type Operation, type OperationResponse } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { HARBOR, network, RALLY } from './network.ts';
import { readPage } from './page-text.ts';
import { elementsOf, parseXml, textsOf } from './parsed-xml.ts';
import { runGateway, UNREACHABLE_URL, type RunningGateway } from './running-gateway.ts';

const BASE = 'https://stats.example';
const NOW_MS = Date.UTC(2027, 0, 15, 8);

let gateway: RunningGateway;

beforeAll(async () => {
  const env = { PUBLIC_URL: `${BASE}/`, SECURITY_CONTACT: 'mailto:security@stats.example' };
  gateway = await runGateway({ scope: 'file', env, overrides: { clock: () => NOW_MS } });
});

async function sitemap(path: string): Promise<string[]> {
  const { status, headers, text } = await gateway.request(path);
  expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
  const root = parseXml(text);
  expect(root.namespaceURI).toBe('http://www.sitemaps.org/schemas/sitemap/0.9');
  return textsOf(root, 'loc');
}

async function answerOf<Op extends Operation>({ path }: Op): Promise<OperationResponse<Op>> {
  return JSON.parse((await gateway.request(path)).text) as OperationResponse<Op>;
}

describe('robots.txt', () => {
  it('names the sitemap and leaves out the API', async () => {
    const { status, headers, text } = await gateway.request('/robots.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(headers['cache-control']).toBe('public, max-age=3600');
    const lines = text.split('\n');
    expect(lines[0]).toBe('User-agent: *');
    expect(lines).toEqual(expect.arrayContaining(['Disallow: /api/', 'Disallow: /search?', 'Disallow: /me$']));
    expect(lines).toContain(`Sitemap: ${BASE}/sitemap.xml`);
    const again = await gateway.request('/robots.txt', { headers: { 'If-None-Match': headers.etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

describe('opensearch.xml', () => {
  it('names the search page at the public URL, and every page links to it', async () => {
    const { status, headers, text } = await gateway.request('/opensearch.xml');
    expect([status, headers['content-type']]).toEqual([200, 'application/opensearchdescription+xml; charset=utf-8']);
    const root = parseXml(text);
    expect([root.localName, root.namespaceURI]).toEqual([
      'OpenSearchDescription',
      'http://a9.com/-/spec/opensearch/1.1/',
    ]);
    const templates = elementsOf(root, 'Url').map((url) => [url.getAttribute('type'), url.getAttribute('template')]);
    expect(templates).toEqual([
      ['text/html', `${BASE}/search?q={searchTerms}`],
      ['application/opensearchdescription+xml', `${BASE}/opensearch.xml`],
    ]);
    expect((await readPage(gateway, '/docs/guide')).links('link[rel=search]')).toEqual(['/opensearch.xml']);
  });
});

describe('sitemap.xml', () => {
  it('lists a sitemap of the pages and one of each game', async () => {
    expect(await sitemap('/sitemap.xml')).toEqual([
      `${BASE}/sitemap-pages.xml`,
      `${BASE}/sitemap-game-${RALLY.titleId}.xml`,
      `${BASE}/sitemap-game-${HARBOR.titleId}.xml`,
    ]);
    expect(await sitemap('/sitemap-pages.xml')).toEqual(expect.arrayContaining([`${BASE}/`, `${BASE}/docs`]));
  });

  it('lists pages of achievements and events', async () => {
    const [achievements, events] = [await answerOf(operations.listAchievements), await answerOf(operations.listEvents)];
    expect(events.length).toBeGreaterThan(0);
    expect(await sitemap('/sitemap-pages.xml')).toEqual(
      expect.arrayContaining([
        ...achievements.achievements.map(({ id }) => `${BASE}/achievement/${id}`),
        ...events.map(({ id }) => `${BASE}/event/${id}`),
      ]),
    );
  });

  it('lists the game and its leaderboards', async () => {
    expect(await sitemap(`/sitemap-game-${HARBOR.titleId}.xml`)).toEqual([
      `${BASE}/game/4d530064`,
      `${BASE}/game/4d530064/leaderboard/17`,
    ]);
  });

  it.each(['/sitemap-game-4d5300ff.xml', '/sitemap-game-x.xml', '/sitemap-game-__proto__.xml', '/sitemap-1.xml'])(
    'is 404 at %s',
    async (path) => {
      expect((await gateway.request(path)).status).toBe(404);
    },
  );

  it('is cached until a title changes', async () => {
    const cached = await runGateway({ network: network(), env: { CACHE_BYTES: '1000000', PUBLIC_URL: BASE } });
    const statusOf = async () => (await cached.request('/sitemap.xml')).headers['cache-status'];
    expect(await statusOf()).toMatch(/stored/);
    expect(await statusOf()).toMatch(/hit/);
    const title = { ...HARBOR, titleId: '0000000b', name: 'New' };
    await cached.bus.publish(titleStored, { revision: 5, titles: [title] }, {});
    await eventually(async () => expect((await cached.request('/sitemap.xml')).text).toContain('0000000b'));
  });

  it('is 503 while the upstream of a game is unavailable', async () => {
    const down = await runGateway({ env: { CATALOG_API_URL: UNREACHABLE_URL } });
    expect((await down.request('/sitemap.xml')).status).toBe(503);
  });
});

describe('security.txt', () => {
  it('names the contact and expires within a year', async () => {
    const { status, headers, text } = await gateway.request('/.well-known/security.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const fields = new Map(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(': ', 2) as [string, string]),
    );
    expect(fields.get('Contact')).toBe('mailto:security@stats.example');
    expect(fields.get('Canonical')).toBe(`${BASE}/.well-known/security.txt`);
    expect(fields.get('Expires')).toBe('2027-07-14T00:00:00Z');
  });

  it('is 404 without a contact', async () => {
    const { status, body } = await (await runGateway()).request('/.well-known/security.txt');
    expect([status, body]).toEqual([404, { error: 'Unknown route' }]);
  });

  it('does not start with a contact that is no URI of a known kind', async () => {
    await expect(runGateway({ env: { SECURITY_CONTACT: 'security@stats.example' } })).rejects.toThrow(
      'SECURITY_CONTACT',
    );
    await expect(runGateway({ env: { SECURITY_CONTACT: 'javascript:alert(1)' } })).rejects.toThrow('SECURITY_CONTACT');
  });
});

describe('icons and manifest', () => {
  it('has a manifest whose icons exist in their sizes', async () => {
    const { status, headers, text } = await gateway.request('/manifest.webmanifest');
    expect([status, headers['content-type']]).toEqual([200, 'application/manifest+json; charset=utf-8']);
    const { name, start_url, icons } = JSON.parse(text) as {
      name: string;
      start_url: string;
      icons: { src: string; type: string; sizes: string }[];
    };
    expect([name, start_url]).toEqual(['Lobbystats', '/']);
    expect(icons.map(({ sizes }) => sizes)).toEqual(['any', '192x192', '512x512']);
    for (const { src, type, sizes } of icons) {
      const response = await fetch(gateway.url + src);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
      const bytes = Buffer.from(await response.arrayBuffer());
      const pixels = type === 'image/png' ? `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}` : 'any';
      expect(pixels).toBe(sizes);
    }
  });

  it('has a favicon.ico of three sizes', async () => {
    const response = await fetch(`${gateway.url}/favicon.ico`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([bytes.readUInt16LE(0), bytes.readUInt16LE(2), bytes.readUInt16LE(4)]).toEqual([0, 1, 3]);
    const images = [0, 1, 2].map((index) => {
      const entry = 6 + 16 * index;
      const png = bytes.subarray(bytes.readUInt32LE(entry + 12)).subarray(0, bytes.readUInt32LE(entry + 8));
      return [bytes.readUInt8(entry), png.subarray(1, 4).toString(), png.readUInt32BE(16)];
    });
    expect(images).toEqual([
      [16, 'PNG', 16],
      [32, 'PNG', 32],
      [48, 'PNG', 48],
    ]);
  });

  it.each(['/favicon.svg', '/apple-touch-icon.png'])('serves %s', async (path) => {
    expect((await gateway.request(path)).status).toBe(200);
  });
});
