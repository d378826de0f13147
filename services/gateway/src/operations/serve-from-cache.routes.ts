import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf, securityHeaders, type FastPath } from '@lobbystats/service-kit';
import { LRUCache } from '@lobbystats/service-kit/concurrency';
import {
  bodyHeaders,
  endResponse,
  preferredEncoding,
  publicHeaders,
  type FlatHeaders,
  type OperationPolicy,
} from './send-response.routes.ts';
import type { ServedResponse } from '../cache/cache-request.ts';
import { matchesTag, type ContentCoding, type EncodedBodies, type EncodedBody } from '../cache/encoded-bodies.ts';
import { readRequestHead } from '../cache/request-head.ts';
import type { ResponseCache } from '../cache/response-cache.ts';

/** Fast-path answers use no session. */
const CACHED_OPERATION: OperationPolicy = { method: 'GET', session: 'none' };
const ACCEPT_ENCODINGS_MAX = 100;

export interface FastPathOptions {
  cache: ResponseCache;
  /** Cache keys of URLs that Express has already handled. */
  urlIndex: UrlIndex<string>;
  defaultHeaders: Readonly<Record<string, string>>;
}

/** Serves cache hits of indexed URLs before Express sees them. Work common to many requests is memoized. */
export function serveFromCache({ cache, urlIndex, defaultHeaders }: FastPathOptions): FastPath {
  const encodingOf = memoizeEncodings();
  const headsOf = memoizeHeads({ ...securityHeaders, ...defaultHeaders });
  return (req: IncomingMessage, res: ServerResponse) => {
    const { method, url = '' } = req;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const key = urlIndex.get(url);
    if (key === undefined) return false;
    const head = readRequestHead(req.rawHeaders);
    if (head === undefined) return false;
    const encoding = encodingOf(head.acceptEncoding);
    const cachedResponse = cache.lookup(key, encoding);
    const body = cachedResponse?.body.ready(encoding);
    if (cachedResponse === undefined || body === undefined) return false;
    const heads = headsOf(cachedResponse, body);
    const isNotModified = head.ifNoneMatch !== undefined && matchesTag(head.ifNoneMatch, body.tag);
    const headers = isNotModified ? heads.notModified : heads.full;
    headers[1] = requestIdOf(head.requestId);
    res.writeHead(isNotModified ? 304 : 200, headers);
    // After all readable sockets were read: batched writes wake each client once.
    setImmediate(endResponse, res, isNotModified || method === 'HEAD' ? undefined : body);
    return true;
  };
}

function memoizeEncodings(): (accepted: string | undefined) => ContentCoding {
  const known = new Map<string, ContentCoding>();
  return (accepted) => {
    if (accepted === undefined) return 'identity';
    const found = known.get(accepted);
    if (found !== undefined) return found;
    const encoding = preferredEncoding(accepted);
    if (known.size >= ACCEPT_ENCODINGS_MAX) known.clear();
    known.set(accepted, encoding);
    return encoding;
  };
}

interface ResponseHeads {
  readonly full: FlatHeaders;
  readonly notModified: FlatHeaders;
}

/** Memoized for each body: its headers change once a second. */
function memoizeHeads(
  fixed: Readonly<Record<string, string>>,
): (response: ServedResponse<EncodedBodies>, body: EncodedBody) => ResponseHeads {
  const known = new WeakMap<EncodedBody, { given: ServedResponse; heads: ResponseHeads }>();
  return (response, body) => {
    const before = known.get(body);
    if (before !== undefined && hasSameHeaders(before.given, response)) return before.heads;
    // A page has a Content-Security-Policy of its own.
    const ownFixed = Object.entries(fixed).filter(([name]) => response.headers[name] === undefined);
    const notModified = [
      'X-Request-Id',
      '',
      ...ownFixed.flat(),
      ...publicHeaders(CACHED_OPERATION, response, body.tag),
    ];
    const heads = {
      notModified,
      full: [...notModified, ...bodyHeaders(response, body.encoding, body.bytes.length)],
    };
    known.set(body, { given: response, heads });
    return heads;
  };
}

function hasSameHeaders(a: ServedResponse, b: ServedResponse): boolean {
  return (
    a.maxAgeSeconds === b.maxAgeSeconds &&
    a.ageSeconds === b.ageSeconds &&
    a.status === b.status &&
    a.headers === b.headers
  );
}

/** Longer URLs are not stored: clients choose their length. */
export const URL_LENGTH_MAX = 512;

/** Maps raw URLs to parsed requests, so that each is parsed once. Those that were not used for the longest time are dropped. */
export class UrlIndex<Request extends object | string> {
  readonly #requests: LRUCache<string, Request>;
  /** Changes when titles are renamed. */
  generation = 0;

  /** @param max maximum number of URLs */
  constructor(max: number) {
    this.#requests = new LRUCache({ max });
  }

  get(url: string): Request | undefined {
    return this.#requests.get(url);
  }

  /** @param generation that in which the URL was parsed: titles may have been renamed since */
  set(url: string, request: Request, generation: number): void {
    if (generation === this.generation && url.length <= URL_LENGTH_MAX) this.#requests.set(url, request);
  }

  /** Clears the index after titles were renamed: a URL may mean another game. */
  clear(): void {
    this.generation += 1;
    this.#requests.clear();
  }
}
