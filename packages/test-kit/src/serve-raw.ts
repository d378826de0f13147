import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from './clean-up.ts';

/** Starts a loopback server for cases that nock can't mock: broken, slow and hanging responses. @returns its URL */
export async function serveRaw(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  cleanUp(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends bytes slowly, without end. */
export const slowResponse: RequestListener = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => res.write(' '), 20);
  res.once('close', () => clearInterval(timer));
};

/** Announces a longer body than it sends, and aborts. */
export function truncatedResponse(body: string): RequestListener {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length + 9 };
  return (_req, res) => void res.writeHead(200, headers).write(body, () => res.destroy());
}
