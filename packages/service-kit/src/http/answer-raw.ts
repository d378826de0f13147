import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { JSON_TYPE } from './send-json.ts';
import type { Traffic } from './watch-traffic.ts';

/** How long a caller whom we have hung up on may take to read why, in milliseconds. */
const LAST_WORDS_MS = 1000;

/**
 * Answers what never becomes a request (broken or too slow HTTP, CONNECT) with `{error}`, and closes the connection.
 * What has an answer, or the beginning of one, gets no second: its connection is just closed.
 */
export function answerBrokenRequests(
  server: Server,
  traffic: Traffic,
  everyAnswer: Readonly<Record<string, string>>,
): void {
  const answered = new WeakSet<Duplex>();
  const hangUp = (socket: Duplex, status: number, message: string) => {
    // What comes in afterwards is as broken as before, and is reported as often.
    if (answered.has(socket)) return;
    answered.add(socket);
    // A cache hit on the same connection is written by then: answers keep the order of their requests.
    setImmediate(() => {
      if (!socket.writable || traffic.isAnswered(socket)) {
        socket.destroy();
        return;
      }
      socket.end(rawAnswer(status, message, everyAnswer));
      const timer = setTimeout(() => socket.destroy(), LAST_WORDS_MS);
      socket.once('close', () => clearTimeout(timer));
    });
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else hangUp(socket, ...(PROBLEMS[error.code ?? ''] ?? MALFORMED));
  });
  server.on('connect', (_req, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    hangUp(socket, 405, 'Method not allowed');
  });
}

type Problem = [status: number, message: string];

const MALFORMED: Problem = [400, 'Malformed request'];
const PROBLEMS: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to come in'],
};

function rawAnswer(status: number, message: string, everyAnswer: Readonly<Record<string, string>>): string {
  const body = JSON.stringify({ error: message });
  const headers = {
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-Id': randomUUID(),
    ...everyAnswer,
    ...(status === 405 && { Allow: 'GET, HEAD, OPTIONS' }),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n');
}
