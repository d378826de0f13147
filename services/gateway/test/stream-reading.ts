import { request, type IncomingMessage } from 'node:http';
import { cleanUp, eventually } from '@lobbystats/test-kit';

/** An event as a reader gets it. */
export interface ReadEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** A stream that is being read, as the standard has it be read. */
export interface Reading {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** All that has been dispatched so far. */
  readonly events: readonly ReadEvent[];
  /** What a browser would send on coming back. */
  readonly lastEventId: () => string;
  readonly comments: () => number;
  readonly retryMs: () => number | undefined;
  /** Takes nothing from the connection any more. */
  readonly pause: () => void;
  readonly hangUp: () => void;
  /** How it ended: `true` as it should, `false` cut off. */
  readonly ended: Promise<boolean>;
}

/** Opens a stream; resolves when its answer has begun. */
export function readStream(url: string, headers: Record<string, string> = {}): Promise<Reading> {
  return new Promise((resolve, reject) => {
    const req = request(url, { headers, agent: false }, (res) => {
      resolve(reading(res, () => req.destroy()));
    });
    req.on('error', reject);
    cleanUp(() => req.destroy());
    req.end();
  });
}

function reading(res: IncomingMessage, hangUp: () => void): Reading {
  const events: ReadEvent[] = [];
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
    hangUp,
    ended: ended.promise,
  };
}

/** Waits until so many events have come. */
export function reaches({ events }: Reading, count: number): Promise<readonly ReadEvent[]> {
  return eventually(() => {
    expect(events.length).toBeGreaterThanOrEqual(count);
    return events;
  });
}

/** What the `online` events among them say. */
export function onlineOf({ events }: Reading): (number | undefined)[] {
  return events.map(({ data }) => (data as { online?: number }).online);
}
