import fc from 'fast-check';
import { harmlessMarkup } from '../src/faults/changed-markup.ts';
import { matchesPath } from '../src/faults/fault-list.ts';
import { createSimulator } from '../src/index.ts';
import { gamePage } from '../src/pages/game-page.ts';
import { homepage } from '../src/pages/homepage.ts';
import { createWorld } from '../src/world/world.ts';
import { parseGamePage, parseHomepage } from './page-reader.ts';
import { instant, NOW, NOW_SLOT, withSimulator } from './running-simulator.ts';

const SMALL = { titles: 25, openMatches: 30 };

describe('faults', () => {
  it('can be set, listed and cleared with the control API', async () => {
    await withSimulator(SMALL, async ({ put, json, get }) => {
      expect(await json('/simulator/faults')).toEqual({ faults: [] });
      const response = await put('/simulator/faults', { faults: [{ path: '/', kind: 'status' }] });
      expect(response.status).toBe(200);
      expect(await json('/simulator/faults')).toEqual({ faults: [{ path: '/', kind: 'status', status: 503 }] });
      expect((await get('/')).status).toBe(503);
      await put('/simulator/faults', { faults: [] });
      expect((await get('/')).status).toBe(200);
    });
  });

  it('invalid faults are rejected and leave the current ones unchanged', async () => {
    await withSimulator(SMALL, async ({ put, json, faults }) => {
      await faults({ path: '/x', kind: 'close' });
      for (const bad of [
        { kind: 'close' },
        { path: 'games', kind: 'close' },
        { path: '/', kind: 'gremlins' },
        { path: '/', kind: 'close', ms: 3 },
        { path: '/', kind: 'latency', ms: 60_001 },
        { path: '/', kind: 'status', status: 200 },
        { path: '/', kind: 'status', probability: 1.5 },
        { path: '/', kind: 'status', times: 0 },
      ]) {
        const response = await put('/simulator/faults', { faults: [bad] });
        expect([bad, response.status]).toEqual([bad, 400]);
        expect(await response.json()).toEqual({ error: expect.stringContaining('faults.0') });
      }
      expect((await put('/simulator/faults', '{"faults": [')).status).toBe(400);
      expect((await put('/simulator/faults', `"${'x'.repeat(70_000)}"`)).status).toBe(413);
      expect(await json('/simulator/faults')).toEqual({ faults: [{ path: '/x', kind: 'close' }] });
    });
  });

  it('a fault with times occurs that often and is then removed', async () => {
    await withSimulator(SMALL, async ({ faults, get, json }) => {
      await faults({ path: '/', kind: 'status', status: 500, times: 2 });
      expect((await get('/')).status).toBe(500);
      expect(await json('/simulator/faults')).toMatchObject({ faults: [{ times: 1 }] });
      expect((await get('/')).status).toBe(500);
      expect(await json('/simulator/faults')).toEqual({ faults: [] });
      expect((await get('/')).status).toBe(200);
    });
  });

  it('faults with a probability are deterministic', async () => {
    const statuses = async () => {
      const seen: number[] = [];
      await withSimulator(SMALL, async ({ faults, get }) => {
        await faults({ path: '*', kind: 'status', probability: 0.4 });
        for (let attempt = 0; attempt < 60; attempt += 1) seen.push((await get(`/?attempt=${attempt % 7}`)).status);
      });
      return seen;
    };
    const first = await statuses();
    expect(await statuses()).toEqual(first);
    const struck = first.filter((status) => status === 503).length;
    expect(struck).toBeGreaterThan(10);
    expect(struck).toBeLessThan(40);
  });

  it('do not affect the control API', async () => {
    await withSimulator(SMALL, async ({ faults, get, put }) => {
      await faults({ path: '*', kind: 'close' }, { path: '/simulator/faults', kind: 'close' });
      await expect(get('/')).rejects.toThrow();
      expect((await get(history())).status).toBe(200);
      expect((await put('/simulator/faults', { faults: [] })).status).toBe(200);
    });
  });

  it.each([
    ['*', '/games/x', true],
    ['*', '/simulator/history', false],
    ['/', '/', true],
    ['/', '/games/x', false],
    ['/games', '/games/x', true],
    ['/games/', '/games/x', true],
    ['/games/x', '/games/xy', false],
    ['/games/x*', '/games/xy', true],
    ['/simulator/history', '/simulator/history', true],
  ])('pattern %s matches %s: %s', (pattern, path, expected) => {
    expect(matchesPath(pattern, path)).toBe(expected);
  });
});

describe('kinds of faults', () => {
  it('status returns the error status with Retry-After', async () => {
    await withSimulator(SMALL, async ({ faults, get }) => {
      await faults({ path: '/games', kind: 'status', status: 502, retryAfter: 7 });
      const response = await get('/games/4d530001');
      expect([response.status, response.headers.get('retry-after')]).toEqual([502, '7']);
    });
  });

  it('latency delays the response', async () => {
    await withSimulator({ ...SMALL, latencyMs: 30 }, async ({ get, json }) => {
      expect(await json('/simulator/faults')).toEqual({ faults: [{ path: '*', kind: 'latency', ms: 30 }] });
      const begin = performance.now();
      expect((await get('/')).status).toBe(200);
      expect(performance.now() - begin).toBeGreaterThanOrEqual(29);
    });
  });

  it('truncate ends a page cleanly or abruptly', async () => {
    await withSimulator(SMALL, async ({ faults, get, text }) => {
      const whole = await text('/');
      await faults({ path: '/', kind: 'truncate', ends: 'cleanly' });
      const part = await text('/');
      expect(whole.startsWith(part)).toBe(true);
      expect(part.length).toBeLessThan(whole.length);
      await faults({ path: '/', kind: 'truncate', ends: 'abruptly' });
      const response = await get('/');
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
    });
  });

  it('truncate ends the history feed cleanly or abruptly', async () => {
    await withSimulator(SMALL, async ({ faults, get, text }) => {
      await faults({ path: '/simulator/history', kind: 'truncate', ends: 'cleanly' });
      const part = await text(history());
      expect(() => JSON.parse(part) as unknown).toThrow(SyntaxError);
      await faults({ path: '/simulator/history', kind: 'truncate', ends: 'abruptly' });
      await expect(get(history()).then((response) => response.text())).rejects.toThrow();
    });
  });

  it('content-type sends the same body with a wrong content type', async () => {
    await withSimulator(SMALL, async ({ faults, get, text }) => {
      const whole = await text('/');
      await faults({ path: '/', kind: 'content-type' });
      const response = await get('/');
      expect(response.headers.get('content-type')).not.toContain('html');
      expect(await response.text()).toBe(whole);
    });
  });

  it('clock-skew serves pages and Date of another instant', async () => {
    await withSimulator(SMALL, async ({ faults, get, text }) => {
      const then = await text(`/?at=${instant(NOW_SLOT - 600)}`);
      await faults({ path: '/', kind: 'clock-skew', ms: -600_000 });
      const response = await get('/');
      expect(response.headers.get('date')).toBe('Wed, 20 May 2026 18:22:10 GMT');
      expect(await response.text()).toBe(then);
    });
  });

  it('stall cuts the connection without a response, at the latest when the simulator stops', async () => {
    await withSimulator(SMALL, async ({ faults, get }) => {
      await faults({ path: '/', kind: 'stall', ms: 20 });
      await expect(get('/')).rejects.toThrow();
    });
    const simulator = createSimulator({ ...SMALL, clock: () => NOW });
    const { url } = await simulator.start();
    await fetch(`${url}/simulator/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ faults: [{ path: '/', kind: 'stall' }] }),
    });
    const stalled = fetch(url).then(
      () => 'answered',
      () => 'cut',
    );
    await waitForRequest(url, '/');
    await simulator.stop();
    expect(await stalled).toBe('cut');
  });

  it('harmless markup changes attributes but not the parsed data', () => {
    const world = createWorld({ ...SMALL, boards: 100 });
    const home = homepage(world, NOW_SLOT).body;
    const games = world.titlesAt(NOW_SLOT).map(({ titleId }) => gamePage(world, NOW_SLOT, titleId)!.body);
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(...games), (chance, game) => {
        const changed = harmlessMarkup(home, chance);
        expect(changed).not.toBe(home);
        expect(parseHomepage(changed)).toEqual(parseHomepage(home));
        expect(parseGamePage(harmlessMarkup(game, chance))).toEqual(parseGamePage(game));
      }),
      { numRuns: 30 },
    );
  });

  it('breaking markup changes or removes the parsed data', async () => {
    await withSimulator(SMALL, async ({ faults, text, world }) => {
      const { titleId } = world.observe(NOW_SLOT).titles.find(({ sessions }) => sessions > 1)!;
      const right = { home: parseHomepage(await text('/')), game: parseGamePage(await text(`/games/${titleId}`)) };
      await faults({ path: '*', kind: 'markup', severity: 'breaking' });
      for (let attempt = 0; attempt < 12; attempt += 1) {
        const home = await text('/');
        const game = await text(`/games/${titleId}`);
        expect(readIfPossible(() => parseHomepage(home))).not.toEqual(right.home);
        expect(readIfPossible(() => parseGamePage(game))).not.toEqual(right.game);
      }
    });
  });
});

function history(): string {
  return `/simulator/history?from=${instant(NOW_SLOT - 6_000)}&to=${instant(NOW_SLOT)}`;
}

/** The parsed page, or undefined when it cannot be parsed. */
function readIfPossible<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Waits until a request for `path` has reached the simulator. */
async function waitForRequest(url: string, path: string): Promise<void> {
  for (;;) {
    const counts = (await (await fetch(`${url}/simulator/requests`)).json()) as { byPath: Record<string, number> };
    if (counts.byPath[path] !== undefined) return;
  }
}
