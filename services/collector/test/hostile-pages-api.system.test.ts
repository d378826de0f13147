import { gzipSync } from 'node:zlib';
import { createMetrics, type Metrics } from '@lobbystats/service-kit';
import type { MockedRequest } from '@lobbystats/test-kit/nock';
import { html, mockPage, NETWORK, type MockResponse } from './mock-network.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';
import { expectedObservation, sorted } from './run-slots.ts';

/** Exceeds the heap or the deadline of any parser. */
const HOSTILE = html(`<!doctype html><html><body>${'<p>'.repeat(1_500_000)}</body></html>`);
/** After the deadline of the slot, two minutes in. */
const CLOSED_MS = (SLOT + 121) * 1000;

let stage: Stage;
let requests: MockedRequest[];
let metrics: Metrics;

beforeEach(async () => {
  stage = await setStage({ titles: 8, openMatches: 8, boards: 2 });
  metrics = createMetrics('collector');
});
afterEach(() => stage.close());

const start = (env: Record<string, string> = {}) =>
  stage.collector({ metrics, ownParser: true, env: { NETWORK_URL: NETWORK, ...env } });
const serve = (path: string, answer: MockResponse) => {
  requests = mockPage(path, stage.url, () => answer);
};
const requestsOf = (path: string) => requests.filter(({ url }) => url.split('?')[0] === path).length;

async function metricSum(name: string, labels: Record<string, string>): Promise<number> {
  const metric = await metrics.registry.getSingleMetric(`lobbystats_${name}`)?.get();
  const matching = metric?.values.filter((value) =>
    Object.entries(labels).every(([label, text]) => value.labels[label] === text),
  );
  return matching?.reduce((sum, { value }) => sum + value, 0) ?? 0;
}

describe('page that takes too long to parse', () => {
  it('is requested once in its slot, which has all other titles, while the service responds', async () => {
    const truth = expectedObservation(stage.world, SLOT);
    const titleId = truth.titles.find(({ matches }) => (matches?.length ?? 0) > 0)?.titleId ?? '';
    serve(`/games/${titleId}`, HOSTILE);
    const collector = await start();
    await stage.poll(async () => requestsOf(`/games/${titleId}`) > 0);
    let answers = 0;
    while ((await metricSum('pages_terminated_total', { page: 'game' })) === 0) {
      expect((await fetch(`${collector.url()}/healthz`)).status).toBe(200);
      answers += 1;
    }
    expect(answers).toBeGreaterThan(20);
    await stage.pagesRead();
    stage.clock.nowMs = CLOSED_MS;
    await collector.tick();
    await stage.until(() => stage.slots.length === 1);
    const observation = sorted(stage.slots[0]?.data ?? truth);
    expect(observation.titles.find((title) => title.titleId === titleId)?.matches).toBeNull();
    const others = ({ titles }: typeof truth) => titles.filter((title) => title.titleId !== titleId);
    expect(others(observation)).toEqual(others(sorted(truth)));
    expect(requestsOf(`/games/${titleId}`)).toBe(1);
    expect(await metricSum('pages_total', { page: 'game', outcome: 'unparseable' })).toBe(1);
  });

  it('is requested once in its slot, which is missed, when it is the homepage', async () => {
    serve('/', HOSTILE);
    const collector = await start();
    await stage.poll(async () => (await metricSum('pages_terminated_total', { page: 'home' })) > 0);
    for (const seconds of [6, 12, 60]) {
      stage.clock.nowMs = (SLOT + seconds) * 1000;
      await collector.tick();
    }
    stage.clock.nowMs = CLOSED_MS;
    await collector.tick();
    expect(await metricSum('slots_total', { outcome: 'missed' })).toBe(1);
    expect(requestsOf('/')).toBe(1);
  });
});

describe('feed that exceeds the size or depth limit', () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, '[{},'));

  it.each([
    ['a gzip bomb of 64 MiB', bomb, 'gzip'],
    ['deep nesting', Buffer.alloc(1_000_000, '['), 'identity'],
  ])('is rejected and requested once in its slot: %s', async (_, body, encoding) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
    serve('/feeds/players.json', [200, body, headers]);
    const collector = await start();
    await stage.until(() => stage.slots.length === 1);
    await collector.tick();
    expect(await metricSum('pages_total', { page: 'players', outcome: 'unparseable' })).toBe(1);
    expect(requestsOf('/feeds/players.json')).toBe(1);
    expect(await metricSum('slots_total', { outcome: 'complete' })).toBe(1);
    expect(await metricSum('pages_total', { page: 'players', outcome: 'unavailable' })).toBe(0);
  });
});
