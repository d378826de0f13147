import type { RequestListener } from 'node:http';
import { operations } from '@lobbystats/contracts';
import { cleanUp } from '@lobbystats/test-kit';
import { UndiciUpstreams, type UndiciUpstreamsOptions } from '../src/upstreams/upstreams.http.ts';
import { startRawUpstream } from './running-gateway.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function createClient(listener: RequestListener, options: Partial<UndiciUpstreamsOptions> = {}, path = '') {
  const url = (await startRawUpstream(listener)) + path;
  const upstreams = new UndiciUpstreams({
    urls: { 'series-api': url },
    timeoutMs: 5000,
    maxBytes: 1000,
    ...options,
  });
  cleanUp(() => upstreams.close());
  return upstreams;
}

const respondWith = (body: string, headers = {}): RequestListener => {
  return (_req, res) => void res.writeHead(200, { ...JSON_TYPE, ...headers }).end(body);
};

const fetchSeries = (upstreams: UndiciUpstreams) => upstreams.fetch(operations.getOnlineSeries, {}, { days: 1 });

describe('HTTP upstream client', () => {
  it('returns the response with its Last-Modified and Link', async () => {
    const responseHeaders = { 'Last-Modified': 'Fri, 15 Jan 2027 08:00:00 GMT', Link: '<?offset=1>; rel="next"' };
    const upstreams = await createClient(respondWith('[ "Ä" ]', responseHeaders));
    await expect(fetchSeries(upstreams)).resolves.toEqual({
      body: Buffer.from('[ "Ä" ]'),
      lastModified: responseHeaders['Last-Modified'],
      link: responseHeaders.Link,
    });
  });

  it('accepts a response up to maxBytes, and rejects a larger one', async () => {
    const fitting = await createClient(respondWith(`[${' '.repeat(998)}]`));
    await expect(fetchSeries(fitting)).resolves.toMatchObject({ body: expect.objectContaining({ length: 1000 }) });
    const large = await createClient(respondWith(`[${' '.repeat(999)}]`));
    await expect(fetchSeries(large)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('requests below the path of the upstream URL', async () => {
    let asked = '';
    const upstreams = await createClient(
      (req, res) => {
        asked = String(req.url);
        res.writeHead(200, JSON_TYPE).end('[]');
      },
      {},
      '/series',
    );
    await fetchSeries(upstreams);
    expect(asked).toBe(`/series${operations.getOnlineSeries.path}?days=1`);
  });

  it('reuses connections', async () => {
    const ports = new Set<number | undefined>();
    const upstreams = await createClient((req, res) => {
      ports.add(req.socket.remotePort);
      res.writeHead(200, { ...JSON_TYPE, 'Content-Length': 2 }).end('[]');
    });
    for (let i = 0; i < 10; i += 1) await fetchSeries(upstreams);
    // One may still be ending its request when the next is asked.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('names the upstream and the reason in the cause only', async () => {
    const upstreams = await createClient((_req, res) => void res.writeHead(500).end('broken'));
    await expect(fetchSeries(upstreams)).rejects.toMatchObject({
      message: expect.not.stringContaining('series-api'),
      cause: expect.objectContaining({ message: expect.stringContaining('series-api') }),
    });
  });

  it('shares one deadline among dependent requests', async () => {
    const upstreams = await createClient(respondWith('[]'), { timeoutMs: 200 });
    const asker = upstreams.withSharedDeadline();
    await expect(asker.fetch(operations.getOnlineSeries, {}, {})).resolves.toMatchObject({ body: Buffer.from('[]') });
    const hanging = await createClient(() => undefined, { timeoutMs: 400 });
    const settled: string[] = [];
    const ask = async (name: string, shared: Pick<UndiciUpstreams, 'fetch'>) => {
      await expect(shared.fetch(operations.getOnlineSeries, {}, {})).rejects.toMatchObject({ code: 'unavailable' });
      settled.push(name);
    };
    const together = hanging.withSharedDeadline();
    await ask('first', together);
    await Promise.all([ask('of its own', hanging.withSharedDeadline()), ask('second', together)]);
    expect(settled).toEqual(['first', 'second', 'of its own']);
  });

  it('aborts requests in flight when it is closed', async () => {
    const reached = Promise.withResolvers<undefined>();
    const upstreams = await createClient(() => {
      reached.resolve(undefined);
    });
    const fault = fetchSeries(upstreams).catch((error: unknown) => error);
    await reached.promise;
    await upstreams.close();
    expect(await fault).toMatchObject({ code: 'unavailable' });
    await expect(fetchSeries(upstreams)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
