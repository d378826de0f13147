import type { IncomingMessage, ServerResponse } from 'node:http';
import { JSON_TYPE } from '../http/send-json.ts';
import { requestIdOf } from '../http/request-id.ts';

const BODY = JSON.stringify({ error: 'Too much to do at the moment, try again soon' });

/**
 * Makes what refuses a request for which there is no room, for as little as that can cost: no line in the log, nothing of the app.
 *
 * @param everyAnswer headers of every answer
 */
export function loadRefusal(
  everyAnswer: Readonly<Record<string, string>>,
): (req: IncomingMessage, res: ServerResponse, isLast: boolean) => void {
  const headers = Object.entries({
    ...everyAnswer,
    'Content-Type': JSON_TYPE,
    'Content-Length': String(BODY.length),
    'Cache-Control': 'no-store',
    'Retry-After': '1',
  }).flat();
  return (req, res, isLast) => {
    // With a text that is ASCII Node sends head and body at once.
    const own = ['X-Request-Id', requestIdOf(req.headers['x-request-id']), ...(isLast ? ['Connection', 'close'] : [])];
    res.writeHead(503, [...headers, ...own]).end(BODY, 'latin1');
  };
}
