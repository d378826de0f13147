import { formatInstant, operations, slotStored, tags } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { pages } from '@lobbystats/site';
import { NEWEST } from './network.ts';
import { readPage } from './page-text.ts';
import { cacheStatus, HIT, requestCount, runCached, setOnline, slotData } from './running-cache.ts';
import { runGateway, UNREACHABLE_URL } from './running-gateway.ts';
import { fillPath } from './sample-request.ts';

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const shownOnline = async (gateway: Parameters<typeof readPage>[0]) =>
  (await readPage(gateway, '/')).texts('.figures .value')[0];

describe('cached page', () => {
  it('is composed once, and then served from the cache with the same headers', async () => {
    const gateway = await runCached();
    const first = await gateway.request('/', { headers: HTML });
    const asked = requestCount(gateway.series, operations.getNow.path);
    const second = await gateway.request('/', { headers: HTML });
    expect([second.text, second.headers.etag]).toEqual([first.text, first.headers.etag]);
    expect([second.headers['cache-status'], requestCount(gateway.series, operations.getNow.path)]).toEqual([
      HIT,
      asked,
    ]);
    // One policy: a browser would apply two of them at once.
    expect(second.headers['content-security-policy']).toBe(first.headers['content-security-policy']);
    expect(second.headers['content-security-policy']).toContain("script-src 'self'");
    expect(second.headers['x-content-type-options']).toBe('nosniff');
  });

  it('is composed once for many readers who come at the same time', async () => {
    const gateway = await runCached();
    await Promise.all(Array.from({ length: 50 }, () => gateway.request('/')));
    expect(requestCount(gateway.series, operations.getNow.path)).toBe(1);
  });

  it('has validators and a compressed form', async () => {
    const gateway = await runCached();
    const { headers, text } = await gateway.request('/', { headers: HTML });
    const again = await gateway.request('/', { headers: { ...HTML, 'If-None-Match': headers.etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    const packed = await fetch(gateway.url, { headers: { ...HTML, 'Accept-Encoding': 'gzip', Connection: 'close' } });
    expect([await packed.text(), packed.headers.get('content-encoding')]).toEqual([text, 'gzip']);
  });

  it('is composed again after a fact with a tag of its data', async () => {
    const gateway = await runCached();
    expect(await shownOnline(gateway)).toBe('41');
    setOnline(gateway, 99);
    expect(await shownOnline(gateway)).toBe('41');
    await gateway.bus.publish(slotStored, slotData(NEWEST));
    await eventually(async () => expect(await shownOnline(gateway)).toBe('99'));
  });

  it('shows a period by its URL, each cached on its own', async () => {
    const gateway = await runCached();
    for (const path of ['/?range=7d', '/?range=1y']) {
      expect((await readPage(gateway, path)).status).toBe(200);
      expect(await cacheStatus(gateway, path)).toBe(HIT);
    }
    expect((await readPage(gateway, '/?range=7d')).text('.choices [aria-current]')).toBe('7 days');
  });
});

describe('page during an outage', () => {
  it('shows the parts that are available, and is not stored', async () => {
    const gateway = await runCached({ env: { CATALOG_API_URL: UNREACHABLE_URL } });
    const page = await readPage(gateway, '/');
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.texts('.figures .value')[0]).toBe('41');
    expect(page.text('#records .unavailable')).toBe('This part is unavailable at the moment.');
    expect(await cacheStatus(gateway, '/')).toBeUndefined();
  });

  it('is the last whole page, if there is one', async () => {
    const gateway = await runCached();
    const before = await gateway.request('/', { headers: HTML });
    await gateway.catalog.stop();
    gateway.clock.set(formatInstant(NEWEST + 700));
    const during = await gateway.request('/', { headers: HTML });
    expect([during.status, during.text]).toEqual([200, before.text]);
    expect(during.headers['cache-status']).toContain('detail=unavailable');
  });
});

describe('errors of pages', () => {
  it.each([
    ['/nothing', 404, 'Not found'],
    ['/?range=century', 400, 'This address is not valid'],
    ['/%E0%A4%A', 400, 'This address is not valid'],
  ])('GET %s is answered with %i', async (path, status, heading) => {
    const gateway = await runGateway();
    const page = await readPage(gateway, path);
    expect([page.status, page.text('h1')]).toEqual([status, heading]);
    expect(page.headers['cache-control']).toBe('no-store');
  });

  it('say what is wrong with a parameter, as text', async () => {
    const page = await readPage(await runGateway(), '/?range="><script>alert(1)</script>');
    expect(page.text('main')).toContain('range must be one of');
    expect(page.document.querySelectorAll('main script')).toHaveLength(0);
  });

  it('are JSON for programs, and under /api', async () => {
    const gateway = await runGateway();
    for (const [path, headers] of [
      ['/nothing', {}],
      ['/api/nothing', HTML],
    ] as const) {
      const { status, body } = await gateway.request(path, { headers });
      expect([status, body]).toEqual([404, { error: 'Unknown route' }]);
    }
  });
});

/** The topics that tell of changed data, by the kind of its tag. */
const TOPICS = new Map([
  [tags.slots, 'online'],
  [tags.backfill, 'backfill'],
  [tags.everyBoard, 'changes'],
  [tags.everyChange, 'changes'],
  [tags.events, 'events'],
  [tags.achievements, 'unlocks'],
  [tags.user('').replace(':', ''), 'profiles'],
  [tags.reputation('').replace(':', ''), 'ratings'],
]);

describe('live pages', () => {
  it('are fetched again after each change of what they show', async () => {
    const gateway = await runGateway();
    const missing: [string, string[]][] = [];
    for (const { path, asks } of pages) {
      const { document } = await readPage(gateway, fillPath(path));
      const stream = document.querySelector('main')?.getAttribute('data-stream') ?? '';
      if (stream === '') continue;
      const followed = new URL(stream, gateway.url).searchParams.get('topics')?.split(',') ?? [];
      const kinds = asks.flatMap(({ tags: ofOperation }) => ofOperation).map((tag) => tag.split(':')[0] ?? '');
      const needed = new Set(kinds.flatMap((kind) => TOPICS.get(kind) ?? []));
      missing.push([path, [...needed].filter((topic) => !followed.includes(topic))]);
    }
    expect(missing.length).toBeGreaterThan(5);
    expect(missing.filter(([, topics]) => topics.length > 0)).toEqual([]);
  });
});

describe('assets of pages', () => {
  it('have names with their hash, and may be cached for ever', async () => {
    const gateway = await runGateway();
    const { document } = await readPage(gateway, '/');
    const paths = Array.from(document.querySelectorAll('link[rel=stylesheet], script[src]'), (element) =>
      String(element.getAttribute('href') ?? element.getAttribute('src')),
    );
    expect(paths).toEqual([
      expect.stringMatching(/^\/assets\/site-[A-Z0-9]{8}\.css$/),
      expect.stringMatching(/^\/assets\/early-[A-Z0-9]{8}\.js$/),
      expect.stringMatching(/^\/assets\/page-[A-Z0-9]{8}\.js$/),
    ]);
    for (const path of paths) {
      const { status, headers } = await gateway.request(path);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      const packed = await fetch(gateway.url + path, { headers: { 'Accept-Encoding': 'gzip', Connection: 'close' } });
      // The one that runs before the first paint is as small as it is.
      expect(packed.headers.get('content-encoding')).toBe(path.includes('early') ? null : 'gzip');
    }
  });
});
