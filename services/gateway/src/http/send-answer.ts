import type { Operation } from '@lobbystats/contracts';
import { JSON_TYPE } from '@lobbystats/service-kit';
import type { Request, Response } from 'express';
import { entityTag, matchesTag } from '../domain/entity-tag.ts';
import type { OwnerAnswer } from '../domain/owners.ts';

/** How long stale answers may be shown while a new one is fetched, in seconds: one slot. */
const STALE_WHILE_REVALIDATE_SECONDS = 300;

/** What of an operation says how its answers are sent. */
type Sent = Pick<Operation, 'method' | 'mediaType' | 'session' | 'freshFor'>;

/** For whom an answer is, and for how long. */
export interface Audience {
  /** Whether the request bears a session. */
  hasSession: boolean;
  /** How long it stays true, where anybody may see it. */
  maxAgeSeconds: number;
}

/**
 * Sends an owner's bytes to the public. What a GET asks for has validators and freshness, and is 304 to who has it; what
 * answers a POST or a session is nobody else's.
 */
export function sendAnswer(
  req: Request,
  res: Response,
  operation: Sent,
  answer: OwnerAnswer,
  { hasSession, maxAgeSeconds }: Audience,
): void {
  const { body, lastModified, link } = answer;
  const { method, mediaType = JSON_TYPE, session } = operation;
  const ofBody = { 'Content-Type': mediaType, 'Content-Length': body.length };
  if (session === 'optional') res.setHeader('Vary', 'Accept-Encoding, X-Session-Key');
  else if (method === 'GET') res.setHeader('Vary', 'Accept-Encoding');
  if (hasSession || method !== 'GET') {
    res.writeHead(200, { 'Cache-Control': hasSession ? 'private, no-store' : 'no-store', ...ofBody }).end(body);
    return;
  }
  const tag = entityTag(body);
  res.setHeader('ETag', tag);
  res.setHeader('Cache-Control', publicFor(operation, maxAgeSeconds));
  if (lastModified !== undefined) res.setHeader('Last-Modified', lastModified);
  if (link !== undefined) res.setHeader('Link', link);
  if (matchesTag(req.headers['if-none-match'], tag)) {
    res.writeHead(304).end();
    return;
  }
  res.writeHead(200, ofBody).end(body);
}

function publicFor({ freshFor }: Sent, maxAgeSeconds: number): string {
  if (freshFor === 'never') return 'public, max-age=0, must-revalidate';
  return `public, max-age=${maxAgeSeconds}, stale-while-revalidate=${STALE_WHILE_REVALIDATE_SECONDS}`;
}
