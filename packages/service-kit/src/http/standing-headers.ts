import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';

export type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

const STANDING = Symbol('what stands in the head whatever its route says');

interface Headed extends ServerResponse {
  [STANDING]?: { headers: StandingHeaders; requestId: string };
}

/**
 * Headers that answers have whatever their routes say, unless those say others of the same names. They are written with the
 * head: given one by one they cost more than all else that is done for an answer.
 */
export class StandingHeaders {
  readonly list: readonly (readonly [name: string, value: string])[];
  /** Names and values by turns. */
  readonly flat: readonly string[];
  /** In lower case. */
  readonly names: ReadonlySet<string>;

  constructor(headers: Readonly<Record<string, string>>) {
    this.list = Object.entries(headers);
    this.flat = this.list.flat();
    this.names = new Set(this.list.map(([name]) => name.toLowerCase()));
  }

  /** Gives an answer these, and the ID of its request. */
  giveTo(res: Headed, requestId: string): void {
    res[STANDING] = { headers: this, requestId };
  }
}

/**
 * All headers of an answer as Node writes them fastest: names and values by turns, what it has been given included.
 *
 * @param own those that its route writes
 */
export function headOf(res: ServerResponse, own: Headers): Headers {
  const standing = (res as Headed)[STANDING];
  if (standing === undefined || res.headersSent) return own;
  const { headers, requestId } = standing;
  const all = res.getHeaderNames().length > 0 ? undefined : joined(headers, requestId, own);
  if (all !== undefined) return all;
  res.setHeader('X-Request-Id', requestId);
  for (const [name, value] of headers.list) if (!res.hasHeader(name)) res.setHeader(name, value);
  return own;
}

/** Undefined where the answer has one of its own in the place of a standing one. */
function joined({ flat, names }: StandingHeaders, requestId: string, own: Headers): OutgoingHttpHeader[] | undefined {
  const all: OutgoingHttpHeader[] = ['X-Request-Id', requestId, ...flat];
  if (Array.isArray(own)) {
    for (let i = 0; i < own.length; i += 2) if (names.has(String(own[i]).toLowerCase())) return undefined;
    return [...all, ...own];
  }
  for (const name in own) {
    const value = own[name];
    if (value === undefined || names.has(name.toLowerCase())) return undefined;
    all.push(name, value);
  }
  return all;
}
