import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { cleanUp } from './clean-up.ts';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HttpReceiver {
  readonly url: string;
  /** In order of their ends. */
  readonly requests: ReceivedRequest[];
  /** Most requests that were open at once. */
  readonly most: () => number;
  /** Answers requests from now on. */
  answer: (request: ReceivedRequest, res: ServerResponse) => void;
}

/**
 * Starts a receiver of webhooks, pushes or messages to Discord, which answers 204.
 *
 * @param certificate in PEM, for https
 */
export async function startHttpReceiver(certificate?: { cert: string; key: string }): Promise<HttpReceiver> {
  let [open, most] = [0, 0];
  const requests: ReceivedRequest[] = [];
  const listener: RequestListener = (req, res) => {
    open += 1;
    most = Math.max(most, open);
    res.once('close', () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const request = { path: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks) };
      requests.push(request);
      receiver.answer(request, res);
    });
  };
  const server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanUp(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const { port } = server.address() as AddressInfo;
  const receiver: HttpReceiver = {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    most: () => most,
    answer: (_, res) => void res.writeHead(204).end(),
  };
  return receiver;
}
