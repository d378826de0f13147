import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UpstreamResponses } from './upstream-responses.ts';

/** One server as all upstreams: responds by path and ignores the query. */
export interface BenchUpstream {
  readonly url: string;
  readonly port: number;
  /** Requests by path since the responses were set. */
  readonly requestCounts: ReadonlyMap<string, number>;
  setResponses(answers: UpstreamResponses): void;
}

/** @param delayMs latency of each response */
export async function startUpstream(
  answers: UpstreamResponses,
  stack: AsyncDisposableStack,
  delayMs = 0,
): Promise<BenchUpstream> {
  let known = answers;
  const requestCounts = new Map<string, number>();
  const server = createServer((req, res) => {
    const [path = ''] = (req.url ?? '').split('?');
    const answer = known.get(path);
    requestCounts.set(path, (requestCounts.get(path) ?? 0) + 1);
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Last-Modified': new Date().toUTCString() };
    const send = () => {
      res.writeHead(answer === undefined ? 404 : 200, {
        ...headers,
        'Content-Length': Buffer.byteLength(answer ?? ''),
      });
      res.end(answer ?? '');
    };
    if (delayMs === 0) send();
    else setTimeout(send, delayMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requestCounts,
    setResponses: (next) => {
      known = next;
      requestCounts.clear();
    },
  };
}
