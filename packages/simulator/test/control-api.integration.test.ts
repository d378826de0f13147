import { instant, NOW, NOW_SLOT, withSimulator } from './running-simulator.ts';

const SMALL = { titles: 15, openMatches: 10 };

describe('control API clock', () => {
  it('can be set, runs at its rate, and can be reset', async () => {
    let now = NOW;
    await withSimulator({ ...SMALL, clock: () => now }, async ({ put, json, get, text }) => {
      expect(await json('/simulator/clock')).toEqual({ now: '2026-05-20T18:32:10Z', rate: 1, real: true });
      const set = await put('/simulator/clock', { now: '2026-03-01T12:00:00Z', rate: 60 });
      expect(await set.json()).toEqual({ now: '2026-03-01T12:00:00Z', rate: 60, real: false });
      now += 10_000;
      expect(await json('/simulator/clock')).toMatchObject({ now: '2026-03-01T12:10:00Z' });
      expect((await get('/')).headers.get('date')).toBe('Sun, 01 Mar 2026 12:10:00 GMT');
      expect(await text('/')).toBe(await text('/?at=2026-03-01T12:10:00Z'));
      expect((await get('/?at=2026-03-01T12:15:00Z')).status).toBe(400);
      await put('/simulator/clock', { now: null });
      expect(await json('/simulator/clock')).toEqual({ now: instant(now / 1000), rate: 1, real: true });
    });
  });

  it('stops at rate 0', async () => {
    let now = NOW;
    await withSimulator({ ...SMALL, clock: () => now }, async ({ put, json }) => {
      await put('/simulator/clock', { now: '2026-03-01T12:00:00Z', rate: 0 });
      now += 1e9;
      expect(await json('/simulator/clock')).toEqual({ now: '2026-03-01T12:00:00Z', rate: 0, real: false });
    });
  });

  it('rejects invalid times and rates', async () => {
    await withSimulator(SMALL, async ({ put }) => {
      for (const body of [{}, { now: 'noon' }, { now: 5 }, { now: '1969-12-31T23:59:59Z' }, { now: null, x: 1 }]) {
        const response = await put('/simulator/clock', body);
        expect([body, response.status]).toEqual([body, 400]);
        expect(await response.json()).toEqual({ error: expect.any(String) });
      }
      expect((await put('/simulator/clock', { now: instant(NOW_SLOT), rate: -1 })).status).toBe(400);
    });
  });
});

describe('control API request counts', () => {
  it('count requests by path without those to the control API, and can be reset', async () => {
    await withSimulator(SMALL, async ({ get, json, url }) => {
      for (const path of ['/', '/?x=1', '/games/__proto__', '/simulator/clock']) await (await get(path)).text();
      expect(await json('/simulator/requests')).toEqual({
        total: 3,
        byPath: { '/': 2, '/games/__proto__': 1 },
        maxConcurrentByPath: { '/': 1, '/games/__proto__': 1 },
      });
      await fetch(`${url}/simulator/requests`, { method: 'DELETE' });
      expect(await json('/simulator/requests')).toEqual({ total: 0, byPath: {}, maxConcurrentByPath: {} });
    });
  });

  it('report the maximum of concurrent requests for each path', async () => {
    await withSimulator({ ...SMALL, latencyMs: 100 }, async ({ text, json }) => {
      await Promise.all([text('/'), text('/?again'), text('/?once-more'), text('/icons/x')]);
      expect(await json('/simulator/requests')).toMatchObject({ maxConcurrentByPath: { '/': 3, '/icons/x': 1 } });
    });
  });
});

describe('control API', () => {
  it('returns errors as JSON', async () => {
    await withSimulator(SMALL, async ({ get, url }) => {
      const unknown = await get('/simulator/nothing');
      expect([unknown.status, await unknown.json()]).toEqual([404, { error: 'no such endpoint' }]);
      const wrongMethod = await fetch(`${url}/simulator/history`, { method: 'POST' });
      expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      const wrongType = await fetch(`${url}/simulator/faults`, { method: 'PUT', body: '{"faults":[]}' });
      expect([wrongType.status, await wrongType.json()]).toEqual([415, { error: 'the body must be application/json' }]);
    });
  });
});
