import type { RequestListener } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { operations } from '@lobbystats/contracts';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import type { TestResponse } from '@lobbystats/test-kit/send-request';
import { HARBOR } from './network.ts';
import { freeUrl, runGateway, startRawUpstream } from './running-gateway.ts';

const TIMEOUT_MS = 1500;
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };
const SECRET = 'postgres://admin@db-7.internal';

const faults: Record<string, RequestListener> = {
  'a fault of its own': (_req, res) => {
    res.writeHead(500, JSON_TYPE).end(JSON.stringify({ error: SECRET }));
  },
  'a 503 of its own': (_req, res) => {
    res.writeHead(503, { ...JSON_TYPE, 'Retry-After': '9999' }).end(JSON.stringify({ error: SECRET }));
  },
  'a redirect': (_req, res) => {
    res.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
  },
  'an empty success': (_req, res) => {
    res.writeHead(204).end();
  },
  'a refusal that is no use to the caller': (_req, res) => {
    res.writeHead(401, JSON_TYPE).end(JSON.stringify({ error: SECRET }));
  },
  'a 404 that is not ours': (_req, res) => {
    res.writeHead(404, { 'Content-Type': 'text/html' }).end(`<h1>${SECRET}</h1>`);
  },
  'a 400 without a reason': (_req, res) => {
    res.writeHead(400, JSON_TYPE).end(JSON.stringify({ error: { stack: SECRET } }));
  },
  'a page of HTML': (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Welcome!</p>');
  },
  'garbage that is called JSON': (_req, res) => {
    res.writeHead(200, JSON_TYPE).end('oops');
  },
  'an empty body that is called JSON': (_req, res) => {
    res.writeHead(200, JSON_TYPE).end();
  },
  'half of a body of known length': (_req, res) => {
    res.writeHead(200, { ...JSON_TYPE, 'Content-Length': 1000 });
    res.write('[1,2', () => res.destroy());
  },
  'half of a body of unknown length': (_req, res) => {
    res.writeHead(200, JSON_TYPE);
    res.write('[1,2]', () => res.destroy());
  },
  'a connection that is hung up': (req) => {
    req.socket.destroy();
  },
  'what is no HTTP': (req) => {
    req.socket.end('SSH-2.0-OpenSSH_9.2\r\n');
  },
  'headers without end': (_req, res) => {
    const drip = setInterval(() => res.socket?.write('X-More: more\r\n'), 20);
    res.socket?.write('HTTP/1.1 200 OK\r\n');
    res.on('close', () => {
      clearInterval(drip);
    });
  },
  'a body without end': (_req, res) => {
    res.writeHead(200, JSON_TYPE).write('[');
    const drip = setInterval(() => res.write('1,'), 20);
    res.on('close', () => {
      clearInterval(drip);
    });
  },
  'a flood': (_req, res) => {
    res.writeHead(200, JSON_TYPE).write('[');
    const chunk = Buffer.alloc(1 << 20, ' ');
    const pour = () => {
      while (!res.destroyed && res.write(chunk));
    };
    res.on('drain', pour);
    pour();
  },
  nothing: () => undefined,
};

describe.each(Object.keys(faults))('upstream that answers with %s', (fault) => {
  it('is 503, by name and in compositions too, and affects no other route', async () => {
    const SERIES_API_URL = await startRawUpstream(faults[fault]!);
    const gateway = await runGateway({ env: { SERIES_API_URL }, upstreamTimeoutMs: TIMEOUT_MS });
    await eventually(async () => expect((await gateway.request('/readyz')).status).toBe(200));
    const [series, matches, composed, game] = await Promise.all([
      gateway.request(operations.getOnlineSeries.path),
      gateway.request(String(operations.getMatches.gamePath).replace(':game', HARBOR.titleId)),
      gateway.request(operations.getOnlineUsers.path),
      gateway.request(operations.getGame.path.replace(':titleId', HARBOR.titleId)),
    ]);
    for (const answer of [series, matches, composed]) expectUnavailable(answer);
    expect(game.status).toBe(200);
  });
});

describe('unreachable upstream', () => {
  it('is 503 at once, and is used again when it is back', async () => {
    const url = await freeUrl();
    const gateway = await runGateway({ env: { SERIES_API_URL: url } });
    expectUnavailable(await gateway.request(operations.getOnlineSeries.path));

    const server = createServer((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]');
    });
    cleanUp(() => server.close());
    await new Promise<void>((resolve) => {
      server.listen(Number(new URL(url).port), '127.0.0.1', resolve);
    });
    expect((server.address() as AddressInfo).port).toBe(Number(new URL(url).port));
    await expect(gateway.request(operations.getOnlineSeries.path)).resolves.toMatchObject({ status: 200, text: '[]' });
  });
});

describe('hanging upstream', () => {
  it('is 503 when all of its connections are in use', async () => {
    const SERIES_API_URL = await startRawUpstream(faults['nothing']!);
    const gateway = await runGateway({ env: { SERIES_API_URL }, upstreamTimeoutMs: TIMEOUT_MS });
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => gateway.request(operations.getLobbySeries.path)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  });
});

describe('error response of an upstream', () => {
  it.each([
    [404, 'Unknown title'],
    [400, 'hours must be something else'],
  ])('is passed on as %s with its reason', async (status, error) => {
    const SERIES_API_URL = await startRawUpstream((_req, res) => {
      const more = { stack: SECRET, ETag: '"x"', 'Cache-Control': 'public, max-age=300' };
      res.writeHead(status, { ...JSON_TYPE, ...more }).end(JSON.stringify({ error, stack: SECRET }));
    });
    const gateway = await runGateway({ env: { SERIES_API_URL } });
    const answer = await gateway.request(operations.getTitleOnlineHistory.path.replace(':titleId', HARBOR.titleId));
    expect([answer.status, answer.text]).toEqual([status, JSON.stringify({ error })]);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' });
    expect(answer.headers.etag).toBeUndefined();
  });
});

function expectUnavailable({ status, headers, body, text }: TestResponse): void {
  expect([status, body]).toEqual([503, { error: 'This is unavailable at the moment, try again soon' }]);
  expect(headers).toMatchObject({
    'retry-after': '5',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  });
  expect(headers.etag ?? headers.location).toBeUndefined();
  expect(text).not.toMatch(/series|catalog|127\.0\.0\.1|postgres/);
}
