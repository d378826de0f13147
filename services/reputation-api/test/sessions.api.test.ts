import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, createMetrics, type Sessions } from '@lobbystats/service-kit';
import { cleanUp, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { createSessionVerifier } from '@lobbystats/service-kit/session';
import { pathOf, runReputation, type RunOptions } from './running-reputation.ts';

const KEY = 'k3y-0f-Marl0w-that-nobody-may-read';

/** An auth service that knows one session, as the network's description has it. */
async function authService() {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    void req.toArray().then((chunks) => {
      asked.push(String(req.url));
      const { sessionKey } = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as { sessionKey: string };
      const isValid = sessionKey === KEY;
      const verdict = isValid
        ? { valid: true, username: 'Marlow', email: 'm@example.org' }
        : { valid: false, error: '' };
      res.writeHead(isValid ? 200 : 401, { 'content-type': 'application/json', connection: 'close' });
      res.end(JSON.stringify(verdict));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  cleanUp(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

/** Starts a service that verifies sessions with the auth service and records its log. */
async function run(authUrl: string, options: RunOptions = {}) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const logger = createLogger({ service: 'reputation-api', level: 'debug', format: 'json', write });
  const metrics = createMetrics('reputation-api');
  const sessions: Sessions = createSessionVerifier({ authUrl, clock: Date.now, logger, metrics });
  const api = await runReputation({ logger, metrics, sessions, ...options });
  await api.announceUsers({ EmberFox: '' });
  return { api, lines, metrics };
}

describe('sessions verified by the auth service', () => {
  it('identify rater and reader; an invalid one is rejected for ratings and anonymous for reads', async () => {
    const auth = await authService();
    const { api } = await run(auth.url);
    const rated = await api.post('', 'EmberFox', { key: KEY, body: { stars: 4 } });
    expect([rated.status, rated.body.viewer.stars]).toEqual([200, 4]);
    expect(await readWith(KEY, api.url)).toMatchObject({ viewer: { stars: 4 } });
    expect(await readWith('stolen', api.url)).toMatchObject({ viewer: null, ratingCount: 1 });
    expect((await api.post('', 'EmberFox', { key: 'stolen', body: { stars: 4 } })).status).toBe(401);
    expect(auth.asked).toHaveLength(2);
  });

  it('that cannot be verified answer writes with 503 and read as anonymous', async () => {
    const auth = await authService();
    const { api } = await run(auth.url);
    await auth.close();
    expect((await api.post('', 'EmberFox', { key: KEY, body: { stars: 4 } })).status).toBe(503);
    expect(await readWith(KEY, api.url)).toMatchObject({ viewer: null, ratingCount: 0 });
  });

  it('have keys that appear in no log, metric or store', async () => {
    const auth = await authService();
    const directory = temporaryDirectory();
    const env = { DATABASE_URL: `sqlite:${join(directory, 'reputation.sqlite')}` };
    const { api, lines, metrics } = await run(auth.url, { env });
    await api.post('', 'EmberFox', { key: KEY, body: { stars: 4 } });
    await api.post('', 'EmberFox', { key: null, body: { stars: 4, sessionKey: KEY } });
    await api.post('', 'EmberFox', { key: KEY, body: { stars: 9, sessionKey: KEY } });
    await api.post('', 'EmberFox', { key: KEY, body: `{"stars":${KEY}` });
    await readWith(KEY, api.url);
    await auth.close();
    await api.stop();
    expect(lines.length).toBeGreaterThan(3);
    const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
    expect(files.join('').includes('EmberFox')).toBe(true);
    for (const text of [...lines, ...files, await metrics.registry.metrics()]) expect(text).not.toContain(KEY);
  });
});

/** Returns the body for a reader with this session key. */
async function readWith(key: string, url: string): Promise<unknown> {
  return (await getJson(url + pathOf('EmberFox'), { headers: { 'x-session-key': key } })).body;
}
