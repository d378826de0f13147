import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually, temporaryDirectory } from '@lobbystats/test-kit';
import { generate } from 'selfsigned';
import { outboundFluxScripts } from '../analysts/outbound-flux-scripts.ts';
import { docker } from '@lobbystats/test-kit/docker';
import { compose, composeArgs, publishedUrl } from './stack.ts';

const NAME = `test-${randomUUID().slice(0, 8)}`;
const QUERY_PATH = '/query?db=snapshots&q=SHOW+FIELD+KEYS+FROM+site';
const FLUX_TYPE = 'application/vnd.flux';
const FLUX = `import "influxdata/influxdb/schema"
  schema.measurementFieldKeys(bucket: "snapshots", measurement: "site", start: -30d)`;

let token: string;
let proxyUrl: string;
let influxdbUrl: string;

const fetchWithToken = (
  url: string,
  { method = 'GET', body, type }: { method?: string; body?: string; type?: string } = {},
) => {
  const headers = new Headers({ authorization: `Token ${token}` });
  if (type !== undefined) headers.set('content-type', type);
  return fetch(url, { method, headers, ...(body !== undefined && { body }) });
};

beforeAll(async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  token = await compose('run', '--rm', '-T', 'analyst-token', '--name', NAME);
  [proxyUrl, influxdbUrl] = [await publishedUrl('analysts', 8087), await publishedUrl('influxdb', 8086)];
  // The first slot.
  const stored = async () => {
    const answer = await (await fetchWithToken(influxdbUrl + QUERY_PATH)).text();
    if (!answer.includes('online')) throw new Error(`nothing is stored yet: ${answer}`);
  };
  await eventually(stored, { timeoutMs: 200_000, everyMs: 1000 });
});
afterAll(() => compose('run', '--rm', '-T', 'analyst-token', '--revoke', NAME));

function connectToProxy(): Socket {
  const { hostname, port } = new URL(proxyUrl);
  return connect(Number(port), hostname);
}

/** The response to a path that is sent as it is. */
async function rawRequest(path: string, method: 'GET' | 'POST'): Promise<string> {
  const socket = connectToProxy();
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: analysts\r\nAuthorization: Token ${token}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
  );
  return text(socket);
}

describe('analysts’ endpoint', () => {
  it.each([
    '/metrics/../ping',
    '/health/../ping',
    '/api/v2/buckets/../../../ping',
    '/metrics/%2e%2e/ping',
    '/metrics/..//ping',
    '//ping',
    '/%70ing',
  ])('answers %s, which is normalized to /ping, as /ping', async (path) => {
    const answer = await rawRequest(path, 'GET');
    expect(answer).toMatch(/^HTTP\/1[.]1 204 /);
    expect(answer).not.toContain('influx');
    expect(await rawRequest(path, 'POST')).toMatch(/^HTTP\/1[.]1 403 /);
  });

  it.each([
    '/metrics',
    '/metrics/../api/v2/buckets',
    '/query/../metrics',
    '/ping/metrics',
    '/api/v2/query/../buckets',
    '/PING',
    '/debug/pprof/all',
  ])('refuses %s', async (path) => {
    expect(await rawRequest(path, 'GET')).toMatch(/^HTTP\/1[.]1 404 /);
  });

  it('answers `influx ping`', async () => {
    expect(await rawRequest('/health', 'GET')).toMatch(/^HTTP\/1[.]1 200 /);
    expect(await rawRequest('/health', 'POST')).toMatch(/^HTTP\/1[.]1 403 /);
  });

  it('returns the same InfluxQL and Flux results as InfluxDB', async () => {
    const answers = await Promise.all(
      [influxdbUrl, proxyUrl].map(async (url) => (await fetchWithToken(url + QUERY_PATH)).text()),
    );
    expect(answers[0]).toContain('lobbies');
    expect(answers[1]).toBe(answers[0]);
    const asFlux = { method: 'POST', body: FLUX, type: FLUX_TYPE };
    const tables = [influxdbUrl, proxyUrl].map(async (url) =>
      (await fetchWithToken(`${url}/api/v2/query?org=lobbystats`, asFlux)).text(),
    );
    const [there, here] = await Promise.all(tables);
    expect(there).toContain('lobbies');
    expect(here).toBe(there);
  });

  it('runs one query of a token and two in all, and refuses others with 429 and Retry-After', async () => {
    const ask = (analyst: string) => fetch(proxyUrl + QUERY_PATH, { headers: { authorization: `Token ${analyst}` } });
    /** A query without its body, in flight until the socket is destroyed. */
    const begin = async (analyst: string): Promise<Socket> => {
      const head = `POST /query HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${analyst}\r\nContent-Length: 10\r\n`;
      const socket = connectToProxy();
      socket.write(`${head}Expect: 100-continue\r\n\r\n`);
      const [begun] = (await once(socket, 'data')) as [Buffer];
      expect(begun.toString()).toMatch(/^HTTP\/1[.]1 100 /);
      return socket;
    };
    const first = await begin('ada');
    // InfluxDB knows none of these tokens.
    expect([(await ask('ada')).status, (await ask('bob')).status]).toEqual([429, 401]);
    const second = await begin('bob');
    const refused = await ask('eve');
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '5',
      { error: expect.stringMatching(/one for each token, two in all/) },
    ]);
    first.destroy();
    await eventually(async () => expect((await ask('eve')).status).toBe(401));
    expect((await ask('bob')).status).toBe(429);
    second.destroy();
  });

  it.each(
    ['http://series-api:8080/healthz', 'http://127.0.0.1:8086/health', 'http://user-api:8080/healthz'].flatMap((url) =>
      Object.entries(outboundFluxScripts(url)).map(([name, flux]) => [name, url, flux] as const),
    ),
  )('rejects Flux that opens a connection: %s to %s', async (_name, _url, body) => {
    const answer = await fetchWithToken(`${proxyUrl}/api/v2/query?org=lobbystats`, {
      method: 'POST',
      body,
      type: FLUX_TYPE,
    });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(/no such host/)]);
  });
});

describe('analysts’ endpoint over TLS', () => {
  let endpoint: { host: string; port: number; ca: string };

  beforeAll(async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 });
    const directory = temporaryDirectory('file');
    await writeFile(join(directory, 'cert.pem'), cert);
    await writeFile(join(directory, 'key.pem'), key);
    // nginx must be able to read them, see docs/operating.md.
    await chmod(directory, 0o755);
    const up = ['--profile', 'analysts-tls', 'up', '-d', '--wait', '--no-recreate', 'analysts-tls'];
    await docker([...composeArgs, ...up], { TLS_DIRECTORY: directory });
    const { port } = new URL(await publishedUrl('analysts-tls', 8443));
    endpoint = { host: '127.0.0.1', port: Number(port), ca: cert };
  });
  afterAll(() => compose('--profile', 'analysts-tls', 'rm', '-sf', 'analysts-tls'));

  async function askSafely(path: string, options: RequestOptions = {}) {
    const headers = { authorization: `Token ${token}` };
    const asked = request({ ...endpoint, path, headers, servername: 'localhost', ...options }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, body: await text(answer) };
  }

  it('returns the same results, and only over TLS 1.2 or newer', async () => {
    const { status, body } = await askSafely(QUERY_PATH);
    expect([status, body]).toEqual([200, await (await fetchWithToken(proxyUrl + QUERY_PATH)).text()]);
    expect((await askSafely('/api/v2/buckets')).status).toBe(404);
    const plain = await fetch(`http://${endpoint.host}:${endpoint.port}${QUERY_PATH}`);
    expect([plain.status, await plain.text()]).toEqual([400, expect.stringContaining('HTTPS')]);
    await expect(askSafely(QUERY_PATH, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })).rejects.toThrow();
  });
});
