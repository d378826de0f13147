import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OwnedAnswers } from './owned-answers.ts';

/** All owners in one: it answers by path, whatever the query. */
export interface BenchOwner {
  readonly url: string;
  readonly port: number;
  /** How often it was asked since it was last told what to answer, by path. */
  readonly asked: ReadonlyMap<string, number>;
  answerWith(answers: OwnedAnswers): void;
}

/** @param delayMs how long each answer takes it */
export async function startOwner(answers: OwnedAnswers, stack: AsyncDisposableStack, delayMs = 0): Promise<BenchOwner> {
  let known = answers;
  const asked = new Map<string, number>();
  const server = createServer((req, res) => {
    const [path = ''] = (req.url ?? '').split('?');
    const answer = known.get(path);
    asked.set(path, (asked.get(path) ?? 0) + 1);
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
    asked,
    answerWith: (next) => {
      known = next;
      asked.clear();
    },
  };
}
