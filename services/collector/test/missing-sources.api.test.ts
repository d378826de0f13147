import { formatInstant, SLOT_SECONDS, sourcesChecked } from '@lobbystats/contracts';
import { createMetrics } from '@lobbystats/service-kit';
import { nock, requestsTo, type MockedRequest } from '@lobbystats/test-kit/nock';
import type { Collector } from '../src/service.ts';
import { NETWORK } from './mock-network.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';
import { runSlots as runCollectors } from './run-slots.ts';

const HOUR = 3600;

let stage: Stage;
let requests: MockedRequest[];
let published: jest.SpiedFunction<Stage['bus']['publish']>;
let lacks: RegExp;
let absence: [status: number, type: string];
beforeEach(async () => {
  stage = await setStage({ titles: 4, openMatches: 2, boards: 12 });
  published = jest.spyOn(stage.bus, 'publish');
  lacks = /\/feeds\/|\/leaderboards\//;
  absence = [404, 'text/html'];
  const host = nock(NETWORK).persist();
  host.get(/^/).reply(async ({ url }: Request) => {
    if (lacks.test(url)) return [absence[0], '<html><body>Not here</body></html>', { 'Content-Type': absence[1] }];
    const response = await fetch(url.replace(NETWORK, stage.url));
    return [response.status, await response.text(), { 'Content-Type': response.headers.get('content-type') ?? '' }];
  });
  requests = requestsTo(host);
});
afterEach(() => stage.close());

const requestsFor = (path: RegExp) => requests.filter(({ url }) => path.test(url)).length;

const runSlots = (from: number, count: number, collector: Collector) =>
  runCollectors(stage, { from, to: from + count * SLOT_SECONDS }, collector);

function publishedSources(): (typeof sourcesChecked.example)[] {
  return published.mock.calls
    .filter(([type]) => type.key === sourcesChecked.key)
    .map(([, data]) => data as typeof sourcesChecked.example);
}

describe('a network without feeds and pages of leaderboards', () => {
  it('is asked for them ever more rarely, and everything else is read', async () => {
    const metrics = createMetrics('collector');
    const collector = await stage.collector({ env: { NETWORK_URL: NETWORK }, metrics });
    await runSlots(SLOT, 24, collector);
    const asked = [/players\.json/, /events\.json/, /\/leaderboards\//].map(requestsFor);
    expect(Math.max(...asked)).toBeLessThan(10);
    expect(Math.min(...asked)).toBeGreaterThan(1);
    expect(requestsFor(/\/games\/[0-9a-f]{8}$/)).toBeGreaterThan(24);
    expect(stage.slots.every(({ data }) => data.titles.every(({ matches }) => matches !== null))).toBe(true);
    expect(await metrics.registry.metrics()).toMatch(/^lobbystats_network_source_missing\{source="players".*\} 1$/m);
    expect(stage.boards).toEqual([]);
  });

  it('publishes what is missing, since when and why, and that it is there again', async () => {
    const collector = await stage.collector({ env: { NETWORK_URL: NETWORK } });
    await runSlots(SLOT, 3, collector);
    lacks = /\/feeds\/events/;
    await runSlots(SLOT + 3 * SLOT_SECONDS, 12, collector);
    const messages = publishedSources();
    const named = messages.map(({ missing }) => missing.map(({ source }) => source));
    expect(named).toContainEqual(['leaderboards', 'events', 'players']);
    expect(named.at(-1)).toEqual(['events']);
    expect(messages.at(-1)?.missing).toEqual([
      { source: 'events', since: formatInstant(SLOT + 1), reason: 'The network returned status 404' },
    ]);
    expect(stage.players.length).toBeGreaterThan(0);
    expect(stage.boards.length).toBeGreaterThan(0);
  });

  it('is recognised when it answers every path with its homepage', async () => {
    absence = [200, 'text/html'];
    lacks = /\/feeds\//;
    const collector = await stage.collector({ env: { NETWORK_URL: NETWORK } });
    await runSlots(SLOT, 1, collector);
    const asked = requestsFor(/\/feeds\//);
    await runSlots(SLOT + SLOT_SECONDS, 5, collector);
    expect(requestsFor(/\/feeds\//) - asked).toBeLessThan(30);
    expect(
      publishedSources()
        .at(-1)
        ?.missing.map(({ source }) => source),
    ).toEqual(['events', 'players']);
  });

  it('counts no source as missing for an outage, or for one page among many', async () => {
    absence = [503, 'text/html'];
    const collector = await stage.collector({ env: { NETWORK_URL: NETWORK } });
    await runSlots(SLOT, 2, collector);
    lacks = /^$/;
    await runSlots(SLOT + 2 * SLOT_SECONDS, 4, collector);
    absence = [404, 'text/html'];
    lacks = /\/feeds\/players/;
    const asked = requestsFor(/players\.json/);
    await runSlots(SLOT + HOUR + 2 * SLOT_SECONDS, 3, collector);
    expect(requestsFor(/players\.json/) - asked).toBeGreaterThanOrEqual(3);
    expect(publishedSources().flatMap(({ missing }) => missing)).toEqual([]);
    const gone = SLOT + HOUR + 2 * SLOT_SECONDS;
    await runSlots(gone + 3 * HOUR, 2, collector);
    expect(publishedSources().at(-1)?.missing).toMatchObject([{ source: 'players', since: formatInstant(gone + 1) }]);
  });

  it('is not asked again at once by a restarted collector', async () => {
    const env = { NETWORK_URL: NETWORK };
    const first = await stage.collector({ env });
    await runSlots(SLOT, 12, first);
    await first.stop();
    const asked = requestsFor(/\/feeds\//);
    const second = await stage.collector({ env });
    await runSlots(SLOT + 12 * SLOT_SECONDS, 1, second);
    expect(requestsFor(/\/feeds\//)).toBe(asked);
  });
});
