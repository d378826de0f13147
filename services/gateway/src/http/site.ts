import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, parse } from 'node:path';
import { readServiceAuth } from '@lobbystats/service-auth';
import { mountPath, StartError } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { packedFile, sendPacked, type PackedFile } from './packed-file.ts';

const INDEX = 'index.html';
const PAGE = '.html';
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface SiteOptions {
  /** The network whose numbers are shown; the pages say so when they are `simulated`. */
  network: string;
  version: string;
  /** Where a browser finds the network's icons. */
  networkPublicUrl: string;
  /** Where a browser finds the auth service. */
  authPublicUrl: string;
}

/** The pages' files and the browser SDK, as they are sent. */
export interface Site {
  /** By path. */
  files: ReadonlyMap<string, PackedFile>;
  headers: Readonly<Record<string, string>>;
}

/**
 * Reads the site's files. `index.html` is at `/` and any other page at its name, with `{{network}}`, `{{version}}` and
 * `{{authUrl}}` filled in; what they load is under `/assets/`, the SDK beside the pages.
 *
 * @throws StartError when they aren't there
 */
export function readSite(
  { network, version, networkPublicUrl, authPublicUrl }: SiteOptions,
  directory = join(import.meta.dirname, '../site'),
): Site {
  const values = new Map([
    ['network', network],
    ['version', version],
    ['authUrl', authPublicUrl],
  ]);
  const files = namesIn(directory).flatMap((name) => {
    const bytes = readFileSync(join(directory, name));
    return siteFile(pathOf(name), name, extname(name) === PAGE ? fill(bytes, values) : bytes);
  });
  const sdk = Object.entries(readServiceAuth(authPublicUrl)).flatMap(([name, text]) =>
    siteFile(`/${name}`, name, Buffer.from(text)),
  );
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy(networkPublicUrl, authPublicUrl),
    // Revalidated each time: a new release shows at once, and costs an unchanged reader a 304.
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
  };
  return { files: new Map([...files, ...sdk]), headers };
}

/** Mounts the pages, their files and the SDK, under a policy that lets nothing else in. */
export function mountSite(app: Express, { files, headers }: Site): void {
  for (const [path, file] of files) {
    mountPath(app, path, 'site', (req, res) => sendPacked(req, res, file, headers));
  }
}

function pathOf(name: string): string {
  if (extname(name) !== PAGE) return `/assets/${name}`;
  return name === INDEX ? '/' : `/${parse(name).name}`;
}

/** None where it is of no type that is served. */
function siteFile(path: string, name: string, bytes: Buffer): [path: string, file: PackedFile][] {
  const mediaType = MEDIA_TYPES[extname(name)];
  return mediaType === undefined ? [] : [[path, packedFile(mediaType, bytes)]];
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

function contentSecurityPolicy(networkPublicUrl: string, authPublicUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${new URL(networkPublicUrl).origin}`,
    `connect-src 'self' ${new URL(authPublicUrl).origin}`,
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
