import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Handles a request; `pass` forwards it. */
type Behaviour = (req: IncomingMessage, res: ServerResponse) => 'pass' | undefined;

/** A server between the store and InfluxDB, which can fail as InfluxDB can. */
export interface InfluxProxy {
  readonly url: string;
  /** Replaces the behaviour. */
  setBehaviour(how: Behaviour): void;
  close(): Promise<void>;
}

/** Forwards everything until `setBehaviour` is called. */
export async function influxProxy(target: string): Promise<InfluxProxy> {
  let behaviour: Behaviour = () => 'pass';
  const server = createServer((req, res) => {
    if (behaviour(req, res) === 'pass') forwardRequest(target, req, res);
    else req.resume();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setBehaviour: (how) => {
      behaviour = how;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function forwardRequest(target: string, req: IncomingMessage, res: ServerResponse): void {
  const { method, headers } = req;
  const onward = request(target + (req.url ?? ''), { ...(method && { method }), headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  onward.on('error', () => res.destroy());
  req.pipe(onward);
}

/** Sends this response to writes or reads; forwards everything else. */
export function respondingWith(which: 'writes' | 'reads', status: number, body: string): Behaviour {
  return failing(which, (res) => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
}

/** Calls `fail` for writes or reads; forwards everything else. */
export function failing(which: 'writes' | 'reads', fail: (res: ServerResponse) => void): Behaviour {
  const path = which === 'writes' ? '/api/v2/write' : '/query';
  return (req, res) => {
    if (req.url?.startsWith(path) !== true) return 'pass';
    fail(res);
    return undefined;
  };
}

/**
 * Holds the next write, as a stalled server does, and forwards everything else. `carryOut` executes the write, whether or
 * not its client still waits.
 */
export function holdFirstWrite(proxy: InfluxProxy, target: string): { carryOut(): Promise<void> } {
  const held = Promise.withResolvers<() => Promise<void>>();
  proxy.setBehaviour((req, res) => {
    if (req.url?.startsWith('/api/v2/write') !== true) return 'pass';
    proxy.setBehaviour(() => 'pass');
    const body = buffer(req);
    held.resolve(async () => {
      const { method = 'POST', url, headers } = req;
      const answer = await fetch(target + String(url), {
        method,
        headers: headers as Record<string, string>,
        body: await body,
      });
      res.writeHead(answer.status).end();
    });
    return undefined;
  });
  return { carryOut: async () => (await held.promise)() };
}
