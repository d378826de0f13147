import type { RequestListener } from 'node:http';
import { operations, type Coverage } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { network, seriesRoutes } from './network.ts';
import { runGateway, startRawUpstream, startStubUpstream } from './running-gateway.ts';

const FULL: Coverage = { slots: 8640, days: 40, registeredDays: 365 };
const ROUTE = operations.getOnlineSeries.path;

interface InstanceState {
  coverage: Coverage;
  /** How the instance responds to all requests. `paused`: it accepts connections and sends nothing. */
  state: 'up' | 'failing' | 'paused';
}

/** A series-api with the given number of users online in its only snapshot. */
async function startInstance(online: number) {
  const instance: InstanceState = { coverage: FULL, state: 'up' };
  let served = 0;
  const listener: RequestListener = (req, res) => {
    if (instance.state === 'paused') return;
    const isCoverage = req.url === operations.getSeriesCoverage.path;
    if (instance.state === 'failing') {
      res.writeHead(503, { 'Content-Type': 'application/json' }).end('{"error":"The store is not available"}');
      return;
    }
    if (!isCoverage) served += 1;
    const body = isCoverage ? instance.coverage : [{ recorded_at: '2026-01-31 18:05:00', online_count: online }];
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  const url = await startRawUpstream(listener);
  return { url, instance, served: () => served };
}

async function runPair(
  prepare: (first: InstanceState, second: InstanceState) => void = () => undefined,
  env: Record<string, string> = {},
) {
  const [first, second] = await Promise.all([startInstance(1), startInstance(2)]);
  prepare(first.instance, second.instance);
  const gateway = await runGateway({ env: { ...env, SERIES_API_URL: `${first.url},${second.url}` } });
  /** Which instance answered: 1 or 2; otherwise the status. */
  const ask = async () => {
    const { status, body } = await gateway.request(ROUTE);
    return status === 200 ? (body as { online_count: number }[])[0]?.online_count : status;
  };
  return { first, second, ask, gateway };
}

describe('two instances of series-api', () => {
  it('all reads go to one of them', async () => {
    const { ask, second } = await runPair();
    for (let i = 0; i < 5; i += 1) expect(await ask()).toBe(1);
    expect(second.served()).toBe(0);
  });

  it('reads go to the one that has stored more slots', async () => {
    const { ask } = await runPair((first) => {
      first.coverage = { ...FULL, slots: 10 };
    });
    expect(await ask()).toBe(2);
  });

  it.each(['failing', 'paused'] as const)(
    'a request that one of them fails is repeated at the other: %s',
    async (state) => {
      const { first, ask } = await runPair();
      first.instance.state = state;
      expect(await ask()).toBe(2);
    },
  );

  it('reads stay with the other one when the first returns', async () => {
    const { first, second, ask } = await runPair();
    first.instance.state = 'failing';
    await eventually(async () => {
      const before = second.served();
      await ask();
      expect([first.served(), second.served() - before]).toEqual([0, 1]);
    });
    await eventually(async () => expect(await ask()).toBe(2));
  });

  it('one that lacks slots is not asked instead of one that fails', async () => {
    const { first, second, ask } = await runPair((_, state) => {
      state.coverage = { ...FULL, slots: 10 };
    });
    first.instance.state = 'failing';
    expect(await ask()).toBe(503);
    expect(second.served()).toBe(0);
    first.instance.state = 'up';
    expect(await ask()).toBe(1);
  });

  it('one that lacks slots serves while the other stays away', async () => {
    const { first, ask } = await runPair((_, state) => {
      state.coverage = { ...FULL, slots: 10 };
    });
    first.instance.state = 'failing';
    await eventually(async () => expect(await ask()).toBe(2));
    first.instance.state = 'up';
    await eventually(async () => expect(await ask()).toBe(1));
  });

  it('reads are 503 while none responds, and work again when one does', async () => {
    const { first, second, ask } = await runPair();
    first.instance.state = 'failing';
    second.instance.state = 'failing';
    expect(await ask()).toBe(503);
    second.instance.state = 'up';
    await eventually(async () => expect(await ask()).toBe(2));
  });

  it('a gateway starts while neither responds', async () => {
    const neither = (first: InstanceState, second: InstanceState) => {
      first.state = 'paused';
      second.state = 'failing';
    };
    const { ask } = await runPair(neither, { UPSTREAM_TIMEOUT_MS: '1000' });
    expect(await ask()).toBe(503);
  });

  it('one instance is never asked for its coverage', async () => {
    const series = await startStubUpstream(seriesRoutes(network()));
    const gateway = await runGateway({ env: { SERIES_API_URL: series.url } });
    expect((await gateway.request(ROUTE)).status).toBe(200);
    expect(series.requests.map(({ url }) => url.split('?')[0])).toEqual([ROUTE]);
  });
});
