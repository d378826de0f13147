import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { operations, streamEvents } from '@lobbystats/contracts';
import { eventually, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { docker } from '@lobbystats/test-kit/docker';
import { generate } from 'selfsigned';
import { openHttp2, readUntil, requestHttp2 } from './http2-client.ts';
import { compose, composeArgs, gatewayUrl, publishedUrl } from './stack.ts';

const CONNECTIONS_PER_ADDRESS = 4;
const CHALLENGE = '/.well-known/acme-challenge/token-of-the-authority';
const HSTS = 'max-age=2592000';

let httpUrl: string;
let httpsUrl: string;

/** Runs a shell script with the volumes and rights of the ACME client. */
async function runAcme(script: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { services } = JSON.parse(await compose('config', '--format', 'json')) as {
    services: Record<string, { image: string }>;
  };
  const variables = Object.keys(env).flatMap((name) => ['-e', name]);
  const run = ['--profile', '*', 'run', '--rm', '-T', '--no-deps', ...variables, '--entrypoint', 'sh', 'acme'];
  // Any image with a shell: the client itself is not needed.
  await docker([...composeArgs, ...run, '-c', script], { ...env, ACME_IMAGE: String(services['nginx']?.image) });
}

/** Installs a new certificate, as the ACME client does. Returns it. */
async function installCertificate(): Promise<string> {
  const pair = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 });
  const script = `mkdir /tmp/live && printf %s "$CERTIFICATE" >/tmp/live/fullchain.pem && printf %s "$KEY" >/tmp/live/privkey.pem &&
    RENEWED_LINEAGE=/tmp/live PUBLIC_URL=https://localhost sh /opt/lobbystats/certificates.sh --install`;
  await runAcme(script, { CERTIFICATE: pair.cert, KEY: pair.private });
  return pair.cert;
}

async function servedCertificate(): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(httpsUrl).port), rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return new X509Certificate(socket.getPeerCertificate().raw).fingerprint256;
  } finally {
    socket.destroy();
  }
}

async function expectServed(certificate: string): Promise<void> {
  const { fingerprint256 } = new X509Certificate(certificate);
  await eventually(async () => expect(await servedCertificate()).toBe(fingerprint256), { everyMs: 200 });
}

let certificate: string;

beforeAll(async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  const settings = {
    PUBLIC_URL: 'https://stats.example',
    CONNECTIONS_PER_ADDRESS: String(CONNECTIONS_PER_ADDRESS),
  };
  await docker([...composeArgs, '--profile', 'tls', 'up', '-d', '--wait', '--no-deps', 'nginx-tls'], settings);
  httpUrl = await publishedUrl('nginx-tls', 8080);
  httpsUrl = (await publishedUrl('nginx-tls', 8443)).replace('http:', 'https:').replace('127.0.0.1', 'localhost');
});
afterAll(() => compose('--profile', 'tls', 'rm', '-sf', 'nginx-tls'));

describe('public endpoint with TLS', () => {
  it('without a certificate answers ACME challenges, and then uses the installed certificate', async () => {
    await expect(servedCertificate()).rejects.toThrow();
    await runAcme(`mkdir -p /challenges/.well-known/acme-challenge && printf proof >/challenges${CHALLENGE}`);
    const challenge = await fetch(httpUrl + CHALLENGE, { redirect: 'manual' });
    expect([challenge.status, await challenge.text()]).toEqual([200, 'proof']);
    certificate = await installCertificate();
    await expectServed(certificate);
  });

  it('serves the same responses over HTTP/2, with HSTS', async () => {
    const session = await openHttp2(httpsUrl, certificate);
    expect(session.alpnProtocol).toBe('h2');
    const path = `${operations.listGames.path}?limit=3`;
    const { status, headers, stream } = await requestHttp2(session, path);
    const body: unknown = JSON.parse(await text(stream));
    const plain = await fetch(gatewayUrl + path, { headers: { connection: 'close' } });
    expect([status, body]).toEqual([200, await plain.json()]);
    expect(headers).toMatchObject({ 'strict-transport-security': HSTS, etag: plain.headers.get('etag') });
    expect(plain.headers.get('strict-transport-security')).toBeNull();
  });

  it('redirects requests without TLS to PUBLIC_URL, with path and query', async () => {
    for (const method of ['GET', 'POST']) {
      const url = `${httpUrl}${operations.listGames.path}?q=a%20b`;
      // nginx closes kept connections when it reads a new certificate.
      const redirected = await eventually(() => fetch(url, { method, redirect: 'manual' }));
      expect(redirected.status).toBe(308);
      expect(redirected.headers.get('location')).toBe(`https://stats.example${operations.listGames.path}?q=a%20b`);
      expect(redirected.headers.get('strict-transport-security')).toBeNull();
    }
  });

  it('streams events over HTTP/2, and its errors are those of the plain endpoint, with HSTS', async () => {
    const session = await openHttp2(httpsUrl, certificate);
    const stream = await requestHttp2(session, streamEvents.path, { 'last-event-id': '1-1' });
    expect(stream).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
    expect(await readUntil(stream, /^retry: /m)).toContain('retry: ');
    const tooLarge = { ':method': 'POST', 'content-type': 'application/json', body: ' '.repeat(70_000) };
    const { status, headers, stream: refusal } = await requestHttp2(session, operations.searchByRanks.path, tooLarge);
    expect([status, JSON.parse(await text(refusal))]).toEqual([413, { error: 'The body must be at most 64 KiB' }]);
    expect(headers).toMatchObject({ 'strict-transport-security': HSTS, 'cache-control': 'no-store' });
  });

  it('limits the concurrent requests of an address, however few connections carry them', async () => {
    const session = await openHttp2(httpsUrl, certificate);
    const streams = Array.from({ length: CONNECTIONS_PER_ADDRESS }, () => requestHttp2(session, streamEvents.path));
    expect((await Promise.all(streams)).map(({ status }) => status)).not.toContain(429);
    const { status, headers } = await requestHttp2(session, operations.listGames.path);
    expect([status, headers['retry-after']]).toEqual([429, '5']);
  });

  it('refuses to start with a key that nginx may not read, and says so', async () => {
    const directory = temporaryDirectory();
    for (const name of ['cert.pem', 'key.pem'])
      writeFileSync(join(directory, name), 'of another user', { mode: 0o600 });
    chmodSync(directory, 0o755);
    const settings = { TLS_DIRECTORY: directory, PUBLIC_URL: 'https://stats.example' };
    const run = ['--profile', 'tls', 'run', '--rm', '-T', '--no-deps', 'nginx-tls'];
    await expect(docker([...composeArgs, ...run], settings)).rejects.toThrow(/pem can't be read by nginx, user 101/);
  });

  it('uses a renewed certificate while an open stream goes on', async () => {
    const session = await openHttp2(httpsUrl, certificate);
    const stream = await requestHttp2(session, streamEvents.path);
    certificate = await installCertificate();
    await expectServed(certificate);
    expect(stream.stream.closed).toBe(false);
    const { status } = await getJson(gatewayUrl + operations.listGames.path);
    expect(status).toBe(200);
    // Heartbeats come every 15 s: the second one comes after the reload.
    expect(await readUntil(stream, /^:\n[^]*^:\n/m)).toMatch(/^retry: /);
  });
});
