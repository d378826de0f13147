import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, parse } from 'node:path';
import { readServiceAuth } from '@lobbystats/service-auth/sources';
import { mountPath, StartError } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { staticFile, sendStaticFile, type StaticFile } from './static-file.server.ts';

const INDEX = 'login.html';
const HTML_EXTENSION = '.html';
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface SiteOptions {
  network: string;
  version: string;
  networkPublicUrl: string;
  authPublicUrl: string;
}

export interface Site {
  files: ReadonlyMap<string, StaticFile>;
  headers: Readonly<Record<string, string>>;
}

/**
 * `index.html` is at `/`, other pages at their names with `{{network}}`, `{{version}}` and `{{authUrl}}` filled in,
 * assets under `/assets/`.
 *
 * @throws StartError when the files are missing
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
  const files = listFiles(directory).flatMap((name) => {
    const bytes = readFileSync(join(directory, name));
    return siteFile(publicPath(name), name, extname(name) === HTML_EXTENSION ? renderTemplate(bytes, values) : bytes);
  });
  const sdk = Object.entries(readServiceAuth(authPublicUrl)).flatMap(([name, text]) =>
    siteFile(`/${name}`, name, Buffer.from(text)),
  );
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy(networkPublicUrl, authPublicUrl),
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
  };
  return { files: new Map([...files, ...sdk]), headers };
}

export function mountSite(app: Express, { files, headers }: Site): void {
  for (const [path, file] of files) {
    mountPath(app, path, 'site', (req, res) => sendStaticFile(req, res, file, headers));
  }
}

function publicPath(name: string): string {
  if (extname(name) !== HTML_EXTENSION) return `/assets/${name}`;
  return `/${parse(name).name}`;
}

function siteFile(path: string, name: string, bytes: Buffer): [path: string, file: StaticFile][] {
  const mediaType = MEDIA_TYPES[extname(name)];
  return mediaType === undefined ? [] : [[path, staticFile(mediaType, bytes)]];
}

function listFiles(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => extname(name) in MEDIA_TYPES);
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

function renderTemplate(html: Buffer, values: ReadonlyMap<string, string>): Buffer {
  const filled = html.toString('utf8').replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values.get(name);
    return value === undefined ? whole : escapeHtml(value);
  });
  return Buffer.from(filled);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
