import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '@lobbystats/service-kit';
import { eventually } from '@lobbystats/test-kit';
import { collectorService } from '../src/service.ts';
import { setStage, type Stage } from './running-collector.ts';
import { html, mockNetwork, NETWORK } from './mock-network.ts';

describe('collectorService.readConfig', () => {
  it('defaults to the simulator and its history feed', () => {
    expect(collectorService.readConfig({})).toMatchObject({
      NETWORK_URL: 'http://127.0.0.1:8090',
      NETWORK_PUBLIC_URL: 'http://127.0.0.1:8090',
      HISTORY_URL: 'http://127.0.0.1:8090/simulator/history',
      NETWORK_ORIGIN: 'simulated',
      NETWORK_CLOCK_TOLERANCE_SECONDS: 2,
      COLLECTOR_MAX_RPS: 20,
      backfillDays: { snapshots: 30, registered: 365, leaderboards: 7, playTime: 7 },
      DATABASE_URL: 'sqlite:./data/collector.sqlite',
      PORT: 8085,
    });
  });

  it.each([
    ['5', { snapshots: 5, registered: 365, leaderboards: 5, playTime: 5 }],
    ['0', { snapshots: 0, registered: 0, leaderboards: 0, playTime: 0 }],
  ])('backfills %s days of each part at most, and a year of registered users', (BACKFILL_DAYS, backfillDays) => {
    expect(collectorService.readConfig({ BACKFILL_DAYS })).toMatchObject({ backfillDays });
  });

  it('has no history URL for a real network unless HISTORY_URL is set', () => {
    const real = {
      NETWORK_URL: 'https://network.example/',
      NETWORK_ORIGIN: 'example',
      COLLECTOR_CONTACT: 'a@b.example',
    };
    expect(collectorService.readConfig(real)).toMatchObject({ NETWORK_PUBLIC_URL: 'https://network.example' });
    expect(collectorService.readConfig(real).HISTORY_URL).toBeUndefined();
    const config = collectorService.readConfig({ ...real, HISTORY_URL: 'https://history.example/past' });
    expect(config.HISTORY_URL).toBe('https://history.example/past');
  });

  it('requires a contact for a network of others, and sends it two requests a second by default', () => {
    const real = { NETWORK_URL: 'https://network.example', NETWORK_ORIGIN: 'example' };
    expect(() => collectorService.readConfig(real)).toThrow(/^COLLECTOR_CONTACT must be a URL or an address/);
    expect(() => collectorService.readConfig({ ...real, COLLECTOR_CONTACT: '' })).toThrow(/^COLLECTOR_CONTACT/);
    const contact = { ...real, COLLECTOR_CONTACT: 'https://stats.example' };
    expect(collectorService.readConfig(contact).COLLECTOR_MAX_RPS).toBe(2);
    expect(collectorService.readConfig({ ...contact, COLLECTOR_MAX_RPS: '5' }).COLLECTOR_MAX_RPS).toBe(5);
  });

  it.each([undefined, ''])('throws when NETWORK_URL is set and NETWORK_ORIGIN is %p', (NETWORK_ORIGIN) => {
    const NETWORK_URL = 'https://network.example';
    expect(() => collectorService.readConfig({ NETWORK_URL, NETWORK_ORIGIN })).toThrow(
      /^NETWORK_ORIGIN must name the network/,
    );
    expect(collectorService.readConfig({ NETWORK_URL, NETWORK_ORIGIN: 'simulated' })).toMatchObject({ NETWORK_URL });
    expect(collectorService.readConfig({ NETWORK_URL: '', NETWORK_ORIGIN })).toMatchObject({
      NETWORK_ORIGIN: 'simulated',
    });
  });

  it('reports all invalid settings in one error', () => {
    const env = {
      NETWORK_URL: 'ftp://network.example',
      NETWORK_ORIGIN: '',
      COLLECTOR_MAX_RPS: '0',
      COLLECTOR_CONTACT: 'us\r\nX-Evil: 1',
      DATABASE_URL: 'postgres://db',
      BACKFILL_DAYS: '31',
    };
    const everyName = new RegExp(
      Object.keys(env)
        .map((name) => `(?=[^]*^${name} )`)
        .join(''),
      'm',
    );
    expect(() => collectorService.readConfig(env)).toThrow(everyName);
  });
});

describe('collector service', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await setStage();
  });
  afterEach(() => stage.close());

  it('reports readiness, network and last slot at /readyz, and liveness at /healthz', async () => {
    const collector = await stage.collector();
    await stage.until(() => stage.slots.length === 1);
    const answer = await fetch(`${collector.url()}/readyz`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      status: 'ready',
      service: 'collector',
      network: { origin: 'simulated', simulated: true, url: stage.url },
      lastSlot: { slot: '2026-01-15T18:05:00Z', missing: 0 },
      dependencies: { store: { status: 'up' }, bus: { status: 'up' } },
    });
    expect(await (await fetch(`${collector.url()}/healthz`)).json()).toEqual({ status: 'alive', service: 'collector' });
    const unknown = await fetch(`${collector.url()}/anything`);
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toEqual({ error: expect.any(String) });
  });

  it('hides the credentials of NETWORK_URL at /readyz', async () => {
    const url = stage.url.replace('http://', 'http://user:secret@');
    const collector = await stage.collector({ env: { NETWORK_URL: url } });
    expect(await (await fetch(`${collector.url()}/readyz`)).text()).not.toContain('secret');
  });

  it('counts pages, slots and requests in its metrics', async () => {
    // The event feed and the player feed, which are requested beside the slot. So are icons, until all are there.
    const FEEDS = 2;
    const metrics = createMetrics('collector');
    await stage.faults({ path: '/', kind: 'truncate', ends: 'cleanly', times: 1 });
    await stage.collector({ metrics });
    await stage.until(() => stage.slots.length === 1 && stage.players.length > 0 && stage.events.length === 1);
    await stage.pagesRead();
    const text = await metrics.registry.metrics();
    const { total } = await stage.requests();
    expect(text).toMatch(/^lobbystats_pages_total\{page="players",outcome="read",.*\} 1$/m);
    expect(text).toMatch(/^lobbystats_pages_total\{page="events",outcome="read",.*\} 1$/m);
    expect(text).toMatch(/^lobbystats_pages_total\{page="home",outcome="unparseable",.*\} 1$/m);
    expect(text).toMatch(/^lobbystats_pages_total\{page="home",outcome="read",.*\} 1$/m);
    expect(text).toMatch(/^lobbystats_slots_total\{outcome="complete",.*\} 1$/m);
    await eventually(async () => {
      const { byPath } = (await (await fetch(`${stage.url}/simulator/requests`)).json()) as {
        byPath: Record<string, number>;
      };
      const icons = Object.entries(byPath).filter(([path]) => path.startsWith('/icons/'));
      const sent = total + FEEDS + icons.reduce((sum, [, count]) => sum + count, 0);
      const counted = await metrics.registry.metrics();
      expect(counted).toMatch(new RegExp(`^lobbystats_network_requests_total\\{.*\\} ${sent}$`, 'm'));
    });
  });

  it('sends its name, version and operator contact in the User-Agent header', async () => {
    const requests = mockNetwork(html('<html></html>'));
    await stage.collector({ env: { NETWORK_URL: NETWORK, COLLECTOR_CONTACT: 'https://lobbystats.example' } });
    await stage.poll(() => Promise.resolve(requests.length > 0));
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
      version: string;
    };
    expect(requests[0]?.headers['user-agent']).toBe(`Lobbystats/${version} (+https://lobbystats.example)`);
  });

  it('stops while all network requests stall', async () => {
    await stage.faults({ path: '*', kind: 'stall', ms: 60_000 });
    const collector = await stage.collector();
    await stage.poll(async () => (await stage.requests()).total > 0);
    await collector.stop();
    expect(await stage.store.slots.state(Math.floor(stage.clock.nowMs / 300_000) * 300)).toBe('open');
  });
});
