import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What becomes of a request: `pass` hands it on. */
type Behaviour = (req: IncomingMessage, res: ServerResponse) => 'pass' | undefined;

/** A server between the store and InfluxDB, which can fail as InfluxDB can. */
export interface InfluxProxy {
  readonly url: string;
  /** How it behaves from now on. */
  behave(how: Behaviour): void;
  close(): Promise<void>;
}

/** Hands everything on at first. */
export async function influxProxy(target: string): Promise<InfluxProxy> {
  let behaviour: Behaviour = () => 'pass';
  const server = createServer((req, res) => {
    if (behaviour(req, res) === 'pass') handOn(target, req, res);
    else req.resume();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (how) => {
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

function handOn(target: string, req: IncomingMessage, res: ServerResponse): void {
  const { method, headers } = req;
  const onward = request(target + (req.url ?? ''), { ...(method && { method }), headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  onward.on('error', () => res.destroy());
  req.pipe(onward);
}

/** Answers writes, or reads, so; everything else is handed on. */
export function answering(which: 'writes' | 'reads', status: number, body: string): Behaviour {
  return failing(which, (res) => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
}

/** Does this to writes, or to reads; everything else is handed on. */
export function failing(which: 'writes' | 'reads', fail: (res: ServerResponse) => void): Behaviour {
  const path = which === 'writes' ? '/api/v2/write' : '/query';
  return (req, res) => {
    if (req.url?.startsWith(path) !== true) return 'pass';
    fail(res);
    return undefined;
  };
}

/**
 * Holds the first write to come, as a server does that stands still; everything else is handed on. The write is carried out
 * when told so, whether somebody waits for its answer or not.
 */
export function holdingOne(proxy: InfluxProxy, target: string): { carryOut(): Promise<void> } {
  const held = Promise.withResolvers<() => Promise<void>>();
  proxy.behave((req, res) => {
    if (req.url?.startsWith('/api/v2/write') !== true) return 'pass';
    proxy.behave(() => 'pass');
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
