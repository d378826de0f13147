import { createHash } from 'node:crypto';

import type { Response } from 'express';

import { brokenMarkup, harmlessMarkup } from '../faults/changed-markup.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { fraction, mix, pick } from '../world/hash.ts';
import type { Page } from './page.ts';

const WRONG_TYPES = ['application/json', 'application/octet-stream', 'text/plain; charset=utf-8'] as const;

/**
 * Sends a page, disfigured as planned. Every page has a strong ETag, and who has it already gets a 304, except where a
 * fault is to be seen. A truncated one carries the ETag of the whole: the network meant to send that, so a client that
 * keeps it with what came is wrong.
 */
export function sendPage(response: Response, page: Page, plan: FaultPlan): void {
  const body = Buffer.from(bodyOf(page, plan));
  response.status(page.status).set({
    'Content-Type': plan.contentType === undefined ? page.contentType : pick(mix(plan.chance, 3), WRONG_TYPES),
    'Cache-Control': page.maxAgeSeconds === 0 ? 'no-cache' : `public, max-age=${page.maxAgeSeconds}`,
  });
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  if (page.status === 200) response.set('ETag', etag);
  if (plan.truncate !== undefined) sendTruncated(response, body, plan);
  else if (page.status === 200 && plan.contentType === undefined && isKnown(response, etag)) response.status(304).end();
  else response.set('Content-Length', String(body.length)).end(body);
}

/** Whether the client has what it asks for. Unlike Express, and like most sites, this minds no `Cache-Control` of it. */
function isKnown({ req }: Response, etag: string): boolean {
  const known = req.get('If-None-Match') ?? '';
  return known.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));
}

function bodyOf(page: Page, plan: FaultPlan): string {
  if (plan.markup === undefined || !page.contentType.startsWith('text/html')) return page.body;
  const isHarmless = (plan.markup.severity ?? byChance(plan.chance, 'harmless', 'breaking')) === 'harmless';
  return (isHarmless ? harmlessMarkup : brokenMarkup)(page.body, plan.chance);
}

function sendTruncated(response: Response, body: Buffer, plan: FaultPlan): void {
  const sent = body.subarray(0, Math.floor(body.length * (0.15 + 0.75 * fraction(mix(plan.chance, 4)))));
  const isClean = (plan.truncate?.ends ?? byChance(plan.chance, 'cleanly', 'abruptly')) === 'cleanly';
  response.set('Content-Length', String(isClean ? sent.length : body.length));
  if (isClean) response.end(sent);
  else response.write(sent, () => response.destroy());
}

function byChance<T>(chance: number, one: T, other: T): T {
  return fraction(mix(chance, 5)) < 0.5 ? one : other;
}
