import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { streamEvents } from '@lobbystats/contracts';
import { HttpError, mountPath, parseQuery, excludeFromLoad } from '@lobbystats/service-kit';
import type { Express, Request, Response } from 'express';
import type { StreamHub } from './stream-hub.ts';
import type { StreamSink } from './stream-reader.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Disables response buffering in nginx, which would hold back all events.
  'X-Accel-Buffering': 'no',
};
const KEEP_ALIVE_PROBE_MS = 60_000;

export function mountStream(app: Express, hub: StreamHub): void {
  mountPath(app, streamEvents.path, streamEvents.id, (req, res) => serveStream(hub, req, res));
}

async function serveStream(hub: StreamHub, req: Request, res: Response): Promise<void> {
  const { lastEventId, ...subscription } = parseQuery(streamEvents, req.url);
  if (req.method === 'HEAD') {
    res.writeHead(200, HEADERS).end();
    return;
  }
  if (res.socket === null)
    throw new HttpError(400, 'A stream is not given while another answer of its connection is on its way');
  // A page keeps its URL when it reconnects; the browser's header is newer.
  const eventId = req.get('last-event-id') ?? lastEventId;
  const request = { ...subscription, lastEventId: eventId === '' ? undefined : eventId };
  const { socket } = req;
  const reader = await hub.join(request, () => (res.closed || socket.destroyed ? undefined : openSink(res, socket)));
  if (reader === undefined) return;
  socket.on('drain', () => hub.drained(reader));
  res.once('close', () => hub.leave(reader));
}

/** Events are written to the socket, without chunked encoding and without the work of the response object. */
function openSink(res: ServerResponse, socket: Socket): StreamSink {
  res.useChunkedEncodingByDefault = false;
  socket.setKeepAlive(true, KEEP_ALIVE_PROBE_MS);
  res.writeHead(200, HEADERS);
  res.flushHeaders();
  excludeFromLoad(res);
  return { write: socket.write.bind(socket), end: () => void res.end(), destroy: () => void res.destroy() };
}
