import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a test's network answers next. */
export type Script = (request: IncomingMessage, response: ServerResponse) => void;

/** A network on loopback that answers as it is told, and remembers what it was asked. */
export interface ScriptedNetwork {
  readonly url: string;
  readonly requests: IncomingMessage[];
  answer(script: Script): void;
  close(): Promise<void>;
}

/** Starts one. Answers bear no `Date` unless the script gives one. */
export async function scriptedNetwork(): Promise<ScriptedNetwork> {
  let script: Script = (_, response) => response.writeHead(404).end();
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.sendDate = false;
    script(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (next) => {
      script = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers every request with this HTML. */
export function html(body: string, headers: Record<string, string> = {}, status = 200): Script {
  return (_, response) =>
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(body);
}
