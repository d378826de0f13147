import { operations } from '@lobbystats/contracts';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { UndiciUpstreams } from '../src/upstreams/upstreams.http.ts';
import { startRawUpstream } from './running-gateway.ts';

describe('reads of more than a whole series', () => {
  const large = { titleIds: '4d530001,4d530002', days: 16 };

  it('are two at a time, eight wait, and others are rejected; other reads are not affected', async () => {
    const release = Promise.withResolvers<undefined>();
    let reading = 0;
    const url = await startRawUpstream((req, res) => {
      const isLarge = req.url?.includes('days=16') === true;
      if (isLarge) reading += 1;
      void (isLarge ? release.promise : Promise.resolve()).then(() =>
        res.writeHead(200, { 'Content-Type': 'application/json' }).end('[]'),
      );
    });
    const outcomes: string[] = [];
    const upstreams = new UndiciUpstreams({
      urls: { 'series-api': url },
      timeoutMs: 60_000,
      maxBytes: 1000,
      hooks: { onOutcome: (_upstream, outcome) => outcomes.push(outcome) },
    });
    cleanUp(() => upstreams.close());
    const compare = (query: Record<string, string | number>) => upstreams.fetch(operations.compareGames, {}, query);
    const settled = Promise.allSettled(Array.from({ length: 14 }, () => compare(large)));
    await eventually(() => expect(reading).toBe(2));
    expect(outcomes).toEqual(Array(4).fill('rejected'));
    const others = [
      upstreams.fetch(operations.getOnlineSeries, {}, { days: 30 }),
      compare({ titleIds: large.titleIds, days: 15 }),
      compare({ titleIds: large.titleIds }),
    ];
    await expect(Promise.all(others)).resolves.toHaveLength(3);
    release.resolve(undefined);
    const results = (await settled).map(({ status }) => status);
    expect(results.filter((status) => status === 'fulfilled').length).toBeGreaterThanOrEqual(2);
    expect(results.slice(-4)).toEqual(Array(4).fill('rejected'));
  });
});
