import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from './clean-up.ts';

/**
 * Serves HTTP on loopback until the test is over. Outside hosts are described by nock; this is for what it can't do:
 * answers that break off or drip, hang-ups, and requests of other processes.
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

/** Begins an answer, and adds to it for as long as somebody listens. */
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
