import { request, type IncomingMessage } from 'node:http';
import { cleanUp } from './clean-up.ts';
import { eventually } from './eventually.ts';

/** A received event. */
export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** An open event stream, parsed as the standard specifies. */
export interface StreamConnection {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** All events received so far. */
  readonly events: readonly StreamEvent[];
  /** The Last-Event-ID that a browser would send when reconnecting. */
  readonly lastEventId: () => string;
  readonly comments: () => number;
  readonly retryMs: () => number | undefined;
  /** Stops reading from the connection. */
  readonly pause: () => void;
  readonly disconnect: () => void;
  /** Resolves at the end: `true` if complete, `false` if aborted. */
  readonly ended: Promise<boolean>;
}

/** Opens a stream. Resolves when the response head has arrived. */
export function readStream(url: string, headers: Record<string, string> = {}): Promise<StreamConnection> {
  return new Promise((resolve, reject) => {
    const req = request(url, { headers, agent: false }, (res) => {
      resolve(parseStream(res, () => req.destroy()));
    });
    req.on('error', reject);
    cleanUp(() => req.destroy());
    req.end();
  });
}

function parseStream(res: IncomingMessage, disconnect: () => void): StreamConnection {
  const events: StreamEvent[] = [];
  const ended = Promise.withResolvers<boolean>();
  let [rest, lastEventId, comments] = ['', '', 0];
  let retryMs: number | undefined;
  const take = (block: string) => {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      if (colon === 0) comments += 1;
      else fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''));
    }
    lastEventId = fields.get('id') ?? lastEventId;
    if (fields.has('retry')) retryMs = Number(fields.get('retry'));
    const data = fields.get('data');
    if (data === undefined) return;
    events.push({ id: lastEventId, event: fields.get('event') ?? 'message', data: JSON.parse(data) });
  };
  res.setEncoding('utf8');
  res.on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    blocks.forEach(take);
  });
  res.on('end', () => ended.resolve(rest === ''));
  res.on('error', () => ended.resolve(false));
  return {
    status: res.statusCode ?? 0,
    headers: res.headers,
    events,
    lastEventId: () => lastEventId,
    comments: () => comments,
    retryMs: () => retryMs,
    pause: () => res.pause(),
    disconnect,
    ended: ended.promise,
  };
}

/** Waits until at least `count` events have arrived. */
export function waitForEvents({ events }: StreamConnection, count: number): Promise<readonly StreamEvent[]> {
  return eventually(() => {
    expect(events.length).toBeGreaterThanOrEqual(count);
    return events;
  });
}

/** Counts of the `online` events. */
export function onlineCounts({ events }: StreamConnection): (number | undefined)[] {
  return events.map(({ data }) => (data as { online?: number }).online);
}
