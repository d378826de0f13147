import { createHash } from 'node:crypto';

import type { Response } from 'express';

import { brokenMarkup, harmlessMarkup } from '../faults/changed-markup.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { Page } from './page.ts';
import { byChance, contentTypeOf, sendBody } from './send-body.ts';

/** Strong ETag and 304, except where a fault must show. A truncated page has the whole page's ETag. */
export function sendPage(response: Response, page: Page, plan: FaultPlan): void {
  const body = Buffer.from(bodyOf(page, plan));
  response.status(page.status).set({
    'Content-Type': contentTypeOf(page.contentType, plan),
    'Cache-Control': page.maxAgeSeconds === 0 ? 'no-cache' : `public, max-age=${page.maxAgeSeconds}`,
  });
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  if (page.status === 200) response.set('ETag', etag);
  const isUntouched = plan.truncate === undefined && plan.contentType === undefined;
  if (isUntouched && page.status === 200 && matchesEtag(response, etag)) response.status(304).end();
  else sendBody(response, body, plan);
}

/** Ignores the request's `Cache-Control`, as most sites do. */
function matchesEtag({ req }: Response, etag: string): boolean {
  const known = req.get('If-None-Match') ?? '';
  return known.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));
}

function bodyOf(page: Page, plan: FaultPlan): string {
  if (plan.markup === undefined || !page.contentType.startsWith('text/html')) return page.body;
  const isHarmless = (plan.markup.severity ?? byChance(plan.chance, 'harmless', 'breaking')) === 'harmless';
  return (isHarmless ? harmlessMarkup : brokenMarkup)(page.body, plan.chance);
}
