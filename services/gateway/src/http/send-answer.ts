import type { Request, Response } from 'express';
import { entityTag, matchesTag } from '../domain/entity-tag.ts';
import type { OwnerAnswer } from '../domain/owners.ts';

/** How long stale answers may be shown while a new one is fetched, in seconds: one slot. */
const STALE_WHILE_REVALIDATE_SECONDS = 300;

/** Sends an owner's bytes to the public: with validators and freshness when it is an answer, as it is when it is an error. */
export function sendAnswer(req: Request, res: Response, answer: OwnerAnswer, maxAgeSeconds: number): void {
  const { status, body, lastModified, link } = answer;
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (status !== 200) {
    res.setHeader('Cache-Control', 'no-store');
    end(res, body);
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
    res.removeHeader('Content-Type');
    res.statusCode = 304;
    res.end();
    return;
  }
  end(res, body);
}

function end(res: Response, body: Buffer): void {
  res.setHeader('Content-Length', body.length);
  res.end(body);
}
