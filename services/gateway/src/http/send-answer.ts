import type { Request, Response } from 'express';
import { entityTag, matchesTag } from '../domain/entity-tag.ts';
import type { OwnerAnswer } from '../domain/owners.ts';

/** How long stale answers may be shown while a new one is fetched, in seconds: one slot. */
const STALE_WHILE_REVALIDATE_SECONDS = 300;

/** Sends an owner's bytes to the public, with validators and freshness; 304 to who has them. */
export function sendAnswer(req: Request, res: Response, answer: OwnerAnswer, maxAgeSeconds: number): void {
  const { body, lastModified, link } = answer;
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
  res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length }).end(body);
}
