import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { mountPath, StartError } from '@lobbystats/service-kit';
import type { Express, Request, Response } from 'express';
import { entityTag, matchesTag } from '../domain/entity-tag.ts';

const INDEX = 'index.html';
const MEDIA_TYPES: Readonly<Record<string, string>> = {
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

/** The page's files, as they are sent. */
export interface Site {
  files: readonly SiteFile[];
  headers: Readonly<Record<string, string>>;
}

interface SiteFile {
  path: string;
  mediaType: string;
  body: Buffer;
  tag: string;
}

/**
 * Reads the page's files: `{{network}}` and `{{version}}` in `index.html` are filled in.
 *
 * @throws StartError when they aren't there
 */
export function readSite(
  { network, version, networkPublicUrl }: SiteOptions,
  directory = join(import.meta.dirname, '../site'),
): Site {
  const files = namesIn(directory).flatMap((name): SiteFile[] => {
    const mediaType = MEDIA_TYPES[extname(name)];
    if (mediaType === undefined) return [];
    const bytes = readFileSync(join(directory, name));
    const body =
      name === INDEX
        ? fill(
            bytes,
            new Map([
              ['network', network],
              ['version', version],
            ]),
          )
        : bytes;
    return [{ path: name === INDEX ? '/' : `/assets/${name}`, mediaType, body, tag: entityTag(body) }];
  });
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy(networkPublicUrl),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    // Revalidated each time: a new release shows at once, and costs an unchanged reader a 304.
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
  };
  return { files, headers };
}

/** Mounts the page at `/` and its files under `/assets/`, under a policy that lets nothing else in. */
export function mountSite(app: Express, { files, headers }: Site): void {
  for (const file of files) {
    mountPath(app, file.path, 'site', {
      GET: (req, res) => {
        send(req, res, file, headers);
      },
    });
  }
}

function send(req: Request, res: Response, { body, tag, mediaType }: SiteFile, headers: Site['headers']): void {
  if (matchesTag(req.headers['if-none-match'], tag)) {
    res.writeHead(304, { ...headers, ETag: tag }).end();
    return;
  }
  const ofBody = { 'Content-Type': mediaType, 'Content-Length': body.length };
  res.writeHead(200, { ...headers, ETag: tag, ...ofBody }).end(body);
}

function namesIn(directory: string): string[] {
  try {
    const names = readdirSync(directory);
    if (names.includes(INDEX)) return names;
  } catch (cause) {
    throw new StartError(`the page's files can not be read from ${directory}`, { cause });
  }
  throw new StartError(`the page's files lack ${INDEX}: ${directory}`);
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

function fill(html: Buffer, values: ReadonlyMap<string, string>): Buffer {
  const filled = html.toString('utf8').replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values.get(name);
    return value === undefined ? whole : escapeHtml(value);
  });
  return Buffer.from(filled);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
