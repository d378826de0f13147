import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from './clean-up.ts';

/**
 * A raw loopback server for what nock can't do: broken, slow and hanging answers, and requests of other processes.
 *
 * @returns its URL
 */
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
export const drip: RequestListener = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => res.write(' '), 20);
  res.once('close', () => clearInterval(timer));
};

/** Sends this body, promises more, and breaks off. */
export function halfOf(body: string): RequestListener {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length + 9 };
  return (_req, res) => void res.writeHead(200, headers).write(body, () => res.destroy());
}
