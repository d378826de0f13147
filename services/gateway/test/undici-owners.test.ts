import type { RequestListener } from 'node:http';
import { operations } from '@lobbystats/contracts';
import { cleanUp } from '@lobbystats/test-kit';
import { UndiciOwners, type UndiciOwnersOptions } from '../src/adapters/http/undici-owners.ts';
import { startBadOwner } from './running-gateway.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function ownersOf(listener: RequestListener, options: Partial<UndiciOwnersOptions> = {}, path = '') {
  const url = (await startBadOwner(listener)) + path;
  const owners = new UndiciOwners({
    urls: { 'series-api': url },
    timeoutMs: 5000,
    maxBytes: 1000,
    headers: () => ({}),
    ...options,
  });
  cleanUp(() => owners.close());
  return owners;
}

const answering = (body: string, headers = {}): RequestListener => {
  return (_req, res) => void res.writeHead(200, { ...JSON_TYPE, ...headers }).end(body);
};

const askSeries = (owners: UndiciOwners) => owners.ask(operations.getOnlineSeries, {}, { days: 1 });

describe('owners over HTTP', () => {
  it('give an answer as it came, with what is said of its age and next page', async () => {
    const said = { 'Last-Modified': 'Fri, 15 Jan 2027 08:00:00 GMT', Link: '<?offset=1>; rel="next"' };
    const owners = await ownersOf(answering('[ "Ä" ]', said));
    await expect(askSeries(owners)).resolves.toEqual({
      body: Buffer.from('[ "Ä" ]'),
      lastModified: said['Last-Modified'],
      link: said.Link,
    });
  });

  it('take an answer of the size allowed, and none above it', async () => {
    const fitting = await ownersOf(answering(`[${' '.repeat(998)}]`));
    await expect(askSeries(fitting)).resolves.toMatchObject({ body: expect.objectContaining({ length: 1000 }) });
    const large = await ownersOf(answering(`[${' '.repeat(999)}]`));
    await expect(askSeries(large)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('are asked below the path of their address', async () => {
    let asked = '';
    const owners = await ownersOf(
      (req, res) => {
        asked = String(req.url);
        res.writeHead(200, JSON_TYPE).end('[]');
      },
      {},
      '/series',
    );
    await askSeries(owners);
    expect(asked).toBe(`/series${operations.getOnlineSeries.path}?days=1`);
  });

  it('are asked over connections that are kept', async () => {
    const ports = new Set<number | undefined>();
    const owners = await ownersOf((req, res) => {
      ports.add(req.socket.remotePort);
      res.writeHead(200, { ...JSON_TYPE, 'Content-Length': 2 }).end('[]');
    });
    for (let i = 0; i < 10; i += 1) await askSeries(owners);
    // One may still be ending its request when the next is asked.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('say in the cause alone who failed and why', async () => {
    const owners = await ownersOf((_req, res) => void res.writeHead(500).end('broken'));
    await expect(askSeries(owners)).rejects.toMatchObject({
      message: expect.not.stringContaining('series-api'),
      cause: expect.objectContaining({ message: expect.stringContaining('series-api') }),
    });
  });

  it('give questions that lead on to each other one time together, from the first word on', async () => {
    const owners = await ownersOf(answering('[]'), { timeoutMs: 200 });
    const asker = owners.together();
    await expect(asker.ask(operations.getOnlineSeries, {}, {})).resolves.toMatchObject({ body: Buffer.from('[]') });
    const hanging = await ownersOf(() => undefined, { timeoutMs: 400 });
    const together = hanging.together();
    const ask = () => together.ask(operations.getOnlineSeries, {}, {});
    const began = performance.now();
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - began).toBeLessThan(700);
  });

  it('cut off what is under way when they are closed', async () => {
    const reached = Promise.withResolvers<undefined>();
    const owners = await ownersOf(() => {
      reached.resolve(undefined);
    });
    const fault = askSeries(owners).catch((error: unknown) => error);
    await reached.promise;
    await owners.close();
    expect(await fault).toMatchObject({ code: 'unavailable' });
    await expect(askSeries(owners)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
