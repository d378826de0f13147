import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf, securityHeaders, type Front } from '@lobbystats/service-kit';
import type { Encoding } from '../domain/cache/encoding.ts';
import type { EncodedBody } from '../domain/cache/encoded-bodies.ts';
import type { ResponseCache } from '../domain/cache/response-cache.ts';
import type { UrlIndex } from '../domain/cache/url-index.ts';
import type { GivenAnswer } from '../domain/cache/wanted.ts';
import { matchesTag } from '../domain/entity-tag.ts';
import { bodyHeaders, publicHeaders, type FlatHeaders, type Sent } from './answer-headers.ts';
import { preferredEncoding } from './preferred-encoding.ts';
import { endWith } from './send-answer.ts';
import { readRequestHead } from './request-head.ts';

/** Fast-path answers use no session and are fresh until the next slot. */
const STORED: Sent = { method: 'GET', session: 'none', freshFor: 'slot' };
const ACCEPTED_MAX = 100;

export interface FrontOptions {
  cache: ResponseCache;
  /** Cache keys of URLs that Express has handled before. */
  known: UrlIndex<string>;
  everyAnswer: Readonly<Record<string, string>>;
}

/** Serves cache hits for known URLs without Express. Work common to many requests is done once. */
export function answerInFront({ cache, known, everyAnswer }: FrontOptions): Front {
  const encodingOf = rememberedEncodings();
  const headsOf = rememberedHeads({ ...securityHeaders, ...everyAnswer });
  return (req: IncomingMessage, res: ServerResponse) => {
    const { method, url = '' } = req;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const key = known.get(url);
    if (key === undefined) return false;
    const head = readRequestHead(req.rawHeaders);
    if (head === undefined) return false;
    const encoding = encodingOf(head.acceptEncoding);
    const given = cache.atHand(key, encoding);
    const body = given?.bodies.ready(encoding);
    if (given === undefined || body === undefined) return false;
    const heads = headsOf(given, body);
    const isKnown = head.ifNoneMatch !== undefined && matchesTag(head.ifNoneMatch, body.tag);
    const headers = isKnown ? heads.ofNotModified : heads.ofWhole;
    headers[1] = requestIdOf(head.requestId);
    res.writeHead(isKnown ? 304 : 200, headers);
    // After everything readable was read: batched writes wake each client once.
    setImmediate(endWith, res, isKnown || method === 'HEAD' ? undefined : body);
    return true;
  };
}

function rememberedEncodings(): (accepted: string | undefined) => Encoding {
  const known = new Map<string, Encoding>();
  return (accepted) => {
    if (accepted === undefined) return 'identity';
    const found = known.get(accepted);
    if (found !== undefined) return found;
    const encoding = preferredEncoding(accepted);
    if (known.size >= ACCEPTED_MAX) known.clear();
    known.set(accepted, encoding);
    return encoding;
  };
}

interface Heads {
  readonly ofWhole: FlatHeaders;
  readonly ofNotModified: FlatHeaders;
}

/** Headers of a body change once a second. */
function rememberedHeads(fixed: Readonly<Record<string, string>>): (given: GivenAnswer, body: EncodedBody) => Heads {
  const known = new WeakMap<EncodedBody, { given: GivenAnswer; heads: Heads }>();
  return (given, body) => {
    const before = known.get(body);
    if (before !== undefined && isSaidAlike(before.given, given)) return before.heads;
    const ofNotModified = [
      'X-Request-Id',
      '',
      ...Object.entries(fixed).flat(),
      ...publicHeaders(STORED, given, body.tag),
    ];
    const heads = {
      ofNotModified,
      ofWhole: [...ofNotModified, ...bodyHeaders(given, body.encoding, body.bytes.length)],
    };
    known.set(body, { given, heads });
    return heads;
  };
}

function isSaidAlike(a: GivenAnswer, b: GivenAnswer): boolean {
  return (
    a.maxAgeSeconds === b.maxAgeSeconds &&
    a.ageSeconds === b.ageSeconds &&
    a.status === b.status &&
    a.headers === b.headers
  );
}
