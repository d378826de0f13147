import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { mountPath } from '@lobbystats/service-kit';
import type { Express, Request, Response } from 'express';
import { entityTag, matchesTag } from '../domain/entity-tag.ts';

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface SiteOptions {
  /** The network whose numbers are shown; the page says so when they are `simulated`. */
  network: string;
  version: string;
  /** Where a browser finds the network's icons. */
  networkPublicUrl: string;
}

interface Asset {
  body: Buffer;
  tag: string;
  mediaType: string;
}

/** Mounts the page at `/` and its files under `/assets/`, all read once, under a policy that lets nothing else in. */
export function mountSite(app: Express, { network, version, networkPublicUrl }: SiteOptions): void {
  const directory = join(import.meta.dirname, '../site');
  const policy = contentSecurityPolicy(networkPublicUrl);
  const send = (req: Request, res: Response, { body, tag, mediaType }: Asset) => {
    res.setHeader('Content-Security-Policy', policy);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Referrer-Policy', 'no-referrer');
    // Revalidated each time: a new release shows at once, and costs an unchanged reader a 304.
    res.setHeader('Cache-Control', 'no-cache');
    res.setHeader('ETag', tag);
    if (matchesTag(req.headers['if-none-match'], tag)) {
      res.statusCode = 304;
      res.end();
      return;
    }
    res.setHeader('Content-Type', mediaType);
    res.setHeader('Content-Length', body.length);
    res.end(body);
  };
  for (const file of readdirSync(directory)) {
    const mediaType = mediaTypes[extname(file)];
    if (mediaType === undefined) continue;
    const path = file === 'index.html' ? '/' : `/assets/${file}`;
    const bytes = readFileSync(join(directory, file));
    const body = file === 'index.html' ? fill(bytes, { network, version }) : bytes;
    const asset = { body, tag: entityTag(body), mediaType };
    mountPath(app, path, 'site', {
      GET: (req, res) => {
        send(req, res, asset);
      },
    });
  }
}

function contentSecurityPolicy(networkPublicUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${new URL(networkPublicUrl).origin}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function fill(html: Buffer, values: Record<string, string>): Buffer {
  const filled = html.toString('utf8').replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(values[name] ?? ''));
  return Buffer.from(filled);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
