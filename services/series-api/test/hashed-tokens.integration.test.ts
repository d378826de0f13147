import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { provisionInflux } from '@lobbystats/series-api/admin';
import { cleanUp } from '@lobbystats/test-kit';

const BUCKETS = ['snapshots', 'daily'];

interface Stored {
  id: string;
  text: string;
  body: object;
}

/** The part of InfluxDB's management API that provisioning uses. It lists tokens without their text, as a server that stores hashes. */
async function startHashingInflux() {
  const tokens: Stored[] = [];
  let made = 0;
  const respond = async (req: IncomingMessage): Promise<[status: number, body?: unknown]> => {
    const { pathname, searchParams } = new URL(String(req.url), 'http://influx');
    const text = String(req.headers.authorization).replace('Token ', '');
    if (text !== 'admin' && !tokens.some((token) => token.text === text)) return [401, { code: 'unauthorized' }];
    if (pathname === '/api/v2/orgs') return [200, { orgs: [{ id: 'org', name: 'lobbystats' }] }];
    if (pathname === '/api/v2/buckets') {
      const name = searchParams.get('name') ?? '';
      const every = name === 'snapshots' ? 30 * 86_400 : 0;
      return [
        200,
        { buckets: BUCKETS.includes(name) ? [{ id: name, name, retentionRules: [{ everySeconds: every }] }] : [] },
      ];
    }
    if (req.method === 'DELETE') {
      tokens.splice(
        tokens.findIndex(({ id }) => pathname.endsWith(`/${id}`)),
        1,
      );
      return [204];
    }
    if (req.method === 'GET')
      return [200, { authorizations: tokens.map(({ id, body }) => ({ id, status: 'active', ...body })) }];
    made += 1;
    const chunks = await req.toArray();
    const body = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as object;
    const stored = { id: `id-${made}`, text: `text-${made}`, body };
    tokens.push(stored);
    return [201, { ...body, id: stored.id, token: stored.text }];
  };
  const server = createServer((req, res) => {
    void respond(req).then(([status, body]) => {
      res.writeHead(status, { 'content-type': 'application/json' });
      res.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(() => new Promise((resolve) => server.close(resolve)));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provision = async (token?: string) => {
    const log = () => undefined;
    return (await provisionInflux({ url, adminToken: 'admin', org: 'lobbystats', token, log, waitMs: 0 })).token;
  };
  return { tokens, provision };
}

describe('provisioning an InfluxDB that stores hashes of tokens', () => {
  it('keeps the token in use', async () => {
    const { tokens, provision } = await startHashingInflux();
    const first = await provision();
    expect(await provision(first)).toBe(first);
    expect(tokens.map(({ text }) => text)).toEqual([first]);
  });

  it('replaces a token that the server does not know, and deletes the superseded one', async () => {
    const { tokens, provision } = await startHashingInflux();
    const first = await provision();
    const second = await provision('of another server');
    expect(second).not.toBe(first);
    expect(tokens.map(({ text }) => text)).toEqual([second]);
  });

  it('leaves one token when several of its name exist', async () => {
    const { tokens, provision } = await startHashingInflux();
    const first = await provision();
    tokens.push({ ...tokens[0]!, id: 'left-over', text: 'left-over' });
    const token = await provision(first);
    expect(tokens.map(({ text }) => text)).toEqual([token]);
  });
});
