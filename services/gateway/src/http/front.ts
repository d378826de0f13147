import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf, securityHeaders, type Front } from '@lobbystats/service-kit';
import { type Encoding, preferredEncoding } from '../domain/cache/encoding.ts';
import type { EncodedBody } from '../domain/cache/encoded-bodies.ts';
import type { ResponseCache } from '../domain/cache/response-cache.ts';
import type { GivenAnswer } from '../domain/cache/wanted.ts';
import { matchesTag } from '../domain/entity-tag.ts';
import { bodyHeaders, publicHeaders, type FlatHeaders, type Sent } from './answer-headers.ts';
import { endWith } from './send-answer.ts';
import type { KnownRequests } from './known-request.ts';
import { readRequestHead } from './request-head.ts';

/** What the answers in front are: of no session, and fresh until something happens. */
const KEPT: Sent = { method: 'GET', session: 'none', freshFor: 'slot' };
/** Clients of the same make say the same. */
const ACCEPTED_MAX = 100;

export interface FrontOptions {
  cache: ResponseCache;
  known: KnownRequests;
  /** Headers of every answer, beside those that all services have. */
  everyAnswer: Readonly<Record<string, string>>;
}

/**
 * Answers what is at hand before Express is entered: URLs that have been understood before, whose answers are kept. All that
 * is the same for many requests is made once: most of a request's time is Node's own.
 */
export function answerInFront({ cache, known, everyAnswer }: FrontOptions): Front {
  const encodingOf = rememberedEncodings();
  const headsOf = rememberedHeads({ ...securityHeaders, ...everyAnswer });
  return (req: IncomingMessage, res: ServerResponse) => {
    const { method, url = '' } = req;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const wanted = known.get(url)?.wanted;
    if (wanted?.keeping !== 'kept') return false;
    const head = readRequestHead(req.rawHeaders);
    if (head === undefined) return false;
    const encoding = encodingOf(head.acceptEncoding);
    const given = cache.atHand(wanted.key, encoding);
    const body = given?.bodies.ready(encoding);
    if (given === undefined || body === undefined) return false;
    const heads = headsOf(given, body);
    const isKnown = head.ifNoneMatch !== undefined && matchesTag(head.ifNoneMatch, body.tag);
    const headers = isKnown ? heads.ofNotModified : heads.ofWhole;
    headers[1] = requestIdOf(head.requestId);
    res.writeHead(isKnown ? 304 : 200, headers);
    endWith(res, isKnown || method === 'HEAD' ? undefined : body);
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

/** The first two of each are the request's ID, which alone differs. */
interface Heads {
  readonly ofWhole: FlatHeaders;
  readonly ofNotModified: FlatHeaders;
}

/** The headers of a body stay the same for a second. */
function rememberedHeads(fixed: Readonly<Record<string, string>>): (given: GivenAnswer, body: EncodedBody) => Heads {
  const known = new WeakMap<EncodedBody, { given: GivenAnswer; heads: Heads }>();
  return (given, body) => {
    const before = known.get(body);
    if (before !== undefined && isSaidAlike(before.given, given)) return before.heads;
    const ofNotModified = ['X-Request-Id', '', ...Object.entries(fixed).flat(), ...publicHeaders(KEPT, given, body)];
    const heads = { ofNotModified, ofWhole: [...ofNotModified, ...bodyHeaders(given, body)] };
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
