import type { Operation } from '@lobbystats/contracts';
import { JSON_TYPE } from '@lobbystats/service-kit';
import type { Request, Response } from 'express';
import { entityTag, matchesTag } from '../domain/entity-tag.ts';
import type { OwnerAnswer } from '../domain/owners.ts';

/** How long stale answers may be shown while a new one is fetched, in seconds: one slot. */
const STALE_WHILE_REVALIDATE_SECONDS = 300;

/** What of an operation says how its answers are sent. */
type Sent = Pick<Operation, 'method' | 'mediaType'>;

/**
 * Sends an owner's bytes to the public. What a GET asks for has validators and freshness, and is 304 to who has it; what
 * answers a POST is nobody else's.
 */
export function sendAnswer(
  req: Request,
  res: Response,
  { method, mediaType = JSON_TYPE }: Sent,
  answer: OwnerAnswer,
  maxAgeSeconds: number,
): void {
  const { body, lastModified, link } = answer;
  const ofBody = { 'Content-Type': mediaType, 'Content-Length': body.length };
  if (method !== 'GET') {
    res.writeHead(200, { 'Cache-Control': 'no-store', ...ofBody }).end(body);
    return;
  }
  const tag = entityTag(body);
  res.setHeader('ETag', tag);
  res.setHeader('Vary', 'Accept-Encoding');
  res.setHeader(
    'Cache-Control',
    `public, max-age=${maxAgeSeconds}, stale-while-revalidate=${STALE_WHILE_REVALIDATE_SECONDS}`,
  );
  if (lastModified !== undefined) res.setHeader('Last-Modified', lastModified);
  if (link !== undefined) res.setHeader('Link', link);
  if (matchesTag(req.headers['if-none-match'], tag)) {
    res.writeHead(304).end();
    return;
  }
  res.writeHead(200, ofBody).end(body);
}
