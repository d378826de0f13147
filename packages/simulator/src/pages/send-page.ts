import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import { brokenMarkup, harmlessMarkup } from '../faults/changed-markup.ts';
import { NO_FAULTS, type FaultPlan } from '../faults/fault.ts';
import { hostileImage } from '../faults/hostile-images.ts';
import type { Icon } from './icon.ts';
import type { Page } from './page.ts';
import { fraction, mix, pick } from '../world/hash.ts';

/** Strong ETag and 304, except where a fault must show. A truncated page has the whole page's ETag. */
export function sendPage(response: Response, page: Page | Icon, plan: FaultPlan): void {
  const content = bodyOf(page, plan);
  const body = typeof content === 'string' ? Buffer.from(content) : content;
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

function bodyOf(page: Page | Icon, plan: FaultPlan): string | Buffer {
  if (typeof page.body !== 'string') return plan.image === undefined ? page.body : hostileImage(plan.image.form);
  if (!page.contentType.startsWith('text/html')) return page.body;
  if (plan.titles !== undefined) return withOtherTitles(page.body, plan.titles.count, plan.chance);
  if (plan.markup === undefined) return page.body;
  const isHarmless = (plan.markup.severity ?? byChance(plan.chance, 'harmless', 'breaking')) === 'harmless';
  return (isHarmless ? harmlessMarkup : brokenMarkup)(page.body, plan.chance);
}

export function sendJson(response: Response, status: number, body: object, plan: FaultPlan = NO_FAULTS): void {
  const contentType = contentTypeOf('application/json; charset=utf-8', plan);
  response.status(status).set({ 'Content-Type': contentType, 'Cache-Control': 'no-store' });
  sendBody(response, Buffer.from(JSON.stringify(body)), plan);
}

const NOT_HTML = ['application/json', 'application/octet-stream', 'text/plain; charset=utf-8'] as const;
const NOT_JSON = ['text/html; charset=utf-8', 'application/octet-stream', 'text/plain; charset=utf-8'] as const;

function contentTypeOf(contentType: string, plan: FaultPlan): string {
  if (plan.contentType === undefined) return contentType;
  return pick(mix(plan.chance, 3), contentType.startsWith('application/json') ? NOT_JSON : NOT_HTML);
}

function sendBody(response: ServerResponse, body: Buffer, plan: FaultPlan): void {
  if (plan.truncate === undefined) {
    response.setHeader('Content-Length', String(body.length));
    response.end(body);
    return;
  }
  const sent = body.subarray(0, Math.floor(body.length * (0.15 + 0.75 * fraction(mix(plan.chance, 4)))));
  const isClean = (plan.truncate.ends ?? byChance(plan.chance, 'cleanly', 'abruptly')) === 'cleanly';
  response.setHeader('Content-Length', String(isClean ? sent.length : body.length));
  if (isClean) response.end(sent);
  else response.write(sent, () => response.destroy());
}

function byChance<T>(chance: number, one: T, other: T): T {
  return fraction(mix(chance, 5)) < 0.5 ? one : other;
}

const TITLE_IDS = 2 ** 32;

/** Lists titles that no one plays below those of the homepage, with other IDs for each `chance`. */
function withOtherTitles(html: string, count: number, chance: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const titleId = ((mix(chance, 7) + index) % TITLE_IDS).toString(16).padStart(8, '0');
    const cells = [`<a href="/games/${titleId}">Other ${titleId}</a>`, titleId, '0', '-'];
    return `<tr><td></td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return html.replace('</tbody>', () => `${rows.join('\n')}\n</tbody>`);
}
