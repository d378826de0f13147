import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createHealth } from '@lobbystats/service-kit';
import { cleanUp, eventually, getJson } from '@lobbystats/test-kit';
import { makeExample, startExample, total } from './example-service.ts';
import { exchange } from './raw-exchange.ts';

/** A handler that waits for `open`. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let begun = 0;
  const handler = async () => {
    begun += 1;
    await opened;
    return 1;
  };
  return { open, begun: () => begun, handler };
}

const GET = 'GET /healthz HTTP/1.0\r\n\r\n';

function keepAlive(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  cleanUp(() => agent.destroy());
  return agent;
}

async function get(url: string, agent: Agent): Promise<IncomingMessage> {
  const [answer] = (await once(request(url, { agent }).end(), 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
}

describe('graceful stop', () => {
  it('answers requests in flight with Connection: close and refuses new connections', async () => {
    const { handler, open, begun } = gate();
    const { http, url, port } = await startExample({ routes: [total(handler)] });
    const inFlight = Array.from({ length: 20 }, () => get(`${url}/total`, new Agent({ keepAlive: true })));
    await eventually(() => expect(begun()).toBe(20));
    const stopped = http.stop();
    await eventually(() => expect(exchange(port, GET)).rejects.toThrow('ECONNREFUSED'));
    open();
    const answers = await Promise.all(inFlight);
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers.connection])).toEqual(
      answers.map(() => [200, 'close']),
    );
    await stopped;
  });

  it('answers requests of all connections that are established, also those in the accept backlog', async () => {
    const { http, port } = await startExample({ stopTimeoutMs: 60_000 });
    const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'));
    cleanUp(() => {
      for (const socket of sockets) socket.destroy();
    });
    // The server accepts one connection per turn of the event loop, so most are in the backlog by now.
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const stopped = http.stop();
    const answers = await Promise.all(
      sockets.map((socket) => {
        socket.write(GET);
        return text(socket);
      }),
    );
    expect(answers.map((answer) => answer.split('\r\n', 1))).toEqual(Array(100).fill(['HTTP/1.1 200 OK']));
    await stopped;
  });

  it('answers one more request on an open connection, then closes it', async () => {
    const { http, url } = await startExample();
    const agent = keepAlive();
    expect((await get(`${url}/healthz`, agent)).headers.connection).toBe('keep-alive');
    const stopped = http.stop();
    const last = await get(`${url}/readyz`, agent);
    expect([last.statusCode, last.headers.connection]).toEqual([503, 'close']);
    await stopped;
  });

  it('fails no request of busy keep-alive clients', async () => {
    const { http, url } = await startExample();
    const outcomes: (number | undefined)[] = [];
    const clients = Array.from({ length: 10 }, async () => {
      const agent = keepAlive();
      for (;;) {
        const answer = await get(`${url}/healthz`, agent);
        outcomes.push(answer.statusCode);
        if (answer.headers.connection === 'close') return;
      }
    });
    await eventually(() => expect(outcomes.length).toBeGreaterThan(200));
    await http.stop();
    await Promise.all(clients);
    expect(new Set(outcomes)).toEqual(new Set([200]));
  });

  it('does not wait for idle or silent connections', async () => {
    const { http, url, port } = await startExample({ stopTimeoutMs: 600_000 });
    await get(`${url}/healthz`, keepAlive());
    const silent = connect(port, '127.0.0.1');
    cleanUp(() => silent.destroy());
    await once(silent, 'connect');
    await expect(http.stop()).resolves.toBeUndefined();
  });

  it('aborts requests that are still running at the deadline', async () => {
    const { handler, begun } = gate();
    const { http, url } = await startExample({ routes: [total(handler)], stopTimeoutMs: 100 });
    const answer = getJson(`${url}/total`).catch(() => 'cut off');
    await eventually(() => expect(begun()).toBe(1));
    await http.stop();
    expect(await answer).toBe('cut off');
  });

  it('sets the readiness status to stopping', async () => {
    const health = createHealth({ service: 'example' });
    const { http } = await startExample({ health });
    await http.stop();
    expect((await health.report()).status).toBe('stopping');
  });

  it('is idempotent', async () => {
    const { http } = await startExample();
    await Promise.all([http.stop(), http.stop()]);
    await expect(http.stop()).resolves.toBeUndefined();
  });

  it('leaves nothing listening if it is called during the start', async () => {
    const { http } = makeExample();
    const starting = http.start();
    await http.stop();
    const { url } = await starting;
    await expect(fetch(url)).rejects.toThrow();
  });
});

describe('starting', () => {
  it('on a port in use names the setting to change', async () => {
    const { port } = await startExample();
    await expect(startExample({ port })).rejects.toThrow(`port ${port} is in use: set PORT`);
  });
});
