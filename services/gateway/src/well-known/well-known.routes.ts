import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_SECONDS, secondsClock } from '@lobbystats/contracts';
import { mountPath } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { sendStaticFile, staticFile, type StaticFile } from '../documents/static-file.routes.ts';
import { links } from '@lobbystats/site/links';
import type { Rasterize } from '../images/rasterize.ts';
import { ICON_SIZES, iconPath, robotsText, securityText, webManifest } from './text-files.ts';
import { xml, xmlDocument } from '../feeds/xml.ts';

export interface WellKnownOptions {
  readonly siteUrl: string;
  readonly rasterize: Rasterize;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** A URI for reports of vulnerabilities; undefined: there is none. */
  readonly securityContact: string | undefined;
}

const PLAIN_TEXT = 'text/plain; charset=utf-8';
const HEADERS = { 'Cache-Control': `public, max-age=${DAY_SECONDS / 24}`, Vary: 'Accept-Encoding' };
const ICO_SIZES = [16, 32, 48];
const APPLE_ICON_SIZE = 180;

/** Mounts what browsers and crawlers look for at fixed paths: robots.txt, icons, the manifest, the search, security.txt. */
export function mountWellKnown(app: Express, { siteUrl, rasterize, clock, securityContact }: WellKnownOptions): void {
  const svg = readFileSync(join(import.meta.dirname, 'favicon.svg'));
  const png = (width: number) => rasterize(svg.toString(), { width });
  const robots = staticFile(PLAIN_TEXT, Buffer.from(robotsText(siteUrl)));
  const manifest = staticFile('application/manifest+json; charset=utf-8', Buffer.from(webManifest()));
  const icon = staticFile('image/svg+xml', svg);
  const openSearch = staticFile('application/opensearchdescription+xml; charset=utf-8', openSearchDescription(siteUrl));

  mountFile(app, '/robots.txt', 'robots', () => robots);
  mountFile(app, '/manifest.webmanifest', 'manifest', () => manifest);
  mountFile(app, '/favicon.svg', 'icon', () => icon);
  mountFile(app, links.openSearch, 'opensearch', () => openSearch);
  mountFile(
    app,
    '/favicon.ico',
    'icon',
    readOnce(async () => {
      const images: [number, Buffer][] = [];
      for (const size of ICO_SIZES) images.push([size, await png(size)]);
      return staticFile('image/x-icon', icoFile(new Map(images)));
    }),
  );
  const pngIcons = [
    ...ICON_SIZES.map((size) => [iconPath(size), size] as const),
    ['/apple-touch-icon.png', APPLE_ICON_SIZE] as const,
  ];
  for (const [path, size] of pngIcons) {
    mountFile(
      app,
      path,
      'icon',
      readOnce(async () => staticFile('image/png', await png(size))),
    );
  }

  if (securityContact === undefined) return;
  const now = secondsClock(clock);
  mountFile(app, '/.well-known/security.txt', 'security', () =>
    staticFile(PLAIN_TEXT, Buffer.from(securityText(siteUrl, securityContact, now()))),
  );
}

function mountFile(app: Express, path: string, label: string, file: () => StaticFile | Promise<StaticFile>): void {
  mountPath(app, path, label, async (req, res) => sendStaticFile(req, res, await file(), HEADERS));
}

/** Creates a file at its first request. A failed attempt is repeated. */
function readOnce(create: () => Promise<StaticFile>): () => Promise<StaticFile> {
  let created: Promise<StaticFile> | undefined;
  return () => {
    created ??= create().catch((error: unknown) => {
      created = undefined;
      throw error;
    });
    return created;
  };
}

const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;
const ICON_TYPE = 1;

/** An ICO file of PNG images. https://en.wikipedia.org/wiki/ICO_(file_format) @param images by width, less than 256 */
function icoFile(images: ReadonlyMap<number, Buffer>): Buffer {
  const head = Buffer.alloc(HEADER_BYTES + images.size * ENTRY_BYTES);
  head.writeUInt16LE(ICON_TYPE, 2);
  head.writeUInt16LE(images.size, 4);
  let offset = head.length;
  Array.from(images).forEach(([size, png], index) => {
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    head.writeUInt8(size, entry);
    head.writeUInt8(size, entry + 1);
    // One colour plane, 32 bits for a pixel.
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  });
  return Buffer.concat([head, ...images.values()]);
}

/** Lets browsers search the site from their address bar: https://github.com/dewitt/opensearch */
function openSearchDescription(siteUrl: string): Buffer {
  return xmlDocument(xml`<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Lobbystats</ShortName>
<Description>Players, games and leaderboards of the network</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="16" height="16" type="image/x-icon">${siteUrl}/favicon.ico</Image>
<Url type="text/html" template="${siteUrl}${links.search()}?q={searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${siteUrl}${links.openSearch}"/>
</OpenSearchDescription>`);
}
