import { parseActivity, parseGamePage, parseHomepage } from './page-reader.ts';
import { instant, NOW_SECONDS, NOW_SLOT, withSimulator } from './running-simulator.ts';

const SMALL = { titles: 40, boards: 200, openMatches: 60 };

describe('homepage', () => {
  it('shows the counters, titles, users and activity of the world', async () => {
    await withSimulator(SMALL, async ({ text, world }) => {
      const page = parseHomepage(await text('/'));
      const observation = world.observe(NOW_SLOT);
      const titles = world.titlesAt(NOW_SLOT);
      expect(page).toMatchObject({
        registered: observation.registered,
        supported: titles.length,
        online: observation.online,
      });
      expect(page.games.map(({ titleId, name, publisher, online }) => ({ titleId, name, publisher, online }))).toEqual(
        titles.map(({ titleId, name, publisher }, index) => ({
          titleId,
          name,
          publisher: publisher ?? '',
          online: observation.titles[index]!.online,
        })),
      );
      expect(page.games.map(({ activity }) => parseActivity(activity))).toEqual(
        observation.titles.map(({ players, sessions }) => ({ players, sessions })),
      );
    });
  });

  it('shows every form of an inactive title', async () => {
    await withSimulator({ titles: 100, openMatches: 0 }, async ({ text }) => {
      const cells = new Set(parseHomepage(await text('/')).games.map(({ activity }) => activity));
      expect(cells).toEqual(new Set(['-', '0', '0 sessions', '0 in 0 sessions', '']));
    });
  });

  it('separates thousands', async () => {
    await withSimulator({ titles: 2, openMatches: 20_000 }, async ({ text, world }) => {
      const html = await text('/');
      expect(html).toMatch(/<td>\d{1,3},\d{3} in \d{1,3},\d{3} sessions<\/td>/);
      expect(parseHomepage(html).online).toBe(world.observe(NOW_SLOT).online);
    });
  });

  it('escapes markup in names', async () => {
    await withSimulator(SMALL, async ({ text }) => {
      const html = await text('/');
      expect(html).toContain('Frost &lt;Zero&gt;');
      expect(html).toContain('Salt &amp; Sabre');
      expect(html).not.toContain('<Zero>');
    });
  });
});

describe('game page', () => {
  it('shows the matches, metadata and leaderboards of the world', async () => {
    await withSimulator(SMALL, async ({ text, world }) => {
      const dateFormats = new Set<string>();
      for (const title of world.titlesAt(NOW_SLOT)) {
        const page = parseGamePage(await text(`/games/${title.titleId}`));
        expect(page.matches).toEqual(world.observeTitle(NOW_SLOT, title.titleId)!.matches);
        expect(page.details).toMatchObject({ Title: title.fullTitle, Serial: title.productCode });
        expect(page.details['Publisher']).toBe(title.publisher ?? undefined);
        const date = page.details['Release date'];
        expect(date === undefined ? null : isoDay(date)).toBe(title.releaseDate);
        dateFormats.add(date?.replace(/[a-z]+/i, 'Month').replace(/\d/g, '0') ?? 'absent');
        const boards = world.boardsAt(NOW_SLOT, title.titleId);
        expect(page.boards).toEqual(boards.map(({ id, name }) => ({ id: String(id), name })));
      }
      expect([...dateFormats]).toEqual(expect.arrayContaining(['0000-00-00', '00 Month 0000', 'absent']));
    });
  });

  it('escapes markup in titles', async () => {
    await withSimulator(SMALL, async ({ text, world }) => {
      const { titleId } = world.titlesAt(NOW_SLOT).find(({ name }) => name === 'Frost <Zero>')!;
      expect(await text(`/games/${titleId}`)).not.toContain('<script>alert');
    });
  });

  it('is found by its case-insensitive ID, and returns 404 for other paths', async () => {
    await withSimulator(SMALL, async ({ get, world }) => {
      const { titleId } = world.titlesAt(NOW_SLOT).find((title) => /[a-f]/.test(title.titleId))!;
      expect((await get(`/games/${titleId.toUpperCase()}`)).status).toBe(200);
      for (const path of ['/games/deadbeef', '/games/__proto__', '/games/', '/games/%2e%2e%2f', '/nothing']) {
        const response = await get(path);
        expect([path, response.status]).toEqual([path, 404]);
        expect(await response.text()).toContain('</html>');
      }
    });
  });
});

describe('icons', () => {
  it('are cacheable PNG images at the addresses on the homepage', async () => {
    await withSimulator(SMALL, async ({ get, text }) => {
      for (const { icon } of parseHomepage(await text('/')).games) {
        expect(icon).toMatch(/^\/icons\/[0-9a-f]{8}\.png$/);
        const response = await get(icon);
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe('image/png');
        expect(response.headers.get('cache-control')).toContain('max-age=86400');
        const bytes = Buffer.from(await response.arrayBuffer());
        expect([bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([
          'PNG',
          96,
          96,
        ]);
      }
      expect((await get('/icons/deadbeef.png')).status).toBe(404);
    });
  });
});

describe('pages of an instant', () => {
  it('keep their ETag within a slot and change it with their content', async () => {
    let now = NOW_SLOT * 1000;
    await withSimulator({ ...SMALL, clock: () => now }, async ({ get, text }) => {
      const first = await text('/');
      const etag = (await get('/')).headers.get('etag')!;
      now += 299_999;
      expect(await text('/')).toBe(first);
      const unchanged = await get('/', { 'if-none-match': etag });
      expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
      now += 1;
      const changed = await get('/', { 'if-none-match': etag });
      expect(changed.status).toBe(200);
      expect(changed.headers.get('etag')).not.toBe(etag);
    });
  });

  it('equal the pages of that time byte by byte', async () => {
    let now = (NOW_SLOT - 86_400) * 1000;
    await withSimulator({ ...SMALL, clock: () => now }, async ({ text, world }) => {
      const paths = ['/', ...world.titlesAt(now / 1000).map(({ titleId }) => `/games/${titleId}`)];
      const then = await Promise.all(paths.map((path) => text(path)));
      const at = instant(now / 1000 + 123);
      now += 86_400_000;
      expect(await Promise.all(paths.map((path) => text(`${path}?at=${at}`)))).toEqual(then);
    });
  });

  it('return 400 for a future or malformed instant', async () => {
    await withSimulator(SMALL, async ({ get }) => {
      expect((await get(`/?at=${instant(NOW_SECONDS)}`)).status).toBe(200);
      const bad = [instant(NOW_SECONDS + 1), '2026-02-30T00:00:00Z', '2026-02-03', '2026-02-03T00:00:00', '', '1'];
      for (const at of [...bad, `${instant(0)}&at=${instant(0)}`]) {
        expect([at, (await get(`/?at=${at}`)).status]).toEqual([at, 400]);
        expect([at, (await get(`/games/4d530001?at=${at}`)).status]).toEqual([at, 400]);
      }
    });
  });

  it('show a title only while it exists', async () => {
    await withSimulator({}, async ({ get, world }) => {
      const then = NOW_SLOT - 30 * 86_400;
      const launched = world.titlesAt(NOW_SLOT).find(({ titleId }) => world.titleAt(then, titleId) === undefined)!;
      const removedTitle = world.titlesAt(then).find(({ titleId }) => world.titleAt(NOW_SLOT, titleId) === undefined)!;
      expect((await get(`/games/${launched.titleId}`)).status).toBe(200);
      expect((await get(`/games/${launched.titleId}?at=${instant(then)}`)).status).toBe(404);
      expect((await get(`/games/${removedTitle.titleId}`)).status).toBe(404);
      expect((await get(`/games/${removedTitle.titleId}?at=${instant(then)}`)).status).toBe(200);
      expect((await get(`/icons/${removedTitle.titleId}.png`)).status).toBe(200);
    });
  });
});

describe('site', () => {
  it('accepts GET and HEAD, and rejects other methods', async () => {
    await withSimulator(SMALL, async ({ url }) => {
      const head = await fetch(`${url}/`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1_000);
      const post = await fetch(`${url}/`, { method: 'POST', body: '{}' });
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });
  });

  it('returns an error page for a malformed address, without a stack trace', async () => {
    await withSimulator(SMALL, async ({ get }) => {
      const response = await get('/games/%');
      expect(response.status).toBe(400);
      expect(await response.text()).not.toContain('URIError');
    });
  });

  it('sends the simulated time in the Date header', async () => {
    await withSimulator(SMALL, async ({ get }) => {
      expect((await get('/')).headers.get('date')).toBe('Wed, 20 May 2026 18:32:10 GMT');
    });
  });
});

/** `15 November 2001` and `2001-11-15` as the latter. */
function isoDay(date: string): string {
  return /^\d{4}-/.test(date) ? date : new Date(`${date} UTC`).toISOString().slice(0, 10);
}
