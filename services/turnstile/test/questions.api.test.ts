import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { silentLogger } from '@lobbystats/service-kit';
import { cleanUp, eventually, startService } from '@lobbystats/test-kit';
import { createTurnstile, readTurnstileConfig } from '../src/service.ts';

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

const QUESTION = '/query?db=snapshots&q=SELECT+1';
const ROWS = JSON.stringify({ results: [{ statement_id: 0 }] });
const answerRows: Answer = (req, res) => {
  if (req.url === '/ping') res.writeHead(204).end();
  else res.writeHead(200, { 'Content-Type': 'application/json', 'X-Influxdb-Version': '2' }).end(ROWS);
};

/** A turnstile before a server that answers as it is told, and keeps what it was asked. */
async function turnstileTo(answer: Answer, settings: Record<string, string> = {}) {
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
  const config = readTurnstileConfig({
    PORT: '0',
    METRICS_PORT: '0',
    INFLUXDB_URL: `http://127.0.0.1:${(influx.address() as AddressInfo).port}`,
    ANALYSTS_SHARE: '100',
    ...settings,
  });
  const url = await startService(createTurnstile(config, { logger: silentLogger() }));
  return { url, seen, influx };
}

/** Answers that wait until they are let go, or nobody waits for them. */
function held() {
  const waiting: ServerResponse[] = [];
  const answer: Answer = (req, res) => {
    if (req.url === '/ping') res.writeHead(204).end();
    else waiting.push(res);
    res.once('close', () => {
      const place = waiting.indexOf(res);
      if (place !== -1) waiting.splice(place, 1);
    });
  };
  const letGo = () => waiting.shift()?.end(ROWS);
  return { answer, waiting, letGo };
}

const has = (list: readonly unknown[], length: number) => eventually(() => expect(list).toHaveLength(length));

describe('a question', () => {
  it('reaches InfluxDB word by word, and its answer comes back so', async () => {
    const packed = gzipSync(ROWS);
    const { url, seen } = await turnstileTo((_req, res) => {
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
    expect(asked.headers.get('server-timing')).toMatch(/^turn;dur=\d+$/);
    expect(await asked.text()).toBe(ROWS);
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/v2/query?org=lobbystats&x=%2F', headers });
  });

  it('brings its body, and nothing of its way', async () => {
    const bodies: string[] = [];
    const { url, seen } = await turnstileTo((req, res) => {
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

  it('waits until the one before it is answered', async () => {
    const { answer, waiting, letGo } = held();
    const { url, seen } = await turnstileTo(answer);
    const first = fetch(url + QUESTION);
    await has(waiting, 1);
    const second = fetch(url + QUESTION);
    // Whatever needs no turn passes by.
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(seen).toHaveLength(1);
    letGo();
    expect(await (await first).text()).toBe(ROWS);
    await has(waiting, 1);
    letGo();
    expect(await (await second).text()).toBe(ROWS);
  });

  it.each(['in its turn', 'before it'])('holds up nobody once who asked has gone away, %s', async (when) => {
    const { answer, waiting, letGo } = held();
    const { url } = await turnstileTo(answer);
    const leaving = new AbortController();
    const leaves = () => fetch(url + QUESTION, { signal: leaving.signal }).catch(() => 'left');
    const stays = () => fetch(url + QUESTION).then((answered) => answered.status);
    const first = when === 'before it' ? stays() : leaves();
    await has(waiting, 1);
    const others = when === 'before it' ? [leaves(), stays()] : [stays()];
    leaving.abort();
    letGo();
    await has(waiting, 1);
    letGo();
    expect(await Promise.all([first, ...others])).toEqual(when === 'before it' ? [200, 'left', 200] : ['left', 200]);
  });

  it('is refused with 429 when its turn doesn’t come in time', async () => {
    const { answer, waiting, letGo } = held();
    const { url } = await turnstileTo(answer, { QUESTION_WAIT_MS: '0' });
    const first = fetch(url + QUESTION);
    await has(waiting, 1);
    const refused = await fetch(url + QUESTION);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await refused.json()).toEqual({ error: 'Another question takes long' });
    letGo();
    expect((await first).status).toBe(200);
  });

  it('that takes too long is 504, or cut off where its answer has begun', async () => {
    const { url } = await turnstileTo(
      (req, res) => {
        if (req.url?.includes('begun')) res.write(ROWS);
      },
      { QUESTION_TIMEOUT_MS: '100' },
    );
    const late = await fetch(url + QUESTION);
    expect([late.status, await late.json()]).toEqual([504, { error: 'The question takes too long' }]);
    const cut = await fetch(`${url}/query?begun`);
    await expect(cut.text()).rejects.toThrow();
  });

  it('is 503 while InfluxDB is away, and the turnstile isn’t ready', async () => {
    const { url, influx } = await turnstileTo(answerRows);
    influx.close();
    influx.closeAllConnections();
    const away = await fetch(url + QUESTION);
    expect([away.status, away.headers.get('retry-after'), await away.json()]).toEqual([
      503,
      '5',
      { error: 'InfluxDB is unavailable' },
    ]);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
  });

  it('that is still being sent holds no turn, and is at most 64 KiB', async () => {
    const { url } = await turnstileTo(answerRows);
    const { hostname, port } = new URL(url);
    const slow = connect(Number(port), hostname);
    cleanUp(async () => {
      slow.destroy();
    });
    await once(slow, 'connect');
    slow.write('POST /query HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf');
    expect((await fetch(url + QUESTION)).status).toBe(200);
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
])('%s %s is answered with %d, and never reaches InfluxDB', async (method, path, status) => {
  const { url, seen } = await turnstileTo(answerRows);
  expect((await fetch(url + path, { method })).status).toBe(status);
  expect(seen).toEqual([]);
});
