import type { IncomingMessage, ServerResponse } from 'node:http';
import { labelOperation } from '@lobbystats/service-kit';
import { preferredEncoding } from '../domain/cache/encoding.ts';
import type { ResponseCache } from '../domain/cache/response-cache.ts';
import type { UrlIndex } from '../domain/cache/url-index.ts';
import type { GivenAnswer, MadeAnswer, Wanted } from '../domain/cache/wanted.ts';
import { answerLarge } from './answer-large.ts';
import { LargeFound } from './large-found.ts';
import { readRequestHead, type RequestHead } from './request-head.ts';
import { sendPrivate, sendPublic, type Outgoing } from './send-answer.ts';
import type { Understood } from './understood.ts';

/** A request that bears no session, understood. The next one of the same URL is the same. */
export interface KnownRequest {
  readonly wanted: Wanted;
  /** @throws AppError as its owner does */
  answer(req: IncomingMessage, res: ServerResponse): Promise<void>;
}

/** The requests that are known by their URL. */
export type KnownRequests = UrlIndex<KnownRequest>;

/** Joins what was understood of a request to what answers it. */
export function knownRequest(
  understood: Understood,
  how: Pick<Wanted, 'key' | 'keeping'> & { make: () => Promise<MadeAnswer> },
  cache: ResponseCache,
): KnownRequest {
  const { operation, params } = understood;
  const { id, owner, method } = operation;
  const wanted: Wanted = { ...how, operation: id, owner, tags: operation.tags(params) };
  return {
    wanted,
    answer: async (req, res) => {
      labelOperation(res, id);
      const maxAgeSeconds = cache.begin();
      const { acceptEncoding, ifNoneMatch } = readRequestHead(req.rawHeaders) ?? headOf(req);
      try {
        const out = await outgoing(cache, await cache.answer(wanted), acceptEncoding);
        if (method === 'GET') sendPublic(res, operation, out, ifNoneMatch);
        else sendPrivate(res, operation, out, { hasSession: false });
      } catch (error) {
        if (!(error instanceof LargeFound)) throw error;
        const ask = () => cache.bypass(wanted, 'uri-miss');
        await answerLarge(req, res, { found: error, understood, ask, maxAgeSeconds: maxAgeSeconds() });
      }
    },
  };
}

/** Answers requests that are known by their URL, in the place of the app; gives undefined for all others. */
export function answerKnown(
  known: KnownRequests,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> | undefined {
  return (req, res) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    return isRead ? known.get(req.url ?? '')?.answer(req, res) : undefined;
  };
}

/** An answer in the encoding that its caller likes best. */
export async function outgoing(
  cache: ResponseCache,
  given: GivenAnswer,
  acceptEncoding: string | undefined,
): Promise<Outgoing> {
  return { given, body: await cache.bodyOf(given, preferredEncoding(acceptEncoding)) };
}

/** As Node reads it, for what is no plain request. */
function headOf({ headers }: IncomingMessage): Pick<RequestHead, 'acceptEncoding' | 'ifNoneMatch'> {
  return { acceptEncoding: headers['accept-encoding']?.toString(), ifNoneMatch: headers['if-none-match'] };
}
