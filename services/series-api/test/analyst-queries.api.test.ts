import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { silentLogger } from '@lobbystats/service-kit';
import { cleanUp, eventually, startService } from '@lobbystats/test-kit';
import { analystProxy } from '../src/analyst-proxy.ts';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

const QUERY = '/query?db=snapshots&q=SELECT+1';
const ROWS = JSON.stringify({ results: [{ statement_id: 0 }] });
const answerRows: Handler = (req, res) => {
  if (req.url === '/ping') res.writeHead(204).end();
  else res.writeHead(200, { 'Content-Type': 'application/json', 'X-Influxdb-Version': '2' }).end(ROWS);
};

/** An analyst proxy before a server that responds with `answer` and records its requests. */
async function startAnalystProxy(answer: Handler, limits: { waitMs?: number; timeoutMs?: number } = {}) {
  const seen: IncomingMessage[] = [];
  const influx: Server = createServer((req, res) => {
    if (req.url !== '/ping') seen.push(req);
    answer(req, res);
  }).listen(0, '127.0.0.1');
  await once(influx, 'listening');
  cleanUp(async () => {
    influx.closeAllConnections();
    await new Promise((resolve) => influx.close(resolve));
  });
  const config = analystProxy.readConfig({
    PORT: '0',
    METRICS_PORT: '0',
    INFLUXDB_URL: `http://127.0.0.1:${(influx.address() as AddressInfo).port}`,
    ANALYSTS_SHARE: '100',
  });
  const url = await startService(await analystProxy.create({ ...config, ...limits }, { logger: silentLogger() }));
  return { url, seen, influx };
}

/** Holds responses until `letGo` is called or the client disconnects. */
function holdResponses() {
  const waiting: ServerResponse[] = [];
  const answer: Handler = (req, res) => {
    if (req.url === '/ping') res.writeHead(204).end();
    else waiting.push(res);
    res.once('close', () => {
      const index = waiting.indexOf(res);
      if (index !== -1) waiting.splice(index, 1);
    });
  };
  const letGo = () => waiting.shift()?.end(ROWS);
  return { answer, waiting, letGo };
}

const expectLength = (list: readonly unknown[], length: number) => eventually(() => expect(list).toHaveLength(length));

describe('proxied query', () => {
  it('forwards the query and returns the response of InfluxDB unchanged', async () => {
    const packed = gzipSync(ROWS);
    const { url, seen } = await startAnalystProxy((_req, res) => {
      res
        .writeHead(200, { 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip', 'X-Influxdb-Version': '2' })
        .end(packed);
    });
    const headers = { authorization: 'Token t', 'content-type': 'application/vnd.flux', accept: 'text/csv' };
    const asked = await fetch(`${url}/api/v2/query?org=lobbystats&x=%2F`, { method: 'POST', headers, body: 'from()' });
    expect([asked.status, asked.headers.get('content-type'), asked.headers.get('x-influxdb-version')]).toEqual([
      200,
      'text/csv',
      '2',
    ]);
    expect(asked.headers.get('server-timing')).toMatch(/^queue;dur=\d+$/);
    expect(await asked.text()).toBe(ROWS);
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/v2/query?org=lobbystats&x=%2F', headers });
  });

  it('forwards the request body, but neither cookies nor forwarding headers', async () => {
    const bodies: string[] = [];
    const { url, seen } = await startAnalystProxy((req, res) => {
      void buffer(req).then((body) => {
        bodies.push(body.toString());
        res.end();
      });
    });
    await fetch(`${url}/query`, {
      method: 'POST',
      body: 'q=1',
      headers: { cookie: 'a=b', 'x-forwarded-for': '10.0.0.1' },
    });
    expect(bodies).toEqual(['q=1']);
    expect(Object.keys(seen[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['cookie']));
    expect(seen[0]?.headers).not.toHaveProperty('x-forwarded-for');
  });

  it('a query waits until the previous query has been answered', async () => {
    const { answer, waiting, letGo } = holdResponses();
    const { url, seen } = await startAnalystProxy(answer);
    const first = fetch(url + QUERY);
    await expectLength(waiting, 1);
    const second = fetch(url + QUERY);
    // Other routes are not queued.
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(seen).toHaveLength(1);
    letGo();
    expect(await (await first).text()).toBe(ROWS);
    await expectLength(waiting, 1);
    letGo();
    expect(await (await second).text()).toBe(ROWS);
  });

  it.each(['while running', 'while queued'])(
    'a query whose client disconnects %s does not block other queries',
    async (when) => {
      const { answer, waiting, letGo } = holdResponses();
      const { url } = await startAnalystProxy(answer);
      const leaving = new AbortController();
      const leaves = () => fetch(url + QUERY, { signal: leaving.signal }).catch(() => 'left');
      const stays = () => fetch(url + QUERY).then((answered) => answered.status);
      const first = when === 'while queued' ? stays() : leaves();
      await expectLength(waiting, 1);
      const others = when === 'while queued' ? [leaves(), stays()] : [stays()];
      leaving.abort();
      letGo();
      await expectLength(waiting, 1);
      letGo();
      expect(await Promise.all([first, ...others])).toEqual(
        when === 'while queued' ? [200, 'left', 200] : ['left', 200],
      );
    },
  );

  it('a query that waits longer than it may is rejected with 429 and Retry-After', async () => {
    const { answer, waiting, letGo } = holdResponses();
    const { url } = await startAnalystProxy(answer, { waitMs: 0 });
    const first = fetch(url + QUERY);
    await expectLength(waiting, 1);
    const refused = await fetch(url + QUERY);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await refused.json()).toEqual({ error: 'Another query takes long' });
    letGo();
    expect((await first).status).toBe(200);
  });

  it('a query that exceeds its timeout returns 504, or is cut off if its response has begun', async () => {
    const { url } = await startAnalystProxy(
      (req, res) => {
        if (req.url?.includes('begun')) res.write(ROWS);
      },
      { timeoutMs: 100 },
    );
    const late = await fetch(url + QUERY);
    expect([late.status, await late.json()]).toEqual([504, { error: 'The query takes too long' }]);
    // On a busy machine the response may begin too late.
    const begun = await eventually(async () => {
      const response = await fetch(`${url}/query?begun`);
      expect(response.status).toBe(200);
      return response;
    });
    await expect(begun.text()).rejects.toThrow();
  });

  it('while InfluxDB is down, a query returns 503 and the proxy is not ready', async () => {
    const { url, influx } = await startAnalystProxy(answerRows);
    influx.close();
    influx.closeAllConnections();
    const away = await fetch(url + QUERY);
    expect([away.status, away.headers.get('retry-after'), await away.json()]).toEqual([
      503,
      '5',
      { error: 'InfluxDB is unavailable' },
    ]);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
  });

  it('a query that is still being sent does not block others, and a body over 64 KiB returns 413', async () => {
    const { url } = await startAnalystProxy(answerRows);
    const { hostname, port } = new URL(url);
    const slow = connect(Number(port), hostname);
    cleanUp(async () => {
      slow.destroy();
    });
    await once(slow, 'connect');
    slow.write('POST /query HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf');
    expect((await fetch(url + QUERY)).status).toBe(200);
    const large = await fetch(`${url}/query`, { method: 'POST', body: 'x'.repeat(64 * 1024 + 1) });
    expect(large.status).toBe(413);
  });
});

it.each([
  ['POST', '/api/v2/write?org=lobbystats&bucket=snapshots', 404],
  ['GET', '/api/v2/buckets', 404],
  ['GET', '/query/', 404],
  ['GET', '//query', 404],
  ['GET', '/', 404],
  ['DELETE', '/query', 405],
])('%s %s returns %d and is not forwarded to InfluxDB', async (method, path, status) => {
  const { url, seen } = await startAnalystProxy(answerRows);
  expect((await fetch(url + path, { method })).status).toBe(status);
  expect(seen).toEqual([]);
});
