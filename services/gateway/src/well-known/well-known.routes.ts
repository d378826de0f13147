import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_SECONDS, secondsClock } from '@lobbystats/contracts';
import { mountPath } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { sendStaticFile, staticFile, type StaticFile } from '../documents/static-file.routes.ts';
import { links } from '@lobbystats/site/links';
import type { Rasterize } from '../images/rasterize.ts';
import { icoFile } from './icons.ts';
import { openSearchDescription } from './open-search.ts';
import { ICON_SIZES, iconPath, robotsText, securityText, webManifest } from './text-files.ts';

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
