import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { JSON_TYPE } from './send-response.ts';
import type { RequestTracker } from './track-requests.ts';

/** Time for the client to read the response before the socket is destroyed. */
const CLOSE_TIMEOUT_MS = 1000;

/** Handles malformed or slow HTTP, and CONNECT. A request that already has a response gets no second one. */
export function handleMalformedRequests(
  server: Server,
  tracker: RequestTracker,
  defaultHeaders: Readonly<Record<string, string>>,
): void {
  const rejected = new WeakSet<Duplex>();
  const reject = (socket: Duplex, status: number, message: string) => {
    // Node reports each further chunk of a malformed request.
    if (rejected.has(socket)) return;
    rejected.add(socket);
    // Responses keep the order of their requests: a cache hit on this connection is written first.
    setImmediate(() => {
      if (!socket.writable || tracker.hasResponse(socket)) {
        socket.destroy();
        return;
      }
      socket.end(rawResponse(status, message, defaultHeaders));
      const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
      socket.once('close', () => clearTimeout(timer));
    });
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else reject(socket, ...(ERROR_STATUSES[error.code ?? ''] ?? MALFORMED));
  });
  server.on('connect', (_req, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    reject(socket, 405, 'Method not allowed');
  });
}

type ErrorStatus = [status: number, message: string];

const MALFORMED: ErrorStatus = [400, 'Malformed request'];
const ERROR_STATUSES: Readonly<Record<string, ErrorStatus>> = {
  HPE_INVALID_URL: [400, 'The URL must be percent-encoded UTF-8'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to come in'],
};

function rawResponse(status: number, message: string, defaultHeaders: Readonly<Record<string, string>>): string {
  const body = JSON.stringify({ error: message });
  const headers = {
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-Id': randomUUID(),
    ...defaultHeaders,
    ...(status === 405 && { Allow: 'GET, HEAD, OPTIONS' }),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n');
}
