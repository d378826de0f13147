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
