import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from '@lobbystats/test-kit';
import { createClient, type ClientOptions } from '../src/index.ts';

interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly key: string | string[] | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A client of a server that runs `answer` for each request, and the recorded requests. */
export async function clientOf(
  answer: (req: IncomingMessage, res: ServerResponse) => void,
  options: Partial<ClientOptions> = {},
) {
  const seen: SeenRequest[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method, url, headers } = req;
      seen.push({ method, url, headers, key: headers['x-session-key'], body: Buffer.concat(chunks).toString() });
      res.setHeader('Connection', 'close');
      answer(req, res);
    });
  });
  cleanUp(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: createClient({ baseUrl, ...options }), seen, baseUrl };
}

export const json =
  (body: unknown, status = 200, headers = {}) =>
  (_req: IncomingMessage, res: ServerResponse) => {
    res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body));
  };
